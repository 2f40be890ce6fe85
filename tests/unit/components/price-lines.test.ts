import { describe, expect, test } from "vitest";
import { dictionaries } from "@/components/i18n/dictionaries";
import { makeFormat } from "@/components/i18n/format";
import type { Locale } from "@/components/i18n/locale";
import { priceLines } from "@/components/models/price-lines";
import type { ModelKind } from "@/lib/protocols/protocol";
import type { DeclaredPrices } from "@/lib/shared/prices/declared-prices";
import { priceFieldsOf } from "@/lib/shared/prices/price-fields";
import { pricesOfDeclared } from "@/lib/shared/prices/stored-price";

const simple = { input: 300, output: 1500, cacheRead: 30, cacheWrite: 375 };

function linesOf(declared: DeclaredPrices, locale: Locale = "en", kind: ModelKind = "generation"): string[] {
  const prices = priceFieldsOf(pricesOfDeclared(declared));
  return priceLines(prices, kind, dictionaries[locale].prices, makeFormat(locale, "UTC", "full"));
}

function daysOf(days: number[]): string | undefined {
  const window = { from: "16:30", to: "00:30", timeZone: "UTC", factor: 0.5 };
  return linesOf({ ...simple, windows: [{ ...window, days }] })[0]?.replace(/ 16:30.*/, "");
}

describe("what prices have beside the usual ones", () => {
  test("is nothing where there is no more", () => {
    expect(linesOf(simple)).toEqual([]);
    expect(linesOf({ input: 300, output: 0 }, "en", "embedding")).toEqual([]);
  });

  test("is told in a line each", () => {
    expect(
      linesOf({
        ...simple,
        cacheWrite1h: 600,
        reasoning: 2000,
        perRequest: 5_000_000,
        tiers: [{ above: 200_000, input: 600, output: 2250, cacheRead: 60 }],
        services: {
          flex: { factor: 0.5 },
          priority: { input: 600, output: 3000, tiers: [{ above: 200_000, input: 1200, output: 4500 }] },
        },
        windows: [{ from: "16:30", to: "00:30", timeZone: "UTC", days: [1, 2, 3, 4, 5], factor: 0.5 }],
      }),
    ).toEqual([
      "Cache write, 1 hour ¥6.00 · Reasoning ¥20.00 · Per request ¥0.05",
      "Over 200,000 tokens: Input ¥6.00 · Output ¥22.50 · Cache read ¥0.60",
      "priority: Input ¥6.00 · Output ¥30.00",
      "priority, over 200,000 tokens: Input ¥12.00 · Output ¥45.00",
      "flex × 0.5",
      "Mon–Fri 16:30–00:30 UTC × 0.5",
    ]);
  });

  test("is told in Chinese too", () => {
    const windows = [{ from: "00:00", to: "24:00", timeZone: "Asia/Shanghai", days: [6, 7], factor: 0.25 }];
    const tiers = [{ above: 32_000, input: 600, output: 2250 }];
    expect(linesOf({ ...simple, tiers, windows }, "zh-CN")).toEqual([
      "超过 32,000 个 Token：输入 ¥6.00 · 输出 ¥22.50",
      "周六、周日 00:00–24:00（Asia/Shanghai） × 0.25",
    ]);
  });

  test("of embeddings has no output", () => {
    const tiers = [{ above: 1_000, input: 600, output: 0 }];
    expect(linesOf({ input: 300, output: 0, tiers }, "en", "embedding")).toEqual([
      "Over 1,000 tokens: Input ¥6.00",
    ]);
  });
});

test("days in a row are told as the first and the last one", () => {
  expect(daysOf([7, 6, 5, 4, 3, 2, 1])).toBe("Every day");
  expect(daysOf([3, 1, 2])).toBe("Mon–Wed");
  expect(daysOf([1, 2, 4])).toBe("Mon, Tue, Thu");
  expect(daysOf([1, 3, 5, 6, 7])).toBe("Mon, Wed, Fri–Sun");
});
