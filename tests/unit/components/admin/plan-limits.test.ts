import { expect, test } from "vitest";
import { idleLimitOf } from "@/components/admin/plans/plan-form";

test("of two limits of requests the one that can never be met first is named", () => {
  expect(idleLimitOf(100, 60)).toEqual({ name: "qps", other: 60 });
  expect(idleLimitOf(1, 600)).toEqual({ name: "rpm", other: 60 });
  expect(idleLimitOf(2, 60)).toBeNull();
  expect(idleLimitOf(100, undefined)).toBeNull();
  expect(idleLimitOf("many", 60)).toBeNull();
});
