import { expect, test } from "vitest";
import { QUARTER_HOUR_MS } from "@/lib/reports/calendar";
import { closesAt, monthsBetween } from "@/lib/reports/statements/calendar";

const first = new Date("2024-12-31T23:30:00Z");
const now = new Date("2027-01-01T00:00:00Z");

test("months of every zone follow each other and begin on the grid of the roll-ups", () => {
  for (const zone of ["UTC", ...Intl.supportedValuesOf("timeZone")]) {
    const months = monthsBetween(new Date("2026-01-15T00:00:00Z"), new Date("2029-01-15T00:00:00Z"), zone);
    expect(months).toHaveLength(37);
    for (const [index, { startsAt }] of months.entries()) {
      expect([zone, startsAt.getTime() % QUARTER_HOUR_MS]).toEqual([zone, 0]);
      const days = (startsAt.getTime() - (months[index - 1]?.startsAt.getTime() ?? Number.NaN)) / 86_400_000;
      if (index > 0) expect(days > 27.8 && days < 31.2, `${zone} ${startsAt.toISOString()}`).toBe(true);
    }
  }
});

test.each([
  ["UTC", "2024-12", "2027-01", "2024-12-01T00:00:00.000Z"],
  ["Asia/Shanghai", "2025-01", "2027-01", "2024-12-31T16:00:00.000Z"],
  ["America/New_York", "2024-12", "2026-12", "2024-12-01T05:00:00.000Z"],
])("in %s the months go from %s to %s", (zone, from, to, startsAt) => {
  const months = monthsBetween(first, now, zone);
  expect(months[0]).toEqual({ month: from, startsAt: new Date(startsAt) });
  expect(months.at(-1)?.month).toBe(to);
});

test("a month may be closed from the second day of the next one, in its zone", () => {
  expect(closesAt("2026-11", "UTC")).toEqual(new Date("2026-12-02T00:00:00Z"));
  expect(closesAt("2026-12", "Asia/Shanghai")).toEqual(new Date("2027-01-01T16:00:00Z"));
  // Midnight comes twice on 1 November in Havana; the month begins with the first.
  expect(closesAt("2026-10", "America/Havana")).toEqual(new Date("2026-11-02T05:00:00Z"));
});
