const DAY_S = 86_400;

/**
 * A time zone whose next midnight is a moment within the coming day; PostgreSQL takes it, JavaScript does not. Units: Unix
 * milliseconds, whole seconds.
 */
export function zoneWithMidnightAt(atMs: number): string {
  const behindMidnight = Math.round(atMs / 1_000) % DAY_S;
  // As in POSIX: what is added to local time to get that of UTC, at most half a day.
  const offset = behindMidnight > DAY_S / 2 ? behindMidnight - DAY_S : behindMidnight;
  const of = (unit: number, most: number) =>
    String(Math.floor(Math.abs(offset) / unit) % most).padStart(2, "0");
  return `<midnight>${offset < 0 ? "-" : "+"}${of(3_600, 24)}:${of(60, 60)}:${of(1, 60)}`;
}
