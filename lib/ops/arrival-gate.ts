/** A turn of the event loop that took longer let what arrived in it wait too long. Source: reliability 2.11. */
const LONG_MS = 200;
/** A burst passes in less; only what keeps the loop this long is more than it can do. */
const SUSTAINED_MS = 2_000;
/** When nothing has arrived for this long, there is no overload. */
const APART_MS = 200;
const TARGET_MS = 50;
const FEWEST = 16;
/** So many are let in for each that is refused, however many come: a refusal takes about a tenth of a request's time. */
const PER_REFUSAL = 0.1;
const SHRINK = 0.9;
const GROW = 1.05;
const OVER_AFTER_MS = 1_000;

/** A turn of the event loop in which requests have arrived. Units: milliseconds of a clock that never goes back. */
export interface Turn {
  beganMs: number;
  endedMs: number;
  entered: number;
  refused: number;
}

/**
 * How many requests may begin in one turn of the event loop. A loop that has more to do than it can takes longer for
 * each turn, and every request waits for several. Once all turns have been long for two seconds, fewer are let in, until a
 * turn is short again; the others are refused in the turn in which they arrive. Source: reliability 2.11.
 */
export class ArrivalGate {
  #limit = Number.POSITIVE_INFINITY;
  #turn: Turn | null = null;
  #lastEndedMs = Number.NEGATIVE_INFINITY;
  #longSinceMs: number | null = null;
  #refusedAtMs = Number.NEGATIVE_INFINITY;

  /** As many requests as may have begun in this turn. */
  get full(): boolean {
    return this.#turn !== null && this.#turn.entered >= this.#limit;
  }

  /** How many may begin in a turn at present. */
  get limit(): number {
    return this.#limit;
  }

  /** A request begins. */
  enter(): void {
    this.#current().entered += 1;
  }

  /** A request was refused because this process has too much to do. */
  refuse(): void {
    this.#current().refused += 1;
  }

  /** Takes the beginning of a turn in which requests arrive. Units: milliseconds. */
  begin(nowMs: number): void {
    if (nowMs - this.#lastEndedMs > APART_MS) this.#release();
  }

  /** Takes a turn that is over. */
  take(turn: Turn): void {
    if (this.#limit === Number.POSITIVE_INFINITY) this.#lookForOverload(turn);
    else this.#adjust(turn);
    this.#lastEndedMs = turn.endedMs;
  }

  #current(): Turn {
    if (this.#turn !== null) return this.#turn;
    const beganMs = performance.now();
    this.begin(beganMs);
    const turn = { beganMs, endedMs: beganMs, entered: 0, refused: 0 };
    this.#turn = turn;
    // Immediates run once every socket that was ready has been read.
    setImmediate(() => {
      this.#turn = null;
      this.take({ ...turn, endedMs: performance.now() });
    });
    return turn;
  }

  #lookForOverload({ beganMs, endedMs, entered }: Turn): void {
    const took = endedMs - beganMs;
    if (took <= LONG_MS) {
      this.#longSinceMs = null;
      return;
    }
    this.#longSinceMs ??= beganMs;
    if (endedMs - this.#longSinceMs < SUSTAINED_MS) return;
    this.#limit = Math.max(FEWEST, entered * (TARGET_MS / took));
    this.#refusedAtMs = endedMs;
  }

  #adjust({ beganMs, endedMs, refused }: Turn): void {
    if (refused > 0) this.#refusedAtMs = endedMs;
    if (endedMs - beganMs > TARGET_MS) {
      this.#limit = Math.max(FEWEST, refused * PER_REFUSAL, this.#limit * SHRINK);
    } else if (refused > 0) this.#limit = this.#limit * GROW + 1;
    else if (endedMs - this.#refusedAtMs > OVER_AFTER_MS) this.#release();
  }

  #release(): void {
    this.#limit = Number.POSITIVE_INFINITY;
    this.#longSinceMs = null;
  }
}
