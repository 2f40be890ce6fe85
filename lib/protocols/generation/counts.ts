/** A token count: a whole number from 0; anything else is undefined. Source: docs/reliability.md#s2-6. */
export function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** True when a count was told at all, sane or not. */
export function isTold(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** What is left of a limit, as a header says it. */
export function remaining(limit: number, used: number): string {
  return String(Math.max(0, limit - used));
}
