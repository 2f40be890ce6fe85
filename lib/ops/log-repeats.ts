const WINDOW_MS = 10_000;
const MAX_LINES_A_WINDOW = 10;
/** Different lines that are counted apart; all others together. */
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
  lines: number;
  endsMs: number;
}

/**
 * Bounds what one cause writes to the log: of lines with the same message and code, ten in ten seconds are written and
 * the others are counted. When the ten seconds are over, `onLeftOut` gets their number; while they go on, every ten seconds.
 * Source: docs/reliability.md#log-repeats.
 */
export class RepeatedLines {
  readonly #kinds = new Map<string, Kind>();
  readonly #now: () => number;
  readonly #onLeftOut: (lines: LeftOut) => void;
  #timer: NodeJS.Timeout | null = null;

  /** `now`: a clock. Units: milliseconds. */
  constructor(now: () => number, onLeftOut: (lines: LeftOut) => void) {
    this.#now = now;
    this.#onLeftOut = onLeftOut;
  }

  /** Counts a line; false when it must not be written. */
  admits(level: number, message: string, code: string | null): boolean {
    this.sweep();
    const kind = this.#kindOf(level, message, code);
    kind.lines += 1;
    return kind.lines <= MAX_LINES_A_WINDOW;
  }

  /** Tells what was left out in the windows that are over. */
  sweep(): void {
    const now = this.#now();
    for (const [key, kind] of this.#kinds) if (kind.endsMs <= now) this.#end(key, kind);
  }

  /** Tells what was left out until now. */
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
    const kind = { ...about, lines: 0, endsMs: this.#now() + WINDOW_MS };
    this.#kinds.set(key, kind);
    this.#sweepLater();
    return kind;
  }

  /** While too many come, a window has their number only. */
  #end(key: string, kind: Kind): void {
    const { level, message, code } = kind;
    const repeated = kind.lines - MAX_LINES_A_WINDOW;
    if (repeated <= 0) {
      this.#kinds.delete(key);
      return;
    }
    this.#onLeftOut({ level, message, code, repeated });
    kind.lines = MAX_LINES_A_WINDOW;
    kind.endsMs = this.#now() + WINDOW_MS;
  }

  /** One timer for all kinds: it comes at most a window late. */
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
