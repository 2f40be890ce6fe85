const WINDOW_MS = 10_000;
const MAX_LINES_A_WINDOW = 10;
/** After so many lines in a window, of any kind, only one line of each kind is written. */
const MAX_LINES_TOGETHER = 20;
/** Kinds of lines that are counted separately; all further ones are counted together. */
const MAX_KINDS = 100;

/** Lines that were left out, because equal ones had been written. */
export interface LeftOut {
  level: number;
  message: string;
  code: string | null;
  /** How many were left out. */
  repeated: number;
}

interface Kind {
  level: number;
  message: string;
  code: string | null;
  written: number;
  leftOut: number;
  endsMs: number;
}

/**
 * Bounds the lines of one cause in the log. Of lines with the same message and code, ten in ten seconds are written and
 * the others are counted; after twenty lines in all, only the first of each message and code is written. At the end of
 * the ten seconds `onLeftOut` gets the number of those that were left out; while they continue, every ten seconds.
 * Source: docs/reliability.md#log-repeats.
 */
export class RepeatedLines {
  readonly #kinds = new Map<string, Kind>();
  readonly #now: () => number;
  readonly #onLeftOut: (lines: LeftOut) => void;
  #timer: NodeJS.Timeout | null = null;
  /** All lines that were written until `#togetherEndsMs`. */
  #together = 0;
  #togetherEndsMs = 0;

  /** `now`: a clock. Units: milliseconds. */
  constructor(now: () => number, onLeftOut: (lines: LeftOut) => void) {
    this.#now = now;
    this.#onLeftOut = onLeftOut;
  }

  /** Counts a line; false when it must not be written. */
  admits(level: number, message: string, code: string | null): boolean {
    this.sweep();
    const kind = this.#kindOf(level, message, code);
    const most = this.#together < MAX_LINES_TOGETHER ? MAX_LINES_A_WINDOW : 1;
    if (kind.leftOut > 0 || kind.written >= most) {
      kind.leftOut += 1;
      return false;
    }
    kind.written += 1;
    this.#together += 1;
    return true;
  }

  /** Reports what was left out in the windows that are over. */
  sweep(): void {
    const now = this.#now();
    if (this.#togetherEndsMs <= now) {
      this.#together = 0;
      this.#togetherEndsMs = now + WINDOW_MS;
    }
    for (const [key, kind] of this.#kinds) if (kind.endsMs <= now) this.#end(key, kind);
  }

  /** Reports what was left out until now. */
  flush(): void {
    for (const [key, kind] of this.#kinds) this.#end(key, kind);
    this.#kinds.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #kindOf(level: number, message: string, code: string | null): Kind {
    const key = JSON.stringify([level, message, code]);
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    if (this.#kinds.size < MAX_KINDS) return this.#begin(key, { level, message, code });
    return this.#kinds.get("") ?? this.#begin("", { level, message: "other lines", code: null });
  }

  #begin(key: string, about: Pick<Kind, "level" | "message" | "code">): Kind {
    const kind = { ...about, written: 0, leftOut: 0, endsMs: this.#now() + WINDOW_MS };
    this.#kinds.set(key, kind);
    this.#sweepLater();
    return kind;
  }

  /** While lines are left out, the next window writes none of this kind, only their number. */
  #end(key: string, kind: Kind): void {
    const { level, message, code, leftOut: repeated } = kind;
    if (repeated === 0) {
      this.#kinds.delete(key);
      return;
    }
    this.#onLeftOut({ level, message, code, repeated });
    kind.written = MAX_LINES_A_WINDOW;
    kind.leftOut = 0;
    kind.endsMs = this.#now() + WINDOW_MS;
  }

  /** One timer for all kinds: it fires at most a window late. */
  #sweepLater(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.sweep();
      if (this.#kinds.size > 0) this.#sweepLater();
    }, WINDOW_MS);
    this.#timer.unref();
  }
}
