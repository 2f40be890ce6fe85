import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { centsToYuan, fromScaled, ratio, sumDecimals, toScaled, yuanToCents } from "@/lib/shared/decimal";

const microCents = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });

function decimalOf(value: bigint): string {
  return fromScaled(value * 1_000_000n);
}

describe("decimal strings", () => {
  test("sums are exact whatever the amounts", () => {
    fc.assert(
      fc.property(fc.array(microCents, { maxLength: 50 }), (values) => {
        const expected = values.reduce((sum, value) => sum + value, 0n);
        expect(sumDecimals(values.map(decimalOf))).toBe(decimalOf(expected));
      }),
    );
  });

  test("cents become yuan by moving the point, without losing a digit", () => {
    fc.assert(
      fc.property(microCents, (value) => {
        expect(toScaled(centsToYuan(decimalOf(value))) * 100n).toBe(value * 1_000_000n);
      }),
    );
    expect(centsToYuan("0.5256")).toBe("0.005256");
    expect(centsToYuan("123456789012345678")).toBe("1234567890123456.78");
    expect(centsToYuan("100")).toBe("1");
    expect(centsToYuan("-5")).toBe("-0.05");
    expect(centsToYuan(0.000001)).toBe("0.00000001");
  });

  test("what is no decimal is an error, never a number", () => {
    for (const text of ["", "1e3", "NaN", "1.2.3", "abc", " ", "--1"]) {
      expect(() => toScaled(text), text).toThrow(RangeError);
    }
    expect(() => toScaled(Number.NaN)).toThrow(RangeError);
  });

  test("typed yuan are whole cents or refused", () => {
    expect(yuanToCents("12.34")).toBe(1234);
    expect(yuanToCents("¥1,000.5")).toBe(100_050);
    expect(yuanToCents("0")).toBe(0);
    expect(yuanToCents("0.10")).toBe(10);
    expect(yuanToCents(".5")).toBe(50);
    expect(yuanToCents("￥ 1 234 567")).toBe(123_456_700);
    for (const text of ["", "1.234", "-1", "abc", "1e5", "1.2.3", ".", "1.", "¥"])
      expect(yuanToCents(text), text).toBeNull();
  });

  test("a comma that does not stand before three digits is never skipped", () => {
    for (const text of ["1,5", "1,50", "12,34", "1,000,0000", "1234,567", ",5", "1,", "1.5,000"])
      expect(yuanToCents(text), text).toBeNull();
  });

  test("a share of nothing is nothing", () => {
    expect(ratio("5", "0")).toBe(0);
    expect(ratio("1", "4")).toBe(0.25);
    expect(ratio("0.01", "700000"), "little is not nothing").toBeGreaterThan(0);
  });
});
