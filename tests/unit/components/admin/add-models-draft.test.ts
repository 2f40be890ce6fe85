import { describe, expect, test } from "vitest";
import {
  aliasOf,
  isUnpriced,
  type ListedModel,
  modelsBody,
  type PickedModel,
  pickedOf,
} from "@/components/admin/nodes/add-models-draft";
import { requestErrors } from "@/components/forms/request-errors";

const listed = (id: string, fields: Partial<ListedModel> = {}): ListedModel => ({
  id,
  name: null,
  kind: "generation",
  contextWindow: null,
  ...fields,
});
const priced = (picked: PickedModel, input: string, output = ""): PickedModel => ({
  ...picked,
  prices: { input, output },
});
const bodyOf = (...models: PickedModel[]) => modelsBody({ models }, "node");
const problemsOf = (...models: PickedModel[]) =>
  Object.keys(requestErrors("POST /api/admin/models/batch", bodyOf(...models)));

test.each([
  ["gpt-5.2", "gpt-5.2"],
  ["models/gemini-3-flash", "gemini-3-flash"],
  ["accounts/fireworks/models/kimi-k3", "kimi-k3"],
  ["openai/gpt-5.2", "openai/gpt-5.2"],
  ["~odd name+x", "odd-name-x"],
])("the alias of %s is %s until another is typed", (id, alias) => {
  expect(aliasOf(id)).toBe(alias);
});

describe("what is sent", () => {
  test("has a route to the node under the node's own name, and prices where they are typed", () => {
    const model = pickedOf(listed("org/m", { name: "M", contextWindow: 32_000 }));
    expect(bodyOf(priced({ ...model, alias: " m " }, "2", "8"))).toEqual({
      models: [
        {
          alias: "m",
          kind: "generation",
          displayName: "M",
          contextWindow: 32_000,
          routes: [{ node: "node", model: "org/m" }],
          prices: { input: 200, output: 800 },
        },
      ],
    });
  });

  test("has no prices at all for a model without, which can be told beforehand", () => {
    const unpriced = pickedOf(listed("m"));
    expect(isUnpriced(unpriced)).toBe(true);
    expect(problemsOf(unpriced)).toEqual([]);
    expect(JSON.stringify(bodyOf(unpriced))).not.toContain("prices");
  });

  test("has one price of embeddings", () => {
    const model = priced(pickedOf(listed("e", { kind: "embedding" })), "0.5");
    expect(bodyOf(model)).toMatchObject({
      models: [{ kind: "embedding", prices: { input: 50, output: 0 } }],
    });
  });

  test("is refused before it is sent for half a price, a price that is none, and a bad alias", () => {
    const plain = pickedOf(listed("m"));
    const wrong = [priced(plain, "1"), priced(plain, "much", "2"), { ...plain, alias: "no spaces" }];
    expect(problemsOf(...wrong).sort()).toEqual([
      "models.0.prices.output",
      "models.1.prices.input",
      "models.2.alias",
    ]);
  });
});
