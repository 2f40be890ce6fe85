import { expect, test } from "vitest";
import type { CatalogModel } from "@/components/api/types";
import { isFoundBy } from "@/components/playground/model-choice";
import {
  hasOwnParameters,
  ownParametersOf,
  problemOf,
  type SharedSettings,
} from "@/components/playground/use-settings";
import { noOptions } from "@/lib/protocols/kit/call-input";

test("a model of several has its own parameters, all others and one alone those of all", () => {
  const settings = {
    models: ["a", "b"],
    maxTokens: 1_024,
    temperature: 1,
    own: { b: { maxTokens: 7, temperature: 0 } },
  };
  expect(ownParametersOf(settings, "a")).toEqual({ maxTokens: 1_024, temperature: 1 });
  expect(ownParametersOf(settings, "b")).toEqual({ maxTokens: 7, temperature: 0 });
  expect(hasOwnParameters({ ...settings, models: ["b"] }, "b")).toBe(false);
  expect(hasOwnParameters(settings, "toString")).toBe(false);
});

test("a token limit or top_p out of range is a problem, and nothing takes its place", () => {
  const catalog = [
    { id: "a", maxOutputTokens: 4_096 },
    { id: "b", maxOutputTokens: null },
  ] as CatalogModel[];
  const settings = {
    protocol: "chat",
    models: ["a"],
    own: {},
    maxTokens: 4_096,
    temperature: 1,
    ...noOptions,
    stream: true,
    json: false,
  } as SharedSettings;
  const problem = (change: Partial<SharedSettings>) => problemOf({ ...settings, ...change }, catalog, 4_096);
  expect(problem({})).toBeNull();
  for (const maxTokens of [0, 4_097, 999_999])
    expect(problem({ maxTokens })).toEqual({ field: "maxTokens", mostTokens: 4_096 });
  const both = { models: ["a", "b"], maxTokens: 5 };
  expect(problem({ ...both, own: { b: { maxTokens: 999_999, temperature: 1 } } })).toBeNull();
  expect(problem({ ...both, own: { b: { maxTokens: 0, temperature: 1 } } })).toEqual({
    field: "maxTokens",
    mostTokens: null,
  });
  expect([problem({ topP: 1 }), problem({ topP: 2 })]).toEqual([null, { field: "topP" }]);
  const wrong = { topK: 1.5, seed: -1, frequencyPenalty: 2.1, presencePenalty: Number.NaN };
  for (const [field, value] of Object.entries(wrong)) expect(problem({ [field]: value })).toEqual({ field });
  // What a protocol has no field for is not sent, and stops nothing.
  expect(problem({ protocol: "messages", seed: -1, presencePenalty: 9 })).toBeNull();
});

test("a model is found by words of any of its names, in whatever case", () => {
  const model = { id: "gpt-main", displayName: "GPT Main", alsoKnownAs: ["openai/gpt-5.2"] } as CatalogModel;
  for (const typed of ["", "MAIN", "openai 5.2", "main gpt"])
    expect([typed, isFoundBy(model, typed)]).toEqual([typed, true]);
  expect(isFoundBy(model, "claude")).toBe(false);
  expect(isFoundBy(undefined, "")).toBe(false);
});
