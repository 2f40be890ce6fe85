import { expect, test } from "vitest";
import { priceFactorOf, scaledPrices } from "@/components/admin/models/price-factor";

test("a factor is read as people type it; what is none stays for the schema to refuse", () => {
  expect(["1.1", " ×0,9 ", "x2", "1.00001", "-1", "much", ""].map(priceFactorOf)).toEqual([
    ...[1.1, 0.9, 2, "1.00001", "-1", "much", undefined],
  ]);
});

test("prices are multiplied exactly and rounded half up to a thousandth of a cent", () => {
  const prices = { input: 100, output: 0.005, cacheRead: 0.1, cacheWrite: 333.333 };
  expect(scaledPrices(prices, 1.1)).toEqual({
    input: 110,
    output: 0.006,
    cacheRead: 0.11,
    cacheWrite: 366.666,
  });
  expect(scaledPrices(prices, 1)).toEqual(prices);
});
