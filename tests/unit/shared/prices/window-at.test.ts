import { describe, expect, test } from "vitest";
import { windowAt } from "@/lib/shared/prices/window-at";
import { priceOf } from "@/tests/support/prices";

const at = (
  windows: readonly { from: string; to: string; timeZone: string; days?: number[] | undefined }[],
) => {
  const { windows: read } = priceOf({
    input: 1,
    output: 1,
    windows: windows.map((one) => ({ ...one, factor: 0.5 })),
  });
  return (moment: string) => windowAt(read, new Date(moment));
};

/** Source: docs/prices.md#windows. */
describe("the window of a moment", () => {
  test("begins with its first minute and ends before its last", () => {
    const find = at([{ from: "16:30", to: "18:00", timeZone: "UTC" }]);
    const times = ["16:29:59.999", "16:30:00", "17:59:59.999", "18:00:00"];
    expect(times.map((time) => find(`2026-11-30T${time}Z`))).toEqual([null, 0, 0, null]);
  });

  test("goes over midnight, and belongs to the day on which it begins", () => {
    const find = at([{ from: "16:30", to: "00:30", timeZone: "UTC", days: [5] }]);
    // 2026-12-04 is a Friday.
    expect(find("2026-12-04T16:30:00Z")).toBe(0);
    expect(find("2026-12-05T00:29:00Z")).toBe(0);
    expect(find("2026-12-05T00:30:00Z")).toBeNull();
    expect(find("2026-12-05T16:30:00Z")).toBeNull();
    expect(find("2026-12-04T00:10:00Z")).toBeNull();
  });

  test("is whole days from 00:00 to 24:00, and 24 hours where both ends are the same", () => {
    const weekend = at([{ from: "00:00", to: "24:00", timeZone: "Asia/Shanghai", days: [6, 7] }]);
    expect(weekend("2026-12-04T15:59:00Z")).toBeNull();
    expect(weekend("2026-12-04T16:00:00Z")).toBe(0);
    expect(weekend("2026-12-06T15:59:00Z")).toBe(0);
    expect(weekend("2026-12-06T16:00:00Z")).toBeNull();
    const round = at([{ from: "12:00", to: "12:00", timeZone: "UTC" }]);
    expect(round("2026-12-06T11:00:00Z")).toBe(0);
  });

  test("is the first of several", () => {
    const find = at([
      { from: "10:00", to: "12:00", timeZone: "UTC" },
      { from: "08:00", to: "20:00", timeZone: "UTC" },
    ]);
    expect(["09:00", "11:00", "13:00", "21:00"].map((time) => find(`2026-12-01T${time}:00Z`))).toEqual([
      1,
      0,
      1,
      null,
    ]);
  });

  test("keeps to the clock of its zone when that is changed", () => {
    const berlin = at([{ from: "01:30", to: "03:30", timeZone: "Europe/Berlin" }]);
    // 2026-03-29 02:00 becomes 03:00: the window has one hour.
    expect(
      ["00:29", "00:30", "00:59", "01:00", "01:29", "01:30"].map((time) => berlin(`2026-03-29T${time}:00Z`)),
    ).toEqual([null, 0, 0, 0, 0, null]);
    // 2026-10-25 03:00 becomes 02:00: it has three.
    expect(["23:29", "23:30"].map((time) => berlin(`2026-10-24T${time}:00Z`))).toEqual([null, 0]);
    expect(["00:30", "01:30", "02:29", "02:30"].map((time) => berlin(`2026-10-25T${time}:00Z`))).toEqual([
      0,
      0,
      0,
      null,
    ]);
  });
});
