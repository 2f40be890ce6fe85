import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, makeFormat } from "@/components/i18n/format";
import { exactColumn, formatCny, formatCnyExact, formatLeft, moneyColumn } from "@/components/i18n/money";
import { fromScaled, toScaled } from "@/lib/shared/decimal";
import { dateToZoned, dayInZone, momentsOfDays, zonedToDate } from "@/lib/shared/zoned-time";

function money(values: string[]): string[] {
  return values.map((cents) => formatCny(cents, "en"));
}

describe("money", () => {
  test("an amount has three significant digits, two decimals at least, and never more than it has", () => {
    expect(money(["12345.67", "19402.394049", "50", "0"])).toEqual(["¥123.46", "¥194.02", "¥0.50", "¥0.00"]);
    expect(money(["0.253", "0.5256", "0.0321"])).toEqual(["¥0.00253", "¥0.00526", "¥0.000321"]);
    expect(money(["9.996", "99.96", "-0.0001"])).toEqual(["¥0.100", "¥1.00", "−¥0.000001"]);
    expect(makeFormat("zh-CN", "UTC", "full").money("-250")).toBe("−¥2.50");
  });

  test("what is shown differs from the exact amount by half a hundredth of it at most", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), (microCents) => {
        const yuan = Number(microCents) / 1e8;
        const [text = ""] = money([fromScaled(microCents * 1_000_000n)]);
        expect(Math.abs(Number(text.replace(/[¥,]/g, "")) - yuan)).toBeLessThanOrEqual(0.005001 * yuan);
      }),
    );
  });

  test("an exact column shows every digit of prices and receipts", () => {
    const shown = (values: string[]) => values.map(exactColumn(values, "en"));
    expect(shown(["100", "0.875", "1500"])).toEqual(["¥1.00000", "¥0.00875", "¥15.00000"]);
    expect(shown(["100", "400"])).toEqual(["¥1.00", "¥4.00"]);
    expect(shown(["0.0286", "0"]), "nothing reads the same beside every amount").toEqual([
      "¥0.000286",
      "¥0.00",
    ]);
    expect(shown(["4840.4451", "-1.9553", "4838.4898"])).toEqual(["¥48.404451", "−¥0.019553", "¥48.384898"]);
  });

  test("a column has the decimals that three significant digits of its largest amount need, and nothing has them too", () => {
    const shown = (...values: string[]) => values.map(moneyColumn(values, "en"));
    expect(shown("5000", "-2.394049", "0.0001", "0")).toEqual(["¥50.00", "−¥0.02", "<¥0.01", "¥0.00"]);
    expect(shown("2.394049", "0.5", "0")).toEqual(["¥0.0239", "¥0.0050", "¥0.0000"]);
    expect(shown("-0.0001", "100"), "a negative one that would read as zero").toEqual(["−<¥0.01", "¥1.00"]);
    expect(shown("0.5038", "5000"), "half of the last digit is not all of it").toEqual(["<¥0.01", "¥50.00"]);
    expect(shown("0"), "nothing alone").toEqual(["¥0.00"]);
    const amounts = fc.array(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), { minLength: 1 });
    fc.assert(
      fc.property(amounts, (values) => {
        const texts = shown(...values.map((value) => fromScaled(value * 1_000_000n)));
        expect(new Set(texts.map((text) => text.split(".")[1]?.length)).size).toBe(1);
      }),
    );
  });

  test("a column of a list has the decimals of its kind, whatever its rows are", () => {
    const { listColumn } = makeFormat("en", "UTC", "full");
    const amounts = ["0.0105", "0", "999.9895", "1234500", "-3"];
    expect(["0.5038", "-0.5038", "1"].map(listColumn("sum"))).toEqual(["<¥0.01", "−<¥0.01", "¥0.01"]);
    expect(amounts.map(listColumn("sum"))).toEqual(["<¥0.01", "¥0.00", "¥10.00", "¥12,345.00", "−¥0.03"]);
    expect(amounts.map(listColumn("balance")), "never more than there is").toEqual([
      "<¥0.01",
      "¥0.00",
      "¥9.99",
      "¥12,345.00",
      "−¥0.03",
    ]);
    expect(["0.0105", "0", "12.34567", "0.00001"].map(listColumn("request"))).toEqual([
      "¥0.000105",
      "¥0.000000",
      "¥0.123457",
      "<¥0.000001",
    ]);
    expect(["999.98912", "-0.00001"].map(listColumn("running"))).toEqual(["¥9.999891", "−<¥0.000001"]);
    const decimals = { sum: 2, balance: 2, request: 6, running: 6 } as const;
    for (const kind of ["sum", "balance", "request", "running"] as const)
      fc.assert(
        fc.property(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), (value) => {
          const text = listColumn(kind)(fromScaled(value * 1_000_000n));
          expect(text.split(".")[1]).toHaveLength(decimals[kind]);
        }),
      );
  });

  test("what is left never reads as more than there is", () => {
    const left = (cents: string) => formatLeft(cents, "en");
    expect(["40999.501", "4099.501", "997.8487", "-1234.001", "0.999", "1000", "0"].map(left)).toEqual([
      "¥409.99",
      "¥40.9950",
      "¥9.9784",
      "−¥12.3401",
      "¥0.00999",
      "¥10.00",
      "¥0.00",
    ]);
    expect(makeFormat("en", "UTC", "full").spent("0.6814", 1000)).toEqual({
      used: "¥0.00681",
      quota: "¥10.00",
    });
    const units = (text: string) => BigInt(text.replace(/[^0-9−]/g, "").replace("−", "-"));
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 14n), (microCents) => {
        const exact = fromScaled(microCents * 1_000_000n);
        const shown = left(exact);
        const decimals = shown.split(".")[1]?.length ?? 0;
        expect(units(shown) * 10n ** BigInt(14 - decimals)).toBeLessThanOrEqual(toScaled(exact));
      }),
    );
  });

  test("eighteen digits stay eighteen digits", () => {
    expect(formatCnyExact("123456789012345678.123456", "en")).toBe("¥1,234,567,890,123,456.78123456");
  });
});

describe("shares", () => {
  test("have one decimal, and what is not nothing does not read as nothing", () => {
    const shown = (share: number) => makeFormat("en", "UTC", "full").percent(share);
    expect([0.02, 0.442, 0, 1, 0.0001, 0.99999].map(shown)).toEqual([
      "2.0%",
      "44.2%",
      "0.0%",
      "100.0%",
      "<0.1%",
      ">99.9%",
    ]);
  });

  test("change by percentage points", () => {
    const { points } = makeFormat("en", "UTC", "full");
    expect([points(0.054), points(-0.01)]).toEqual(["+5.4", "−1.0"]);
  });
});

test("days from one to another are told once where they share month and year", () => {
  const days = ["2026-11-12T08:00:00Z", "2026-11-14T08:00:00Z"] as const;
  expect(makeFormat("en", "UTC", "full").dates(...days)).toBe("Nov 12 – 14, 2026");
  expect(makeFormat("zh-CN", "UTC", "full").dates(...days)).toMatch(/^2026.11.12.*14/);
});

describe("lists of names", () => {
  test("have a space between Chinese and Latin letters", () => {
    const names = ["chat", "messages"];
    expect(makeFormat("zh-CN", "UTC", "full").list(names)).toBe("chat 和 messages");
    expect(makeFormat("zh-CN", "UTC", "full").list(["密钥", "模型"])).toBe("密钥和模型");
    expect(makeFormat("en", "UTC", "full").list(names)).toBe("chat and messages");
    expect(makeFormat("zh-CN", "UTC", "full").either(names)).toBe("chat 或 messages");
    expect(makeFormat("en", "UTC", "full").either(names)).toBe("chat or messages");
  });
});

describe("durations", () => {
  test("milliseconds, seconds, minutes, and a dash for unknown", () => {
    expect(formatDuration(820, "en")).toBe("820 ms");
    expect(formatDuration(3400, "en")).toBe("3.4 s");
    expect(formatDuration(125_000, "en")).toBe("2 min 5 s");
    expect(formatDuration(999.7, "en")).toBe("1.0 s");
    expect(formatDuration(4_000, "en")).toBe("4.0 s");
    expect(formatDuration(59_960, "en")).toBe("1 min 0 s");
    expect(formatDuration(10_000, "en", 0)).toBe("10 s");
    expect(formatDuration(2_500, "zh-CN", 0)).toBe("2.5 秒");
    expect(formatDuration(null, "en")).toBe("–");
    expect(formatDuration(820, "zh-CN")).toBe("820 毫秒");
  });
});

describe("large counts", () => {
  test("are short in each language's own units, or in full by choice", () => {
    expect(makeFormat("en", "UTC", "compact").count(123_456)).toBe("123.5K");
    expect(makeFormat("en", "UTC", "compact").count(4_000_000)).toBe("4.0M");
    expect(makeFormat("en", "UTC", "compact").roundCount(4_000_000)).toBe("4M");
    const ticks = (counts: number[]) => counts.map(makeFormat("en", "UTC", "compact").countTicks(counts));
    expect(ticks([0, 2_500_000, 5_000_000])).toEqual(["0", "2.5M", "5.0M"]);
    expect(ticks([0, 5_000_000, 10_000_000])).toEqual(["0", "5M", "10M"]);
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

  test("days lie between their own start and that of the day after the last, also where a day has 25 hours", () => {
    expect(momentsOfDays({ from: "2026-11-21", to: "2026-11-21" }, "Asia/Shanghai")).toEqual({
      from: "2026-11-20T16:00:00.000Z",
      to: "2026-11-21T16:00:00.000Z",
    });
    expect(momentsOfDays({ from: "2026-10-25", to: "2026-10-25" }, "Europe/Berlin")).toEqual({
      from: "2026-10-24T22:00:00.000Z",
      to: "2026-10-25T23:00:00.000Z",
    });
    expect(momentsOfDays({ from: null, to: "2026-12-31" }, "UTC").to).toBe("2027-01-01T00:00:00.000Z");
    expect(momentsOfDays({ from: "nonsense", to: "+275760-09-13" }, "UTC")).toEqual({ from: null, to: null });
  });
});
