import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "@/lib/kernel/durations";
import { isTimeZone } from "@/lib/kernel/time-zone";
import { addDays, calendarOf } from "@/lib/reports/calendar";
import { statsRange } from "@/lib/reports/stats-range";

const hoursBetween = (starts: readonly number[]) =>
  starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / HOUR_MS);

describe("the range of a period", () => {
  test("has a day of 25 hours when the clocks go back", () => {
    const range = statsRange("7d", "Europe/Berlin", Date.parse("2026-10-27T12:00:00Z"));
    expect(range.dates[4]).toBe("2026-10-25");
    expect(hoursBetween(range.starts)).toEqual([24, 24, 24, 24, 25, 24]);
  });

  test("has a day of 23 hours when they go forward, also where midnight itself is skipped", () => {
    const berlin = statsRange("7d", "Europe/Berlin", Date.parse("2026-03-31T12:00:00Z"));
    expect(hoursBetween(berlin.starts)).toEqual([24, 24, 24, 24, 23, 24]);
    const cairo = statsRange("7d", "Africa/Cairo", Date.parse("2026-04-27T12:00:00Z"));
    expect(cairo.dates[3]).toBe("2026-04-24");
    expect(hoursBetween(cairo.starts)).toEqual([24, 24, 24, 23, 24, 24]);
  });

  test("begins at local midnight, whatever the offset", () => {
    const now = Date.parse("2026-11-21T20:00:00Z");
    const startIn = (zone: string) => new Date(statsRange("7d", zone, now).starts[0] ?? 0).toISOString();
    expect(startIn("UTC")).toBe("2026-11-15T00:00:00.000Z");
    expect(startIn("Asia/Shanghai")).toBe("2026-11-15T16:00:00.000Z");
    expect(startIn("Asia/Kathmandu")).toBe("2026-11-15T18:15:00.000Z");
    expect(startIn("Pacific/Kiritimati")).toBe("2026-11-15T10:00:00.000Z");
    expect(startIn("Pacific/Pago_Pago")).toBe("2026-11-15T11:00:00.000Z");
  });

  test("of 24 hours keeps both hours that have the same name", () => {
    const range = statsRange("24h", "Europe/Berlin", Date.parse("2026-10-25T12:00:00Z"));
    expect(new Set(hoursBetween(range.starts))).toEqual(new Set([1]));
    expect(range.starts).toHaveLength(25);
    expect([...new Set(range.dates)]).toEqual(["2026-10-24", "2026-10-25"]);
  });

  test("compares with as much of the period before as has passed of this one", () => {
    const range = statsRange("7d", "UTC", Date.parse("2026-11-21T06:07:00Z"));
    expect(new Date(range.previous.from).toISOString()).toBe("2026-11-08T00:00:00.000Z");
    expect(new Date(range.previous.to).toISOString()).toBe("2026-11-14T06:15:00.000Z");
    expect(range.previous.starts).toEqual(range.starts.map((start) => start - 7 * DAY_MS));
  });

  test("compares each local day with the one in its place, also over a change of the clocks", () => {
    const { previous } = statsRange("7d", "Europe/Berlin", Date.parse("2026-10-28T12:00:00Z"));
    const local = (moment: number) => new Date(moment).toLocaleString("sv", { timeZone: "Europe/Berlin" });
    expect(previous.starts.map(local)).toEqual(
      [15, 16, 17, 18, 19, 20, 21].map((day) => `2026-10-${day} 00:00:00`),
    );
  });

  test("has thirty days", () => {
    const range = statsRange("30d", "America/New_York", Date.parse("2026-11-21T06:07:00Z"));
    expect(range.starts).toHaveLength(30);
    expect(range.dates[0]).toBe("2026-10-23");
  });
});

describe("chosen days", () => {
  const now = Date.parse("2026-11-21T06:07:00Z");
  const range = (from: string, to: string, zone = "UTC", at = now) => statsRange({ from, to }, zone, at);

  test("begin and end at local midnights, over both changes of the clocks", () => {
    const spring = range("2026-03-28", "2026-03-30", "Europe/Berlin");
    expect(hoursBetween([...spring.starts, spring.to])).toEqual([24, 23, 24]);
    expect(new Date(spring.to).toISOString()).toBe("2026-03-30T22:00:00.000Z");
    const autumn = range("2026-10-24", "2026-10-26", "Europe/Berlin");
    expect(hoursBetween([...autumn.starts, autumn.to])).toEqual([24, 25, 24]);
    expect(autumn.inProgress).toBe(false);
  });

  test("compare with as many days before them", () => {
    const { previous } = range("2026-10-24", "2026-10-26", "Europe/Berlin");
    expect(new Date(previous.from).toISOString()).toBe("2026-10-20T22:00:00.000Z");
    expect(new Date(previous.to).toISOString()).toBe("2026-10-23T22:00:00.000Z");
    const today = range("2026-11-20", "2026-11-21");
    expect(today).toMatchObject({ inProgress: true, to: now });
    expect(new Date(today.previous.to).toISOString()).toBe("2026-11-19T06:15:00.000Z");
  });

  test("that are one day have its hours, of which there can be 23 or 25", () => {
    expect(range("2026-11-20", "2026-11-20").starts).toHaveLength(24);
    expect(range("2026-03-29", "2026-03-29", "Europe/Berlin").starts).toHaveLength(23);
    expect(range("2026-10-25", "2026-10-25", "Europe/Berlin").starts).toHaveLength(25);
    expect(range("2026-11-20", "2026-11-20", "Asia/Kathmandu").starts[0]).toBe(
      Date.parse("2026-11-19T18:15:00Z"),
    );
    expect(range("2026-11-21", "2026-11-21")).toMatchObject({ bucket: "hour", inProgress: true });
    expect(range("2026-11-21", "2026-11-21").starts).toHaveLength(7);
  });

  test("may be today where it is today already, and 92 at most", () => {
    const evening = Date.parse("2026-11-21T20:00:00Z");
    expect(range("2026-11-22", "2026-11-22", "Asia/Shanghai", evening).starts).toHaveLength(4);
    expect(() => range("2026-11-22", "2026-11-22", "UTC", evening)).toThrow("must not be in the future");
    expect(range("2026-08-22", "2026-11-21").starts).toHaveLength(92);
    expect(() => range("2026-08-21", "2026-11-21")).toThrow("92 days");
  });

  test.each(["0000-01-01", "0001-01-01", "1969-12-31"])("do not begin before 1970: %s", (day) => {
    expect(() => range(day, day)).toThrow("from 1970 on");
    expect(() => range(day, "1970-01-02")).toThrow("from 1970 on");
  });
});

test("a day's first moment belongs to that day, and the moment before it does not", () => {
  for (const zone of ["America/St_Johns", "Asia/Beirut", "Australia/Lord_Howe", "America/Santiago", "UTC"]) {
    const calendar = calendarOf(zone);
    let date = "2026-01-01";
    for (let day = 0; day < 365; day += 1, date = addDays(date, 1)) {
      const start = calendar.startOf(date);
      expect(calendar.dateOf(start)).toBe(date);
      expect(calendar.dateOf(start - 1)).toBe(addDays(date, -1));
    }
  }
});

test.each([
  ["UTC", true],
  ["Asia/Shanghai", true],
  ["Nowhere/City", false],
  ["+08:00", false],
  ["'; drop table users", false],
  ["", false],
])("%j is a time zone: %s", (name, expected) => expect(isTimeZone(name)).toBe(expected));
