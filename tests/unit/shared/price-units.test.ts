import { describe, expect, test } from "vitest";
import { centsOfMicroCents } from "@/lib/shared/decimal";
import { previewCents, priceBody, priceDraftOf } from "@/lib/shared/prices/price-units";

const stored = {
  version: 3,
  input: 200,
  output: 800.001,
  cacheRead: 200,
  cacheWrite: 250,
  perCall: { webSearch: 7_200_000, fileSearch: null, codeInterpreter: null, imageGeneration: 0 },
  validFrom: "2026-11-01T00:00:00.000Z",
};

describe("typed prices", () => {
  test("are yuan, and go back to the API as they came", () => {
    const draft = priceDraftOf(stored);
    expect(draft).toMatchObject({ input: "2", output: "8.00001", cacheRead: "", cacheWrite: "2.5" });
    expect(draft.perCall).toMatchObject({ webSearch: "0.072", fileSearch: "", imageGeneration: "0" });
    const { version, validFrom, cacheRead, ...prices } = stored;
    expect(priceBody(draft, "generation")).toEqual(prices);
  });

  test("of embeddings are one", () => {
    expect(priceBody({ ...priceDraftOf(null), input: "0.5" }, "embedding")).toEqual({ input: 50, output: 0 });
  });

  test("a call of 1,000 tokens in and out costs a thousandth of both prices, exactly", () => {
    expect(previewCents(200, 800)).toBe("1");
    expect(previewCents(0.001, 0.002)).toBe("0.000003");
  });

  test("micro-cents are exact decimal text of cents", () => {
    expect(centsOfMicroCents(7_200_001)).toBe("7.200001");
  });
});
