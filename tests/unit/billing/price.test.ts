import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  costMicroCents,
  holdMicroCents,
  MAX_NANO_CENTS,
  MAX_TOKENS,
  type PriceVersion,
  savingMicroCents,
} from "@/lib/billing/price";
import { receiptOf } from "@/lib/billing/receipt";
import { NO_USAGE, type Usage } from "@/lib/kernel/usage";

const tokens = fc.oneof(fc.integer({ min: 0, max: MAX_TOKENS }), fc.constantFrom(0, 1, MAX_TOKENS));
const nanoCents = fc.oneof(
  fc.bigInt({ min: 0n, max: MAX_NANO_CENTS }),
  fc.constantFrom(0n, 1n, 999n, 1_000n, MAX_NANO_CENTS),
);
const usage: fc.Arbitrary<Usage> = fc.record({
  inputUncached: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  output: tokens,
  reasoning: fc.constant(0),
});
const price: fc.Arbitrary<PriceVersion> = fc.record({
  version: fc.constant(1),
  inputNanoCents: nanoCents,
  outputNanoCents: nanoCents,
  cacheReadNanoCents: fc.option(nanoCents),
  cacheWriteNanoCents: fc.option(nanoCents),
  perCall: fc.constant({}),
});
const counts = ["inputUncached", "cacheRead", "cacheWrite", "output"] as const;
const plain: PriceVersion = {
  version: 1,
  inputNanoCents: 100_000n,
  outputNanoCents: 300_000n,
  cacheReadNanoCents: null,
  cacheWriteNanoCents: null,
  perCall: {},
};

/** Source: docs/reliability.md#r-16, #r-17, #r-18, #r-158. */
describe("costMicroCents", () => {
  test("is never negative and always fits a database integer", () => {
    fc.assert(
      fc.property(usage, price, (used, prices) => {
        const cost = costMicroCents(used, prices);
        expect(cost >= 0n && cost < 2n ** 63n).toBe(true);
      }),
    );
  });

  test("is the exact rational cost, rounded up by less than one micro-cent", () => {
    fc.assert(
      fc.property(usage, price, (used, prices) => {
        const rates = [
          prices.inputNanoCents,
          prices.cacheReadNanoCents ?? prices.inputNanoCents,
          prices.cacheWriteNanoCents ?? prices.inputNanoCents,
          prices.outputNanoCents,
        ];
        const exactNano = counts.reduce(
          (sum, name, index) => sum + BigInt(used[name]) * (rates[index] ?? 0n),
          0n,
        );
        const roundedNano = costMicroCents(used, prices) * 1_000n;
        expect(roundedNano >= exactNano && roundedNano - exactNano < 1_000n).toBe(true);
      }),
    );
  });

  test("never falls when any count grows", () => {
    fc.assert(
      fc.property(usage, price, fc.constantFrom(...counts), tokens, (used, prices, name, more) => {
        const grown = { ...used, [name]: Math.min(MAX_TOKENS, used[name] + more) };
        expect(costMicroCents(grown, prices) >= costMicroCents(used, prices)).toBe(true);
      }),
    );
  });

  test("of two requests together is at most the cost of both apart", () => {
    const half = tokens.map((count) => Math.floor(count / 2));
    const halfUsage: fc.Arbitrary<Usage> = fc.record({
      inputUncached: half,
      cacheRead: half,
      cacheWrite: half,
      output: half,
      reasoning: fc.constant(0),
    });
    fc.assert(
      fc.property(halfUsage, halfUsage, price, (left, right, prices) => {
        const both = { ...NO_USAGE };
        for (const name of counts) both[name] = left[name] + right[name];
        const apart = costMicroCents(left, prices) + costMicroCents(right, prices);
        expect(costMicroCents(both, prices) <= apart).toBe(true);
      }),
    );
  });

  test("of any use at any price is not free", () => {
    const least = { ...plain, inputNanoCents: 1n };
    expect(costMicroCents({ ...NO_USAGE, inputUncached: 1 }, least)).toBe(1n);
  });

  test("of 200,000 and 100,000 tokens at 100 and 300 cents per million is 50 cents", () => {
    expect(costMicroCents({ ...NO_USAGE, inputUncached: 200_000, output: 100_000 }, plain)).toBe(50_000_000n);
  });

  test("bills each kind of prompt token once, at its own price or else at the input price", () => {
    const used = { ...NO_USAGE, inputUncached: 100, cacheRead: 900, cacheWrite: 50 };
    const cached = { ...plain, cacheReadNanoCents: 10_000n, cacheWriteNanoCents: 125_000n };
    expect(costMicroCents(used, cached)).toBe(100n * 100n + 900n * 10n + 50n * 125n);
    expect(costMicroCents(used, plain)).toBe(1_050n * 100n);
  });

  test.each([-1, 0.5, Number.NaN, MAX_TOKENS + 1, Number.POSITIVE_INFINITY])(
    "refuses %s tokens: no count may become a credit",
    (count) => {
      expect(() => costMicroCents({ ...NO_USAGE, output: count }, plain)).toThrow(RangeError);
    },
  );

  test("refuses a price out of bounds", () => {
    expect(() => costMicroCents(NO_USAGE, { ...plain, inputNanoCents: -1n })).toThrow(RangeError);
    expect(() => costMicroCents(NO_USAGE, { ...plain, outputNanoCents: MAX_NANO_CENTS + 1n })).toThrow(
      RangeError,
    );
  });
});

describe("holdMicroCents", () => {
  test("covers every split of the prompt over the kinds of tokens that is not dearer than estimated", () => {
    fc.assert(
      fc.property(tokens, tokens, price, (input, output, prices) => {
        const held = holdMicroCents(input, output, prices);
        expect(held >= costMicroCents({ ...NO_USAGE, inputUncached: input, output }, prices)).toBe(true);
        expect(held >= costMicroCents({ ...NO_USAGE, cacheWrite: input, output }, prices)).toBe(true);
      }),
    );
  });
});

/** Source: docs/contract.md#cache-saving. */
describe("savingMicroCents", () => {
  const priced = { ...plain, cacheReadNanoCents: 10_000n, cacheWriteNanoCents: 125_000n };
  const use = (cacheRead: number, cacheWrite: number): Usage => ({ ...NO_USAGE, cacheRead, cacheWrite });

  test("is to the micro-cent what would have been billed without a cache, less what is billed", () => {
    const count = fc.integer({ min: 0, max: MAX_TOKENS / 4 });
    const fitting = fc.record({
      inputUncached: count,
      cacheRead: count,
      cacheWrite: count,
      output: count,
      reasoning: count,
    });
    fc.assert(
      fc.property(fitting, price, (used, prices) => {
        const { inputUncached, cacheRead, cacheWrite } = used;
        const plainly = {
          ...used,
          inputUncached: inputUncached + cacheRead + cacheWrite,
          cacheRead: 0,
          cacheWrite: 0,
        };
        const saving = savingMicroCents(used, prices);
        expect(costMicroCents(used, prices) + saving).toBe(costMicroCents(plainly, prices));
      }),
    );
  });

  test("is below zero when writing costs more than reading saves, and zero without a cache price", () => {
    expect(savingMicroCents(use(1_000, 0), priced)).toBe(90_000n);
    expect(savingMicroCents(use(0, 1_000), priced)).toBe(-25_000n);
    expect(savingMicroCents(use(1_000, 1_000), plain)).toBe(0n);
  });

  test("stands in the receipt; null when nothing was billed or the price is gone", () => {
    const input = {
      promptTokens: 2_000,
      completionTokens: 0,
      cacheReadTokens: 1_000,
      cacheWriteTokens: 0,
      hostedCalls: null,
      costMicroCents: 110_000n,
      wouldHaveCostMicroCents: null,
      heldMicroCents: 0n,
      billingSource: "upstream",
      priceVersion: 1,
      price: priced,
    };
    expect(receiptOf(input).cacheSaving).toBe("0.09");
    expect(receiptOf({ ...input, cacheReadTokens: 0, cacheWriteTokens: 1_000 }).cacheSaving).toBe("-0.025");
    expect(receiptOf({ ...input, billingSource: "none" }).cacheSaving).toBeNull();
    expect(receiptOf({ ...input, price: null }).cacheSaving).toBeNull();
  });
});
