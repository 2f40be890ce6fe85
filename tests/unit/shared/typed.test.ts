import fc from "fast-check";
import { expect, test } from "vitest";
import { changesOf } from "@/components/forms/use-api-form";
import { centsToYuan } from "@/lib/shared/decimal";
import { typedFactor, typedMoment, typedText, typedTime, typedWhole, typedYuan } from "@/lib/shared/typed";

test("nothing typed is no value, and what cannot be read stays as typed", () => {
  for (const read of [typedText, typedWhole, typedYuan]) expect(read("  ")).toBeUndefined();
  expect(typedMoment("", "UTC")).toBeUndefined();
  expect(typedWhole("a few")).toBe("a few");
  expect(typedWhole("1.5")).toBe("1.5");
  expect(typedYuan("1,5")).toBe("1,5");
});

test("whole numbers may have their thousands separated", () => {
  expect(typedWhole(" 200,000 ")).toBe(200_000);
  expect(typedWhole("20,00")).toBe("20,00");
});

test("every price that can be stored is shown in yuan and read back exactly", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (thousandths) => {
      const cents = thousandths / 1000;
      expect(typedYuan(centsToYuan(cents))).toBe(cents);
    }),
  );
});

test("an amount that a number cannot hold exactly stays text", () => {
  expect(typedYuan("9999999999.0000000001")).toBe("9999999999.0000000001");
  expect(typedYuan("0.072", 8)).toBe(7_200_000);
  expect(typedYuan("0.000000001", 8)).toBe(0.1);
});

test("a moment is one of the reader's zone; a day alone is none", () => {
  expect(typedMoment("2026-11-21T16:30", "Asia/Shanghai")).toBe("2026-11-21T08:30:00.000Z");
  expect(typedMoment("2026-11-21", "Asia/Shanghai")).toBe("2026-11-21?");
});

test("a change holds the members that differ, and null for those that were emptied", () => {
  const before = { name: "a", email: "b", limits: { qps: 1 }, quota: 5 };
  const after = { name: "a", email: undefined, limits: { qps: 2 }, quota: 5 };
  expect(changesOf(after, before)).toEqual({ email: null, limits: { qps: 2 } });
});

test("a factor is a decimal number, and a time has two digits of hours", () => {
  expect(["0.5", " .25", "２", "1.00", "", "half", "-1", "0,5"].map(typedFactor)).toEqual([
    0.5,
    0.25,
    2,
    1,
    undefined,
    "half",
    "-1",
    "0,5",
  ]);
  expect(["16:30", "8:05", "１６：３０", " ", "16.30"].map(typedTime)).toEqual([
    "16:30",
    "08:05",
    "16:30",
    undefined,
    "16.30",
  ]);
});
