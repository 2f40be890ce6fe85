import { expect, test } from "vitest";
import { changeTone } from "@/components/usage/use-delta";

/** Source: docs/dashboard.md#changes. */
test("a change by more than a tenth has the colour of good or bad, by what is better; a smaller one has none", () => {
  expect([changeTone(112, 100, "more"), changeTone(88, 100, "more")]).toEqual([
    "text-success",
    "text-danger",
  ]);
  expect([changeTone(112, 100, "less"), changeTone(88, 100, "less")]).toEqual([
    "text-danger",
    "text-success",
  ]);
  expect([changeTone(110, 100, "more"), changeTone(90, 100, "less"), changeTone(0, 0, "less")]).toEqual([
    ...[undefined, undefined, undefined],
  ]);
  expect(changeTone(1, 0, "less"), "from nothing").toBe("text-danger");
  expect(changeTone(-50, -100, "more"), "a smaller loss").toBe("text-success");
});
