import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { priceEntry } from "@/lib/config/price-entry";
import { priceFieldsOf } from "@/lib/shared/prices/price-fields";
import { scaledPrices } from "@/lib/shared/prices/scaled-prices";
import { declaredPriceOf, pricesOf, pricesOfDeclared, storedPriceOf } from "@/lib/shared/prices/stored-price";
import { anyPrices } from "@/tests/support/any-prices";

const base = { input: 100, output: 300 };
const window = { from: "16:30", to: "00:30", timeZone: "UTC", factor: 0.5 };

function problemsOf(fields: object): Record<string, string> {
  const { error } = priceEntry.safeParse({ ...base, ...fields });
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join("."), message]));
}

/** Source: docs/prices.md#fields. */
describe("declared prices", () => {
  test.each([
    { cacheWrite1h: null, audioInput: 0, perRequest: 1_000_000 },
    {
      tiers: [
        { above: 1, ...base },
        { above: 2, ...base, cacheRead: 0.001 },
      ],
    },
    {
      services: {
        flex: { factor: 0.5 },
        priority: { ...base, tiers: [{ above: 272_000, ...base }] },
        batch: null,
      },
    },
    { windows: [window, { ...window, days: [6, 7], from: "00:00", to: "24:00", factor: null, ...base }] },
    { tiers: null, services: null, windows: null },
  ])("are taken: %j", (fields) => {
    expect(problemsOf(fields)).toEqual({});
  });

  test.each<[object, string, RegExp]>([
    [{ reasoning: -1 }, "reasoning", /cents per million/],
    [{ perRequest: 0.5 }, "perRequest", /whole number/],
    [{ tiers: [{ above: 0, ...base }] }, "tiers.0.above", /whole number from 1/],
    [{ tiers: [{ above: 5, input: 1 }] }, "tiers.0.output", /./],
    [
      {
        tiers: [
          { above: 5, ...base },
          { above: 5, ...base },
        ],
      },
      "tiers",
      /ascending/,
    ],
    [
      { tiers: Array.from({ length: 5 }, (_, place) => ({ above: place + 1, ...base })) },
      "tiers",
      /at most 4/,
    ],
    [{ services: { flex: {} } }, "services.flex.factor", /input and output in place/],
    [{ services: { flex: { input: 1 } } }, "services.flex.output", /beside input/],
    [{ services: { flex: { factor: 0.5, cacheRead: 1 } } }, "services.flex.cacheRead", /beside a factor/],
    [{ services: { flex: { factor: 0.00001 } } }, "services.flex.factor", /at most 4 decimals/],
    [{ services: { flex: { factor: 101 } } }, "services.flex.factor", /from 0 to 100/],
    [{ services: { fast: { factor: 2 } } }, "services", /./],
    [{ windows: [{ ...window, from: "24:00" }] }, "windows.0.from", /23:59/],
    [{ windows: [{ ...window, to: "1:00" }] }, "windows.0.to", /24:00/],
    [{ windows: [{ ...window, timeZone: "+08:00" }] }, "windows.0.timeZone", /Asia\/Shanghai/],
    [{ windows: [{ ...window, days: [] }] }, "windows.0.days", /at least one/],
    [{ windows: [{ ...window, days: [1, 1] }] }, "windows.0.days", /once/],
    [{ windows: [{ ...window, days: [0] }] }, "windows.0.days.0", /from 1 to 7/],
    [
      { input: 1_000_000_000, services: { priority: { factor: 2 } } },
      "services",
      /higher than prices can be/,
    ],
  ])("are refused by field: %j", (fields, path, message) => {
    expect(Object.keys(problemsOf(fields))).toEqual([path]);
    expect(problemsOf(fields)[path]).toMatch(message);
  });

  test("come back from the API, from the database and from the audit as they were", () => {
    fc.assert(
      fc.property(anyPrices, (prices) => {
        const shown = { ...priceFieldsOf(prices), perRequest: Number(prices.perRequest) };
        const read = priceEntry.parse(JSON.parse(JSON.stringify(shown)));
        const again = pricesOfDeclared(read);
        const { cacheRead, cacheWrite } = prices.rates;
        // The API shows the price that applies to the caches.
        const filled = {
          cacheRead: cacheRead ?? prices.rates.input,
          cacheWrite: cacheWrite ?? prices.rates.input,
        };
        expect(again).toEqual({ ...prices, rates: { ...prices.rates, ...filled } });
        const stored = storedPriceOf(read);
        expect(pricesOf({ ...stored, more: JSON.parse(JSON.stringify(stored.more)) })).toEqual(again);
        expect(pricesOfDeclared(declaredPriceOf(stored))).toEqual(again);
      }),
    );
  });

  test("without more than the simple fields store nothing more", () => {
    expect(storedPriceOf(base).more).toBeNull();
    expect(
      storedPriceOf(priceEntry.parse({ ...base, tiers: [], services: { flex: null }, windows: [] })).more,
    ).toBeNull();
  });
});

describe("scaled prices", () => {
  test("scale every price, also of tiers, service tiers and windows, and no factor", () => {
    const prices = {
      ...base,
      reasoning: 0.5,
      perRequest: 3,
      perCall: { webSearch: 5, fileSearch: null, codeInterpreter: null, imageGeneration: null },
      tiers: [{ above: 10, input: 200, output: 450, audioInput: null }],
      services: {
        flex: { factor: 0.5 },
        batch: { input: 1, output: 2, tiers: [{ above: 10, input: 2, output: 3 }] },
      },
      windows: [window],
    };
    expect(scaledPrices(prices, 1.5)).toEqual({
      input: 150,
      output: 450,
      reasoning: 0.75,
      perRequest: 5,
      perCall: { webSearch: 8, fileSearch: null, codeInterpreter: null, imageGeneration: null },
      tiers: [{ above: 10, input: 300, output: 675, audioInput: null }],
      services: {
        flex: { factor: 0.5 },
        batch: { input: 1.5, output: 3, tiers: [{ above: 10, input: 3, output: 4.5 }] },
      },
      windows: [window],
    });
  });
});
