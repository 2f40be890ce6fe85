const maxCodes = 64;
const maxCodeLength = 80;

/**
 * What a request lost (`dropped:x`) or altered (`clamped:x`, `changed:x`, `added:x`), once each, in order.
 * Codes are safe in a header whatever field names a client made up. Source: docs/protocols.md#g6.
 */
export class Losses {
  private readonly codes: Set<string>;

  constructor(known: readonly string[] = []) {
    this.codes = new Set(known);
  }

  add(code: string): void {
    if (this.codes.size >= maxCodes) return;
    this.codes.add(code.replace(/[^A-Za-z0-9_.:[\]-]/g, "_").slice(0, maxCodeLength));
  }

  /** Something the client asked for does not reach the upstream. */
  dropped(field: string): void {
    this.add(`dropped:${field}`);
  }

  list(): string[] {
    return [...this.codes];
  }
}

/** A token count: a whole number from 0; anything else is undefined. Source: docs/reliability.md#s2-6. */
export function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** True when a count was reported at all, valid or not. */
export function isReported(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The remainder of a limit, as headers write it. */
export function remaining(limit: number, used: number): string {
  return String(Math.max(0, limit - used));
}
