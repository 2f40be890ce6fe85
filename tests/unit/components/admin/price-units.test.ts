import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  centsOfMicroCents,
  changeUnit,
  previewCents,
  readCallPrice,
  readPrice,
  showCallPrice,
  showPrice,
} from "@/components/admin/models/price-units";

describe("typed prices", () => {
  test.each([
    ["2", "yuan", 200],
    ["¥2.50", "yuan", 250],
    ["0.00001", "yuan", 0.001],
    ["0.2", "cents", 200],
    ["0", "yuan", 0],
  ] as const)("%s in %s is %d cents per million tokens", (text, unit, cents) => {
    expect(readPrice(text, unit)).toBe(cents);
  });

  test.each([
    ["", "yuan"],
    ["abc", "yuan"],
    ["-1", "yuan"],
    ["0.000001", "yuan"],
    ["0.0000001", "cents"],
    ["999999999", "yuan"],
  ] as const)("%s in %s is refused", (text, unit) => {
    expect(readPrice(text, unit)).toBeNull();
  });

  test("survive the way to the other unit and back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (thousandths) => {
        const cents = thousandths / 1000;
        const yuan = showPrice(cents, "yuan");
        expect(readPrice(yuan, "yuan")).toBe(cents);
        expect(readPrice(changeUnit(yuan, "yuan", "cents"), "cents")).toBe(cents);
      }),
    );
  });

  test("what cannot be read stays as typed when the unit changes", () => {
    expect(changeUnit("1.", "yuan", "cents")).toBe("1.");
  });

  test("a call of 1,000 tokens in and out costs a thousandth of both prices, exactly", () => {
    expect(previewCents(200, 800)).toBe("1");
    expect(previewCents(0.001, 0.002)).toBe("0.000003");
  });

  test("a price per call is typed in yuan, and is exact to the micro-cent", () => {
    expect(readCallPrice("0.072")).toBe(7_200_000);
    expect(readCallPrice(" ¥1,000.00000001 ")).toBe(100_000_000_001);
    expect(readCallPrice("0")).toBe(0);
    for (const wrong of ["", "-1", "1e3", "0.000000001", "10000.00000001", "0,07x"])
      expect(readCallPrice(wrong), wrong).toBeNull();
    for (const microCents of [0, 1, 7_200_000, 1_000_000_000_000])
      expect(readCallPrice(showCallPrice(microCents))).toBe(microCents);
    expect(centsOfMicroCents(7_200_001)).toBe("7.200001");
  });
});
