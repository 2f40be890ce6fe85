import { describe, expect, test } from "vitest";
import {
  changeOf,
  costOfUse,
  costProblems,
  priceProblems,
  typedCosts,
  typedPrices,
} from "@/lib/shared/prices/price-check";
import { priceDraftOf } from "@/lib/shared/prices/price-units";

const perCall = { webSearch: null, fileSearch: null, codeInterpreter: null, imageGeneration: null };
const now = {
  version: 1,
  input: 110,
  output: 880,
  cacheRead: 11,
  cacheWrite: 110,
  perCall,
  validFrom: "2026-11-01T00:00:00.000Z",
};
const route = (cost: { input: number; output: number } | null) => ({
  node: "n",
  nodeId: "1",
  protocol: "chat" as const,
  model: "m",
  priority: 0,
  weight: 1,
  cost,
});
const typed = (fields: object) =>
  typedPrices({ ...priceDraftOf(now), cacheWrite: "", ...fields }, "generation");

describe("prices are asked about", () => {
  const kindsOf = (fields: object, routes = [route(null)]) => {
    const prices = typed(fields);
    if (prices === null) throw new Error("not a price");
    return priceProblems({ kind: "generation", prices, now, routes }).map(
      ({ kind, price }) => `${kind} ${price}`,
    );
  };

  test("when one differs more than fivefold from the one in force, up or down", () => {
    expect(kindsOf({ input: "900000" })).toEqual([
      "jump input",
      "jump cacheWrite",
      "outputBelowInput output",
    ]);
    expect(kindsOf({ output: "0" })).toEqual(["jump output", "outputBelowInput output"]);
    expect(kindsOf({ input: "5.50", output: "1.76" })).toEqual(["outputBelowInput output"]);
  });

  test("when one is below what a route costs", () => {
    const routes = [route(null), route({ input: 100, output: 900 })];
    expect(kindsOf({}, routes)).toEqual(["belowCost output"]);
    expect(kindsOf({ input: "0.99" }, routes)).toEqual(["belowCost input", "belowCost output"]);
  });

  test("when reading the cache costs more than the input, or writing to it more than twice as much", () => {
    expect(kindsOf({ input: "0.25", cacheRead: "0.26" })).toEqual(["cacheAboveInput cacheRead"]);
    expect(kindsOf({ cacheWrite: "2.20" })).toEqual([]);
    expect(kindsOf({ cacheWrite: "2.21" })).toEqual(["cacheAboveInput cacheWrite"]);
  });

  test("when output is cheaper than input, unless nothing is put out", () => {
    expect(kindsOf({ input: "5.50", output: "5.49" })).toEqual(["outputBelowInput output"]);
    expect(kindsOf({ input: "5.50", output: "5.50" })).toEqual([]);
    const prices = { input: 100, output: 0, cacheRead: 100, cacheWrite: 100 };
    expect(priceProblems({ kind: "embedding", prices, now: null, routes: [] })).toEqual([]);
  });

  test("and not while one of them cannot be read", () => {
    expect(typed({ input: "much" })).toBeNull();
    expect(typed({ output: "" })).toBeNull();
  });
});

test("costs are asked about when they rise above the price in force, and not when they stay there", () => {
  const stored = { kind: "generation" as const, prices: now, routes: [route({ input: 100, output: 900 })] };
  const problemsOf = (input: string, output: string) => {
    const cost = { ...priceDraftOf(null), input, output };
    const drafts = [{ node: "n", model: "m", priority: "0", weight: "1", cost }];
    return costProblems(stored, typedCosts(drafts, "generation"));
  };
  expect(problemsOf("1", "9")).toEqual([]);
  expect(problemsOf("1.2", "9")).toEqual([{ kind: "belowCost", price: "input", node: "n", cost: 120 }]);
  expect(problemsOf("1", "9.5")).toEqual([{ kind: "belowCost", price: "output", node: "n", cost: 950 }]);
  expect(problemsOf("much", "9")).toEqual([]);
  expect(costProblems({ ...stored, prices: null }, stored.routes)).toEqual([]);
});

test("a use costs what its tokens cost, exactly", () => {
  const use = { input: 1_000_001, output: 3, cacheRead: 7, cacheWrite: 0 };
  expect(costOfUse({ input: 110, output: 880, cacheRead: 11, cacheWrite: 110 }, use)).toBe("110.002827");
});

test("a change from nothing is no share", () => {
  expect(changeOf(0, 5)).toBeNull();
  expect(changeOf("2", "3")).toBe(0.5);
});
