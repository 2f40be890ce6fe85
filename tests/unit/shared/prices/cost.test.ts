import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { receiptOf } from "@/lib/billing/receipt";
import { NO_USAGE, promptTokens, type Usage } from "@/lib/kernel/usage";
import { costMicroCents, MAX_TOKENS, requestMicroCents } from "@/lib/shared/prices/cost";
import { effectivePrice, FACTOR_SCALE } from "@/lib/shared/prices/effective-price";
import { holdMicroCents } from "@/lib/shared/prices/hold";
import { MAX_NANO_CENTS, type Rates, rateOf, STANDARD_TERMS } from "@/lib/shared/prices/price-version";
import { pricedAs } from "@/lib/shared/prices/priced-as";
import { savingMicroCents } from "@/lib/shared/prices/saving";
import { countsOf, inputKinds, outputKinds, tokenKinds } from "@/lib/shared/prices/token-kinds";
import { anyPrices, anyTerms, anyUsage } from "@/tests/support/any-prices";
import { priceOf } from "@/tests/support/prices";

const plain = priceOf({ input: 100, output: 300 });
const cost = (usage: Usage, price = plain) => costMicroCents(usage, price, STANDARD_TERMS);

/** Source: docs/reliability.md#r-16, #r-17, #r-18, #r-158. */
describe("costMicroCents", () => {
  test("is never negative and always fits a database integer", () => {
    fc.assert(
      fc.property(anyUsage, anyPrices, anyTerms, (usage, prices, terms) => {
        const micro = costMicroCents(usage, prices, terms);
        expect(micro >= 0n && micro < 2n ** 63n).toBe(true);
      }),
    );
  });

  test("is the exact rational cost of disjoint kinds, rounded up by less than one micro-cent", () => {
    fc.assert(
      fc.property(anyUsage, anyPrices, anyTerms, (usage, prices, terms) => {
        const { rates, factor } = effectivePrice(prices, terms, promptTokens(usage));
        const counts = countsOf(usage);
        expect(tokenKinds.reduce((sum, kind) => sum + counts[kind], 0)).toBe(
          promptTokens(usage) + usage.output,
        );
        let exact = 0n;
        for (const kind of tokenKinds) exact += BigInt(counts[kind]) * rateOf(rates, kind) * factor;
        const rounded =
          (costMicroCents(usage, prices, terms) - requestMicroCents(usage, prices)) * 1_000n * FACTOR_SCALE;
        expect(rounded >= exact && rounded - exact < 1_000n * FACTOR_SCALE).toBe(true);
      }),
    );
  });

  test("with tokens apart is that of all tokens together where no kind has a price of its own", () => {
    fc.assert(
      fc.property(anyUsage, (usage) => {
        const { parts: _, ...whole } = usage;
        expect(cost(usage)).toBe(cost({ ...whole, reasoning: 0 }));
      }),
    );
  });

  test("of any use at any price is not free", () => {
    expect(cost({ ...NO_USAGE, inputUncached: 1 }, priceOf({ input: 0.001, output: 0 }))).toBe(1n);
  });

  test("of 200,000 and 100,000 tokens at 100 and 300 cents per million is 50 cents", () => {
    expect(cost({ ...NO_USAGE, inputUncached: 200_000, output: 100_000 })).toBe(50_000_000n);
  });

  test("bills each kind of prompt token once, at its own price or else at the one of its parent", () => {
    const used = { ...NO_USAGE, inputUncached: 100, cacheRead: 900, cacheWrite: 50 };
    const cached = priceOf({ input: 100, output: 300, cacheRead: 10, cacheWrite: 125 });
    expect(cost(used, cached)).toBe(100n * 100n + 900n * 10n + 50n * 125n);
    expect(cost(used)).toBe(1_050n * 100n);
    const parts = { cacheWrite1h: 20, audioInput: 30 };
    const special = priceOf({
      input: 100,
      output: 300,
      cacheWrite: 125,
      cacheWrite1h: 200,
      audioInput: 1_000,
    });
    expect(cost({ ...used, parts }, special)).toBe(
      70n * 100n + 30n * 1_000n + 900n * 100n + 30n * 125n + 20n * 200n,
    );
    expect(cost({ ...used, parts }, cached)).toBe(cost(used, cached));
  });

  test("of a request is that of one that was answered with anything", () => {
    const price = priceOf({ input: 100, output: 300, perRequest: 7 });
    expect(cost(NO_USAGE, price)).toBe(0n);
    expect(cost({ ...NO_USAGE, output: 1 }, price)).toBe(307n);
    expect(cost({ ...NO_USAGE, calls: { webSearch: 1 } }, price)).toBe(7n);
  });

  test.each([-1, 0.5, Number.NaN, MAX_TOKENS + 1, Number.POSITIVE_INFINITY])(
    "refuses %s tokens: no count may become a credit",
    (count) => {
      expect(() => cost({ ...NO_USAGE, output: count })).toThrow(RangeError);
    },
  );

  test("refuses a price out of bounds", () => {
    const used = { ...NO_USAGE, inputUncached: 1, output: 1 };
    const wrong = (rates: Partial<Rates>) => ({ ...plain, rates: { ...plain.rates, ...rates } });
    expect(() => cost(used, wrong({ input: -1n }))).toThrow(RangeError);
    expect(() => cost(used, wrong({ output: MAX_NANO_CENTS + 1n }))).toThrow(RangeError);
  });
});

/** Source: docs/prices.md#fields. */
describe("the rates of a request", () => {
  const card = { input: 100, output: 1_000, cacheRead: 10 };
  const long = { above: 200_000, input: 200, output: 1_500 };
  const price = priceOf({
    ...card,
    tiers: [long, { above: 500_000, input: 400, output: 2_000 }],
    services: {
      flex: { factor: 0.5 },
      priority: { input: 175, output: 1_400, tiers: [{ ...long, input: 350 }] },
    },
    windows: [
      { from: "16:30", to: "00:30", timeZone: "UTC", factor: 0.25 },
      { from: "00:30", to: "08:00", timeZone: "UTC", input: 50, output: 500 },
    ],
  });
  const used = (input: number) => ({ ...NO_USAGE, inputUncached: input - 10, cacheRead: 10 });
  const rate = (input: number, terms = STANDARD_TERMS) => {
    const { rates, factor, above } = effectivePrice(price, terms, input);
    return [(rates.input * factor) / FACTOR_SCALE / 1_000n, above] as const;
  };

  test("are those of the highest tier that the whole prompt passes, for all of it", () => {
    expect([200_000, 200_001, 500_000, 500_001].map((input) => rate(input))).toEqual([
      [100n, null],
      [200n, 200_000],
      [200n, 200_000],
      [400n, 500_000],
    ]);
    // The cache has no rate in the tier, so it has that of the tier's input.
    expect(cost(used(200_001), price)).toBe(200_001n * 200n);
    expect(cost(used(200_000), price)).toBe(199_990n * 100n + 10n * 10n);
  });

  test("are multiplied by the factors of window and service tier, and replaced by prices of their own", () => {
    const input = 300_000;
    expect(rate(input, { service: "flex", window: null })).toEqual([100n, 200_000]);
    expect(rate(input, { service: "flex", window: 0 })).toEqual([25n, 200_000]);
    expect(rate(input, { service: null, window: 1 })).toEqual([50n, null]);
    expect(rate(input, { service: "flex", window: 1 })).toEqual([25n, null]);
    expect(rate(input, { service: "priority", window: 0 })).toEqual([350n, 200_000]);
  });

  test("are the standard ones for a tier or window that the version does not have", () => {
    expect(rate(1, { service: "batch", window: 7 })).toEqual([100n, null]);
  });
});

/** Source: docs/reliability.md#s2-4. */
describe("holdMicroCents", () => {
  test("covers whatever a request of at most these tokens costs, at any price", () => {
    fc.assert(
      fc.property(anyUsage, anyPrices, anyTerms, fc.nat(100_000), (usage, prices, terms, spare) => {
        const kinds = new Set([...inputKinds, ...outputKinds]);
        const [input, output] = [promptTokens(usage) + spare, usage.output + spare];
        const billed = costMicroCents(usage, prices, terms);
        for (const service of [terms.service, "any"] as const) {
          expect(
            holdMicroCents(input, output, prices, { service, window: terms.window, kinds }) >= billed,
          ).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("counts a kind of tokens only where the request can have it", () => {
    const price = priceOf({ input: 100, output: 300, audioInput: 4_000, cacheWrite1h: 200 });
    const held = (...kinds: ("audioInput" | "cacheWrite1h")[]) =>
      holdMicroCents(1_000, 0, price, { ...STANDARD_TERMS, kinds: new Set(kinds) });
    expect([held(), held("cacheWrite1h"), held("audioInput")]).toEqual([100_000n, 200_000n, 4_000_000n]);
  });

  test("counts a tier of size only where the estimate passes it, and the dearest below it too", () => {
    const falling = priceOf({ input: 100, output: 300, tiers: [{ above: 1_000, input: 50, output: 600 }] });
    const held = (input: number) =>
      holdMicroCents(input, 10, falling, { ...STANDARD_TERMS, kinds: new Set() });
    expect(held(1_000)).toBe(1_000n * 100n + 10n * 300n);
    expect(held(1_001)).toBe(1_001n * 100n + 10n * 600n);
  });
});

/** Source: docs/contract.md#s5. */
describe("a receipt", () => {
  const receiptFor = (usage: Usage, prices = plain, terms = STANDARD_TERMS) =>
    receiptOf({
      promptTokens: promptTokens(usage),
      completionTokens: usage.output,
      cacheReadTokens: usage.cacheRead,
      cacheWriteTokens: usage.cacheWrite,
      reasoningTokens: Math.min(usage.reasoning, usage.output),
      hostedCalls: null,
      pricedAs: pricedAs(usage, terms),
      costMicroCents: costMicroCents(usage, prices, terms),
      wouldHaveCostMicroCents: null,
      heldMicroCents: 0n,
      billingSource: "upstream",
      priceVersion: 1,
      price: prices,
    });

  test("adds up to what was billed, with whole tokens in its lines, for any usage at any price", () => {
    fc.assert(
      fc.property(anyUsage, anyPrices, anyTerms, (usage, prices, terms) => {
        const receipt = receiptFor(usage, { ...prices, version: 1 }, terms);
        const tokens = receipt.lines.reduce((sum, line) => sum + ("tokens" in line ? line.tokens : 0), 0);
        expect(tokens).toBe(promptTokens(usage) + usage.output);
        const digits = (amount: string) => {
          const [whole = "0", fraction = ""] = amount.split(".");
          return BigInt(whole + fraction.padEnd(17, "0"));
        };
        const sum = receipt.lines.reduce((total, { amount }) => total + digits(amount), 0n);
        expect(digits(receipt.sum)).toBe(sum);
        const over = digits(receipt.total) - sum;
        expect(over >= 0n && over < 10n ** 11n).toBe(true);
      }),
    );
  });

  test("has a line for each kind with a price of its own, and names what chose the prices", () => {
    const price = priceOf({
      input: 100,
      output: 300,
      cacheWrite1h: 200,
      tiers: [{ above: 1_000, input: 200, output: 450, cacheWrite: 250, cacheWrite1h: 400, reasoning: 500 }],
      services: { flex: { factor: 0.5 } },
      perRequest: 7,
    });
    const usage = {
      inputUncached: 1_000,
      cacheRead: 5,
      cacheWrite: 30,
      output: 9,
      reasoning: 4,
      parts: { cacheWrite1h: 10, audioInput: 3 },
    };
    const receipt = receiptFor(usage, price, { service: "flex", window: null });
    expect(receipt.tier).toEqual({ service: "flex", window: null, above: 1_000, factor: "0.5" });
    expect(receipt.lines).toEqual([
      { kind: "input", tokens: 1_000, centsPerMillion: 100, amount: "0.1" },
      { kind: "cacheRead", tokens: 5, centsPerMillion: 100, amount: "0.0005" },
      { kind: "cacheWrite", tokens: 20, centsPerMillion: 125, amount: "0.0025" },
      { kind: "cacheWrite1h", tokens: 10, centsPerMillion: 200, amount: "0.002" },
      { kind: "output", tokens: 5, centsPerMillion: 225, amount: "0.001125" },
      { kind: "reasoning", tokens: 4, centsPerMillion: 250, amount: "0.001" },
      { kind: "request", calls: 1, centsPerCall: "0.000007", amount: "0.000007" },
    ]);
    expect(receipt.total).toBe("0.107132");
  });

  test("of a request from before these prices is as it was", () => {
    const receipt = receiptFor({ ...NO_USAGE, inputUncached: 10, output: 5, reasoning: 3 });
    expect(receipt.tier).toBeNull();
    expect(receipt.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ["input", "0.001"],
      ["output", "0.0015"],
    ]);
  });

  test("tells what the cache saved; null when nothing was billed or the price is gone", () => {
    const cached = priceOf({ input: 100, output: 300, cacheRead: 10, cacheWrite: 125 });
    const used = { ...NO_USAGE, inputUncached: 1_000 };
    expect(receiptFor({ ...used, cacheRead: 1_000 }, cached).cacheSaving).toBe("0.09");
    expect(receiptFor({ ...used, cacheWrite: 1_000 }, cached).cacheSaving).toBe("-0.025");
  });
});

/** Source: docs/contract.md#cache-saving. */
describe("savingMicroCents", () => {
  test("is to the micro-cent what would have been billed without a cache, less what is billed", () => {
    fc.assert(
      fc.property(anyUsage, anyPrices, anyTerms, (usage, prices, terms) => {
        const { parts: _, ...counts } = usage;
        const { inputUncached, cacheRead, cacheWrite } = usage;
        const plainly = {
          ...counts,
          inputUncached: inputUncached + cacheRead + cacheWrite,
          cacheRead: 0,
          cacheWrite: 0,
        };
        const saving = savingMicroCents(counts, prices, terms);
        expect(costMicroCents(counts, prices, terms) + saving).toBe(costMicroCents(plainly, prices, terms));
      }),
    );
  });

  test("is below zero when writing costs more than reading saves, and zero without a cache price", () => {
    const priced = priceOf({ input: 100, output: 300, cacheRead: 10, cacheWrite: 125, cacheWrite1h: 200 });
    const saving = (usage: Partial<Usage>, price = priced) =>
      savingMicroCents({ ...NO_USAGE, ...usage }, price, STANDARD_TERMS);
    expect(saving({ cacheRead: 1_000 })).toBe(90_000n);
    expect(saving({ cacheWrite: 1_000 })).toBe(-25_000n);
    expect(saving({ cacheWrite: 1_000, parts: { cacheWrite1h: 1_000 } })).toBe(-100_000n);
    expect(saving({ cacheRead: 1_000, cacheWrite: 1_000 }, plain)).toBe(0n);
  });
});
