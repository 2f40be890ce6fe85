import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { priceEntry } from "@/lib/config/price-entry";
import { pricedTools } from "@/lib/kernel/usage";
import type { DeclaredPrices } from "@/lib/shared/prices/declared-prices";
import { priceFieldsOf } from "@/lib/shared/prices/price-fields";
import { hasPrices, priceBody, priceDraftOf } from "@/lib/shared/prices/price-units";
import type { Prices } from "@/lib/shared/prices/price-version";
import { declaredPriceOf, pricesOfDeclared, storedPriceOf } from "@/lib/shared/prices/stored-price";
import { anyPrices } from "@/tests/support/any-prices";

const callPrice = fc.bigInt({ min: 0n, max: 1_000_000_000_000n });
const anyCalls = fc.dictionary(fc.constantFrom(...pricedTools), callPrice);
const anyPriced: fc.Arbitrary<Prices> = fc
  .record({ prices: anyPrices, perCall: anyCalls })
  .map(({ prices, perCall }) => ({ ...prices, perCall }));

/** What the API makes of prices that went through the form. Throws: when it refuses them. */
function throughForm(declared: DeclaredPrices) {
  const body: unknown = JSON.parse(JSON.stringify(priceBody(priceDraftOf(declared), "generation")));
  return priceFieldsOf(pricesOfDeclared(priceEntry.parse(body)));
}

const full: DeclaredPrices = {
  input: 300,
  output: 1500,
  cacheRead: 30,
  cacheWrite: 375,
  cacheWrite1h: 600,
  audioInput: 1000,
  reasoning: 2000.5,
  perCall: { webSearch: 1_000_000, fileSearch: null, codeInterpreter: null, imageGeneration: 0 },
  perRequest: 5_000_000,
  tiers: [{ above: 200_000, input: 600, output: 2250, cacheRead: 60 }],
  services: {
    batch: { factor: 0.5 },
    priority: { input: 600, output: 3000, tiers: [{ above: 200_000, input: 1200, output: 4500 }] },
  },
  windows: [
    { from: "16:30", to: "00:30", timeZone: "UTC", days: [1, 2, 3, 4, 5], factor: 0.5 },
    { from: "00:00", to: "24:00", timeZone: "Asia/Shanghai", days: [6, 7], input: 100, output: 400 },
  ],
};

describe("prices that go through the form", () => {
  test("stay the same, whatever the API shows", () => {
    fc.assert(
      fc.property(anyPriced, (prices) => {
        const shown = priceFieldsOf(prices);
        expect(throughForm(shown)).toEqual(shown);
      }),
    );
  });

  test("stay the same as costs, which are shown as they were declared", () => {
    fc.assert(
      fc.property(anyPriced, (prices) => {
        const cost = declaredPriceOf(storedPriceOf(priceFieldsOf(prices)));
        expect(throughForm(cost)).toEqual(priceFieldsOf(prices));
      }),
    );
  });

  test("are typed in yuan, decimals and times", () => {
    const draft = priceDraftOf(full);
    expect(draft).toMatchObject({
      cacheWrite1h: "6",
      reasoning: "20.005",
      imageInput: "",
      perRequest: "0.05",
    });
    expect(draft.tiers).toMatchObject([{ above: "200000", input: "6", cacheRead: "0.6", cacheWrite: "" }]);
    expect(draft.services).toMatchObject({
      batch: { by: "factor", factor: "0.5", input: "" },
      flex: { by: "none", tiers: [] },
      priority: { by: "prices", factor: "", input: "6", tiers: [{ above: "200000" }] },
    });
    expect(draft.windows).toMatchObject([
      { from: "16:30", to: "00:30", timeZone: "UTC", days: [1, 2, 3, 4, 5], by: "factor" },
      { to: "24:00", days: [6, 7], by: "prices", output: "4" },
    ]);
  });

  test("of embeddings keep what depends on the request, with their input only", () => {
    const { tiers, services, windows, perRequest } = priceBody(priceDraftOf(full), "embedding");
    expect({ tiers, services, windows, perRequest }).toEqual({
      perRequest: 5_000_000,
      tiers: [{ above: 200_000, input: 600, output: 0 }],
      services: {
        batch: { factor: 0.5 },
        priority: { input: 600, output: 0, tiers: [{ above: 200_000, input: 1200, output: 0 }] },
      },
      windows: [
        full.windows?.[0],
        { from: "00:00", to: "24:00", timeZone: "Asia/Shanghai", days: [6, 7], input: 100, output: 0 },
      ],
    });
  });
});

describe("a draft", () => {
  const empty = priceDraftOf(null);

  test("is empty until something is typed or chosen", () => {
    expect(hasPrices(empty)).toBe(false);
    for (const member of ["audioInput", "perRequest"])
      expect(hasPrices({ ...empty, [member]: "1" })).toBe(true);
    const { tiers, windows, services } = priceDraftOf(full);
    for (const some of [{ tiers }, { windows }, { services }])
      expect(hasPrices({ ...empty, ...some })).toBe(true);
  });

  test("sends what was typed before another choice of a service tier no more", () => {
    const { services } = priceDraftOf(full);
    const flex = { ...services.priority, by: "factor" as const, factor: " 0.25 " };
    const batch = { ...services.batch, by: "none" as const };
    const body = priceBody({ ...empty, services: { ...services, flex, batch } }, "generation");
    expect(body.services).toMatchObject({ flex: { factor: 0.25 } });
    expect(Object.keys(body.services ?? {})).toEqual(["priority", "flex"]);
    expect(Object.keys(body.services?.flex ?? {})).toEqual(["factor"]);
  });
});

describe("what the API refuses of a draft", () => {
  function refusedOf(draft: Partial<ReturnType<typeof priceDraftOf>>): string[] {
    const body = priceBody({ ...priceDraftOf(full), ...draft }, "generation");
    return (priceEntry.safeParse(body).error?.issues ?? []).map(({ path }) => path.join("."));
  }
  const draft = priceDraftOf(full);
  const [tier, window] = [draft.tiers[0], draft.windows[0]];
  const { flex } = draft.services;
  const withFlex = (change: Partial<typeof flex>) => ({
    services: { ...draft.services, flex: { ...flex, ...change } },
  });

  test("is named by the field in which it was typed", () => {
    if (tier === undefined || window === undefined) throw new Error("the draft has a tier and a window");
    expect(refusedOf({})).toEqual([]);
    expect(refusedOf({ tiers: [{ ...tier, above: "many", input: "" }] })).toEqual([
      "tiers.0.above",
      "tiers.0.input",
    ]);
    expect(refusedOf({ tiers: [tier, tier] })).toEqual(["tiers"]);
    expect(refusedOf({ windows: [{ ...window, from: "25:00", days: [] }] })).toEqual([
      "windows.0.from",
      "windows.0.days",
    ]);
    expect(refusedOf(withFlex({ by: "factor" }))).toEqual(["services.flex.factor"]);
    expect(refusedOf(withFlex({ by: "factor", factor: "0.00001" }))).toEqual(["services.flex.factor"]);
    expect(refusedOf(withFlex({ by: "prices" }))).toEqual(["services.flex.input", "services.flex.output"]);
  });
});
