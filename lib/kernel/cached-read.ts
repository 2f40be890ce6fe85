const RETRY_READ_MS = 1_000;

/**
 * A value that is read at most once in `freshMs`; callers during a read share its result. After a failed read, callers
 * get the previous value until the next read, which begins after a second, and after twice as long with each further
 * failure, up to `freshMs`. Units: milliseconds.
 */
export class CachedRead<Value> {
  readonly #read: () => Promise<Value>;
  readonly #freshMs: number;
  readonly #nowMs: () => number;
  #last: { value: Promise<Value>; untilMs: number } | null = null;
  #known: Value | undefined;
  #retryMs = RETRY_READ_MS;

  constructor(options: { read: () => Promise<Value>; freshMs: number; nowMs: () => number }) {
    this.#read = options.read;
    this.#freshMs = options.freshMs;
    this.#nowMs = options.nowMs;
  }

  /** The value of the last read that succeeded, however old; undefined before the first one. */
  get known(): Value | undefined {
    return this.#known;
  }

  /** The value. Throws: the error of the read while none has succeeded. */
  get(): Promise<Value> {
    const nowMs = this.#nowMs();
    if (this.#last !== null && nowMs < this.#last.untilMs) return this.#last.value;
    // Never expires during the read, so that no second read runs beside it.
    const last = { value: this.#read(), untilMs: Number.POSITIVE_INFINITY };
    last.value = last.value.then(
      (value) => {
        last.untilMs = this.#nowMs() + this.#freshMs;
        this.#retryMs = RETRY_READ_MS;
        if (this.#last === last) this.#known = value;
        return value;
      },
      (error: unknown) => {
        last.untilMs = this.#nowMs() + Math.min(this.#retryMs, this.#freshMs);
        this.#retryMs = Math.min(2 * this.#retryMs, this.#freshMs);
        if (this.#known === undefined) throw error;
        return this.#known;
      },
    );
    this.#last = last;
    return last.value;
  }

  /** Forgets the value; the next call of `get` reads a new one. */
  clear(): void {
    this.#last = null;
    this.#known = undefined;
  }
}
