import { expect, test } from "vitest";
import { changeTone } from "@/components/usage/use-delta";

/** Source: docs/dashboard.md#changes. */
test("a rise by more than a tenth has the colour of bad, such a fall that of good; a smaller change has none", () => {
  expect([changeTone(112, 100), changeTone(88, 100)]).toEqual(["text-danger", "text-success"]);
  expect([changeTone(110, 100), changeTone(90, 100), changeTone(0, 0)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(changeTone(1, 0), "from nothing").toBe("text-danger");
});
