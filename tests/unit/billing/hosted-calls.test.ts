import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { receiptOf } from "@/lib/billing/receipt";
import { priceEntry } from "@/lib/config/price-entry";
import {
  CallCount,
  callLines,
  callPriceRecord,
  callPricesOf,
  callsMicroCents,
  heldCallsMicroCents,
  heldForOffer,
  MAX_CALLS,
  NO_USAGE,
  offerCalls,
  type PricedTool,
  pricedTools,
} from "@/lib/kernel/usage";
import { costMicroCents, MAX_TOKENS } from "@/lib/shared/prices/cost";
import { MAX_NANO_CENTS, STANDARD_TERMS } from "@/lib/shared/prices/price-version";
import { storedPriceOf } from "@/lib/shared/prices/stored-price";
import { priceOf } from "@/tests/support/prices";

const prices = { webSearch: 7_200_000n, imageGeneration: 28_800_001n };
const MOST = 1_000_000_000_000n;

describe("calls of tools that a node runs", () => {
  test("cost their number times their price, and nothing where the tool has no price", () => {
    expect(callsMicroCents({ webSearch: 3, imageGeneration: 1, fileSearch: 9 }, prices)).toBe(50_400_001n);
    expect(callsMicroCents({}, prices)).toBe(0n);
  });

  test("are added to the rounded cost of the tokens, so that neither changes the other", () => {
    const price = { ...priceOf({ input: 0.001, output: 0 }), perCall: prices };
    const usage = { ...NO_USAGE, inputUncached: 1 };
    expect(costMicroCents(usage, price, STANDARD_TERMS)).toBe(1n);
    expect(costMicroCents({ ...usage, calls: { webSearch: 2 } }, price, STANDARD_TERMS)).toBe(14_400_001n);
  });

  test("never cost more than a database integer holds", () => {
    const all = (value: bigint) => Object.fromEntries(pricedTools.map((tool) => [tool, value]));
    const dearest = priceOf({ input: 0, output: 0 });
    const rates = { ...dearest.rates, input: MAX_NANO_CENTS, output: MAX_NANO_CENTS };
    const most = { ...dearest, rates, perCall: all(MOST) };
    const calls = Object.fromEntries(pricedTools.map((tool) => [tool, Number.MAX_SAFE_INTEGER]));
    const counts = { inputUncached: MAX_TOKENS, cacheRead: MAX_TOKENS, cacheWrite: MAX_TOKENS };
    const cost = costMicroCents({ ...counts, output: MAX_TOKENS, reasoning: 0, calls }, most, STANDARD_TERMS);
    expect(cost).toBeLessThan(2n ** 63n);
  });

  test("have lines of their own in the receipt, whose sum is what was billed", () => {
    const receipt = receiptOf({
      promptTokens: 10,
      completionTokens: 5,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      hostedCalls: { imageGeneration: 2, webSearch: 1, codeInterpreter: 4 },
      costMicroCents: 64_802_502n,
      wouldHaveCostMicroCents: null,
      heldMicroCents: 0n,
      billingSource: "upstream",
      priceVersion: 1,
      pricedAs: null,
      reasoningTokens: 0,
      price: { ...priceOf({ input: 100, output: 300 }), perCall: prices },
    });
    expect(receipt.lines.slice(2)).toEqual([
      { kind: "webSearch", calls: 1, centsPerCall: "7.2", amount: "7.2" },
      { kind: "imageGeneration", calls: 2, centsPerCall: "28.800001", amount: "57.600002" },
    ]);
    expect([receipt.sum, receipt.total]).toEqual(["64.802502", "64.802502"]);
  });
});

describe("the hold for calls", () => {
  test("is the limit of the request times the dearest tool, because the limit is one for all tools", () => {
    const offered = { tools: ["webSearch", "imageGeneration"] as const, maxCalls: 3 };
    expect(heldForOffer(offered, prices)).toBe(3n * 28_800_001n);
    expect(heldForOffer({ ...offered, maxCalls: 0 }, prices)).toBe(0n);
  });

  test("is ten calls of the dearest tool where the request names no limit, and the node is told so", () => {
    const { offered, told } = offerCalls(["webSearch", "imageGeneration"], null, prices);
    expect(heldForOffer(offered, prices)).toBe(10n * 28_800_001n);
    expect([told, offerCalls(["webSearch"], 3, prices).told]).toEqual([10, null]);
  });

  test("does not bound tools that cost nothing", () => {
    const { offered, told } = offerCalls(["codeInterpreter"], undefined, { codeInterpreter: 0n });
    expect([offered.maxCalls, told]).toEqual([MAX_CALLS, null]);
  });

  test("covers what is billed, whatever a node runs", () => {
    const perCall = fc.dictionary(fc.constantFrom(...pricedTools), fc.bigInt({ min: 0n, max: MOST }));
    const ran = fc.array(fc.constantFrom(...pricedTools), { maxLength: 40 });
    const limits = fc.option(fc.integer({ min: 1, max: 50 }));
    fc.assert(
      fc.property(perCall, ran, fc.subarray([...pricedTools]), limits, (priced, calls, tools, limit) => {
        const { offered } = offerCalls(tools, limit, priced);
        const count = new CallCount(offered);
        for (const tool of calls) count.add(tool);
        const billed = Object.values(count.billed ?? {}).reduce((sum, one) => sum + one, 0);
        expect(billed + count.unbilled).toBe(calls.length);
        expect(callsMicroCents(count.billed, priced)).toBeLessThanOrEqual(heldForOffer(offered, priced));
      }),
    );
  });

  test("covers whatever calls keep to the limit of the request", () => {
    const price = fc.bigInt({ min: 0n, max: MOST });
    const perCall = fc.dictionary(fc.constantFrom<PricedTool>(...pricedTools), price);
    const used = fc.array(fc.constantFrom<PricedTool>(...pricedTools), { maxLength: 30 });
    fc.assert(
      fc.property(perCall, used, fc.nat({ max: 10 }), (priced, called, spare) => {
        const calls: Partial<Record<PricedTool, number>> = {};
        for (const tool of called) calls[tool] = (calls[tool] ?? 0) + 1;
        const held = heldForOffer({ tools: pricedTools, maxCalls: called.length + spare }, priced);
        expect(held).toBeGreaterThanOrEqual(callsMicroCents(calls, priced));
      }),
    );
  });

  test("is that of the node for which it is the most", () => {
    const of = (maxCalls: number) => ({
      prepared: { offeredCalls: { tools: ["webSearch"] as const, maxCalls } },
    });
    expect(heldCallsMicroCents([of(1), { prepared: {} }, of(2)], prices)).toBe(14_400_000n);
    expect(heldCallsMicroCents([{ prepared: {} }], prices)).toBe(0n);
  });

  test("fits a database integer whatever limit a client names", () => {
    const tools = ["webSearch"] as const;
    const held = heldForOffer({ tools, maxCalls: Number.MAX_SAFE_INTEGER }, { webSearch: MOST });
    expect(held).toBe(MOST * BigInt(MAX_CALLS));
  });
});

describe("a price per call", () => {
  const entry = (perCall: unknown) => priceEntry.safeParse({ input: 1, output: 2, perCall });

  test("is a whole number of micro-cents; zero is a price, null and nothing are none", () => {
    for (const wrong of [{ webSearch: -1 }, { webSearch: 0.5 }, { webSearch: 1e13 }, { search: 1 }, null])
      expect(entry(wrong).success).toBe(false);
    const columns = storedPriceOf(priceEntry.parse({ input: 1, output: 2, perCall: { webSearch: 0 } }));
    expect(callPricesOf(columns)).toEqual({ webSearch: 0n });
    expect(callPricesOf(storedPriceOf(priceEntry.parse({ input: 1, output: 2 })))).toEqual({});
  });

  test("is shown as it was declared", () => {
    const perCall = { webSearch: 7_200_000, fileSearch: null, codeInterpreter: 0, imageGeneration: null };
    const columns = storedPriceOf(priceEntry.parse({ input: 1, output: 2, perCall }));
    expect(callPriceRecord(callPricesOf(columns))).toEqual(perCall);
  });
});

describe("a receipt without a price", () => {
  test("has no lines", () => {
    expect(callLines({ webSearch: 1 }, {})).toEqual([]);
  });
});
