import { describe, expect, test } from "vitest";
import { formatDuration, makeFormat } from "@/components/i18n/format";
import { formatCny, formatCnyExact } from "@/components/i18n/money";
import { dateToZoned, dayInZone, zonedToDate } from "@/components/i18n/zoned";

describe("money", () => {
  test("from one yuan on two digits, below up to six, and never a wrong zero", () => {
    expect(formatCny("1234567", "en")).toBe("¥12,345.67");
    expect(formatCny("100", "en")).toBe("¥1.00");
    expect(formatCny("0", "en")).toBe("¥0.00");
    expect(formatCny("50", "en")).toBe("¥0.50");
    expect(formatCny("0.5256", "en")).toBe("¥0.005256");
    expect(formatCny("0.00001", "en")).toBe("<¥0.000001");
    expect(formatCny("-250", "zh-CN")).toBe("-¥2.50");
  });

  test("eighteen digits stay eighteen digits", () => {
    expect(formatCnyExact("123456789012345678.123456", "en")).toBe("¥1,234,567,890,123,456.78123456");
  });
});

describe("durations", () => {
  test("milliseconds, seconds, minutes, and a dash for unknown", () => {
    expect(formatDuration(820, "en")).toBe("820 ms");
    expect(formatDuration(3400, "en")).toBe("3.4 s");
    expect(formatDuration(125_000, "en")).toBe("2 min 5 s");
    expect(formatDuration(999.7, "en")).toBe("1 s");
    expect(formatDuration(null, "en")).toBe("–");
    expect(formatDuration(820, "zh-CN")).toBe("820 毫秒");
  });
});

describe("large counts", () => {
  test("are short in each language's own units, or in full by choice", () => {
    expect(makeFormat("en", "UTC", "compact").count(123_456)).toBe("123.5K");
    expect(makeFormat("zh-CN", "UTC", "compact").count(123_456)).toBe("12.3万");
    expect(makeFormat("en", "UTC", "full").count(123_456)).toBe("123,456");
    expect(makeFormat("en", "UTC", "compact").count(9_999)).toBe("9,999");
  });
});

describe("wall-clock times", () => {
  test("are read in the chosen zone, daylight saving included", () => {
    expect(zonedToDate("2026-07-01T12:00", "Europe/Berlin")?.toISOString()).toBe("2026-07-01T10:00:00.000Z");
    expect(zonedToDate("2026-12-01T12:00", "Europe/Berlin")?.toISOString()).toBe("2026-12-01T11:00:00.000Z");
    expect(zonedToDate("2026-11-21T00:00", "Asia/Shanghai")?.toISOString()).toBe("2026-11-20T16:00:00.000Z");
    expect(zonedToDate("nonsense", "UTC")).toBeNull();
    expect(zonedToDate("2026-13-01T00:00", "UTC")).toBeNull();
  });

  test("there and back is the same minute in every zone", () => {
    for (const zone of ["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Chatham"]) {
      for (const iso of ["2026-01-15T10:30:00.000Z", "2026-07-15T23:59:00.000Z"]) {
        expect(zonedToDate(dateToZoned(new Date(iso), zone), zone)?.toISOString(), zone).toBe(iso);
      }
    }
    expect(dayInZone(new Date("2026-11-20T17:00:00Z"), "Asia/Shanghai")).toBe("2026-11-21");
  });
});
