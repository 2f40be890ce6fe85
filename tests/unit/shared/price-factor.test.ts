import { expect, test } from "vitest";
import { priceFactorOf, scaledPrices } from "@/lib/shared/prices/price-factor";

test("a change in percent is read as people type it; what is none stays for the schema to refuse", () => {
  const typed = ["10", " +10 % ", "-5", "−12,5％", "0", "33.33", "-99", "9900", "1.005", "much", ""];
  expect(typed.map(priceFactorOf)).toEqual([
    1.1,
    1.1,
    0.95,
    0.875,
    1,
    1.3333,
    0.01,
    100,
    "1.005",
    "much",
    undefined,
  ]);
  const outOfRange = ["-150", "-100", "-99.01", "9900.01"];
  expect(outOfRange.map(priceFactorOf)).toEqual(outOfRange);
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
