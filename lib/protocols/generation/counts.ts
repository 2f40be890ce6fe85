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
