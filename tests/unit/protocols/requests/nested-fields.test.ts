import { expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { chatConcepts } from "@/lib/protocols/chat/node/concepts";
import { geminiFields } from "@/lib/protocols/gemini/fields";
import { fieldFates } from "@/lib/protocols/generation/concepts";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import { clientNames, dropRefusedFields, type NodeTables } from "@/lib/protocols/passes/refused-fields";
import { givenFields } from "@/lib/protocols/passes/rendering";

// Gemini's tables, with fates that any node could have.
const tables: NodeTables = { fields: geminiFields, concepts: chatConcepts };

const namesIn = (body: JsonObject) => givenFields(body, geminiFields, false).map(({ name }) => name);

it("names the members of a field whose members have rows by their path", () => {
  const generationConfig = { topK: 3, temperature: null, stopSequences: [], presencePenalty: 0 };
  expect(namesIn({ generationConfig, contents: [] })).toEqual(["generationConfig.topK"]);
});

it("names an unknown member by its path, with no row", () => {
  const given = givenFields({ generationConfig: { ofTomorrow: 1, constructor: 2 } }, geminiFields, false);
  expect(given).toEqual([
    { name: "generationConfig.ofTomorrow", rule: undefined },
    { name: "generationConfig.constructor", rule: undefined },
  ]);
});

it("tells a fate for members, and none for the object that has them", () => {
  const fates = fieldFates(geminiFields, chatConcepts);
  expect(fates).not.toHaveProperty(["generationConfig"]);
  expect(fates["generationConfig.topP"]?.fate).toBe("mapped");
  expect(fates.safetySettings?.fate).toBe("dropped");
});

it("takes a refused member out of a body without a change to the client's own object", () => {
  const generationConfig = { seed: 1, topK: 2 };
  const body: JsonObject = { generationConfig };
  expect(dropRefusedFields(body, ["generationConfig.seed", "generationConfig.logprobs"], tables)).toEqual([
    "generationConfig.seed",
  ]);
  expect(body).toEqual({ generationConfig: { topK: 2 } });
  expect(generationConfig).toEqual({ seed: 1, topK: 2 });
});

it("leaves a body alone in which the object of a refused member is missing or no object", () => {
  for (const body of [{}, { generationConfig: 1 }, { generationConfig: null }]) {
    const kept = { ...body };
    expect(dropRefusedFields(kept, ["generationConfig.seed"], tables)).toEqual([]);
    expect(kept).toEqual(body);
  }
});

it("finds the client's field of a node's member by the concept", () => {
  const fields = givenFields({ generationConfig: { topK: 3 } }, geminiFields, false);
  const request = { fields } as unknown as GenerationRequest; // the fields are all that is read
  expect(clientNames("generationConfig.topK", request, tables)).toEqual(["generationConfig.topK"]);
  expect(clientNames("generationConfig.imageConfig", request, tables)).toEqual([
    "generationConfig.imageConfig",
  ]);
});
