const maxCodes = 64;

const maxCodeLength = 80;

/**
 * The losses (`dropped:x`) and changes (`clamped:x`, `changed:x`, `added:x`) of a request, once each, in order.
 * Codes are safe in a header, regardless of the client's field names. Source: docs/protocols.md#g6.
 */
export class Losses {
  readonly #codes: string[];

  constructor(known: readonly string[] = []) {
    this.#codes = [...known];
  }

  add(code: string): void {
    if (this.#codes.length >= maxCodes) return;
    const clean = code.replace(/[^A-Za-z0-9_.:[\]-]/g, "_").slice(0, maxCodeLength);
    if (!this.#codes.includes(clean)) this.#codes.push(clean);
  }

  /** Adds a field of the client that does not reach the upstream. */
  dropped(field: string): void {
    this.add(`dropped:${field}`);
  }

  list(): string[] {
    return [...this.#codes];
  }
}
