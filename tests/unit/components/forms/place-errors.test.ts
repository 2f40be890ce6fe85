import { describe, expect, test } from "vitest";
import { flatErrors, placeErrors, toFormErrors } from "@/components/forms/place-errors";

describe("messages of the API", () => {
  test("stand at the field of their name, else at the nearest field that holds theirs", () => {
    const shown = new Set(["models", "routes.0.node", "name"]);
    expect(
      placeErrors(
        { name: ["a"], models: ["b"], "models.3": ["c"], "routes.0.node": ["d"], "routes.1.node": ["e"] },
        shown,
      ),
    ).toEqual({ name: ["a"], models: ["b", "c"], "routes.0.node": ["d"], "routes.1.node": ["e"] });
  });

  test("go through the form library and come back whole", () => {
    const errors = {
      name: ["is required", "must not be blank"],
      "routes.0.node": ["is not known"],
      body: ["x"],
    };
    expect(flatErrors(toFormErrors(errors))).toEqual(errors);
  });

  test("of a list and of its entries stand beside each other", () => {
    const errors = { "tiers.0.above": ["is required"], tiers: ["must be in ascending order of `above`"] };
    expect(flatErrors(toFormErrors(errors))).toEqual(errors);
  });
});
