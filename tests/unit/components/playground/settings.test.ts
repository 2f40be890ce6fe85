import { expect, test } from "vitest";
import type { CatalogModel } from "@/components/api/types";
import { isFoundBy } from "@/components/playground/model-choice";
import { hasOwnParameters, ownParametersOf } from "@/components/playground/use-settings";

test("a model of several has its own parameters, all others and one alone those of all", () => {
  const settings = {
    ...{ models: ["a", "b"], maxTokens: 1_024, temperature: 1 },
    own: { b: { maxTokens: 7, temperature: 0 } },
  };
  expect(ownParametersOf(settings, "a")).toEqual({ maxTokens: 1_024, temperature: 1 });
  expect(ownParametersOf(settings, "b")).toEqual({ maxTokens: 7, temperature: 0 });
  expect(hasOwnParameters({ ...settings, models: ["b"] }, "b")).toBe(false);
  expect(hasOwnParameters(settings, "toString")).toBe(false);
});

test("a model is found by words of any of its names, in whatever case", () => {
  const model = { id: "gpt-main", displayName: "GPT Main", alsoKnownAs: ["openai/gpt-5.2"] } as CatalogModel;
  for (const typed of ["", "MAIN", "openai 5.2", "main gpt"])
    expect([typed, isFoundBy(model, typed)]).toEqual([typed, true]);
  expect(isFoundBy(model, "claude")).toBe(false);
  expect(isFoundBy(undefined, "")).toBe(false);
});
