import { describe, expect, test } from "vitest";
import { countPromptTokens } from "@/lib/billing/prompt-tokens";
import { estimateInputTokens } from "@/lib/billing/token-estimate";
import { isGatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import { embeddingClients } from "@/lib/protocols/embeddings/adapter";
import { Meter } from "@/lib/protocols/generation/meter";
import { validateRequest } from "@/lib/protocols/validation/validate";

const adapter = embeddingClients.chat;
const options = { compatibility: "standard", version: "2023-06-01", maxValues: 400_000 } as const;

function problemOf(fields: JsonObject): string | null {
  try {
    validateRequest({ model: "m", ...fields }, adapter, options);
    return null;
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return `${error.details.param}: ${error.message}`;
  }
}

describe("a request for embeddings", () => {
  test.each<[string, JsonObject]>([
    ["a text", { input: "hello" }],
    ["a list of texts", { input: ["a", "b"] }],
    ["token ids", { input: [1, 2, 0] }],
    ["lists of token ids", { input: [[1], [2, 3]] }],
    ["300,000 token ids", { input: [Array(150_000).fill(7), Array(150_000).fill(8)] }],
    ["2,048 texts", { input: Array(2_048).fill("a") }],
    [
      "options, and fields that are not known",
      { input: "a", dimensions: 8, encoding_format: "base64", input_type: "query" },
    ],
    ["options that are null", { input: "a", dimensions: null, encoding_format: null, user: null }],
  ])("takes %s", (_what, fields) => {
    expect(problemOf(fields)).toBeNull();
  });

  test.each<[JsonObject, string]>([
    [{}, "input: input must be a string, a list of strings, a list of token ids, or a list of such lists."],
    [{ input: null }, "input: input must be a string"],
    [{ input: { text: "a" } }, "input: input must be a string"],
    [{ input: "" }, "input: input must not be empty."],
    [{ input: [] }, "input: input must not be empty."],
    [{ input: ["a", ""] }, "input[1]: input[1] must not be empty."],
    [{ input: ["a", 1] }, "input[1]: input[1] must be a string, as input[0] is."],
    [{ input: [1, "a"] }, "input[1]: input[1] must be a token id: a whole number from 0."],
    [{ input: [1, -1] }, "input[1]: input[1] must be a token id"],
    [{ input: [1.5] }, "input[0]: input[0] must be a token id"],
    [{ input: [[1], []] }, "input[1]: input[1] must not be empty."],
    [{ input: [[1], [2, "x"]] }, "input[1][1]: input[1][1] must be a token id"],
    [{ input: [[1], "x"] }, "input[1]: input[1] must be a list of token ids, as input[0] is."],
    [{ input: [{ text: "a" }] }, "input[0]: input must be a string"],
    [{ input: Array(2_049).fill("a") }, "input: input must have at most 2048 entries."],
    [{ input: ["a", "b\0"] }, "input[1]: input[1] must be valid Unicode without NUL characters."],
    [{ input: Array(400_001).fill(1) }, "body: The body has more than 400000 values."],
    [{ input: "a", dimensions: 0 }, "dimensions: dimensions must be at least 1."],
    [{ input: "a", dimensions: "8" }, "dimensions: dimensions must be a number."],
    [
      { input: "a", encoding_format: "int8" },
      "encoding_format: encoding_format must be one of float, base64.",
    ],
    [{ input: "a", stream: true }, "stream: stream must be false: embeddings come as a whole."],
    [{ input: "a", api_base: "http://evil" }, "api_base: api_base is not accepted"],
  ])("is refused with the path of the field (%#)", (fields, problem) => {
    expect(problemOf(fields)).toMatch(new RegExp(`^${problem.replace(/[[\]().]/g, "\\$&")}`));
  });
});

describe("the tokens of a request for embeddings", () => {
  const counter = { count: async (text: string) => text.split(/\s+/).filter(Boolean).length };
  const counted = (input: unknown) => countPromptTokens({ input }, adapter.promptFields, counter);
  const estimated = (input: unknown) => estimateInputTokens({ input }, adapter.promptFields);

  test("are counted without frames; a token id is one token", async () => {
    expect(await counted([5, 6, 7])).toBe(3);
    expect(await counted([[5, 6], [7]])).toBe(3);
    expect(await counted("a b c d e f g h i j")).toBe(11); // and five percent
    expect(await counted(["a b c d e", "f g h i j"])).toBe(11);
  });

  test("are estimated for the hold above what a node may count, for many short texts too", () => {
    for (const input of [
      [5, 6, 7],
      [[5, 6], [7]],
    ])
      expect(estimated(input)).toBeGreaterThan(3);
    expect(estimated(Array(1_000).fill(1))).toBeLessThan(1_300);
    // Word and two marks of a sentence: three tokens a text.
    expect(estimated(Array(2_000).fill("a"))).toBeGreaterThan(6_000);
  });
});

describe("an answer with embeddings", () => {
  const passed = (json: string, choices = 1) => {
    const body = adapter.parseWhole?.(json) as JsonObject; // the answers here are objects
    const whole = adapter.direct.passWhole(json, body, { id: "", alias: "mine", request: {}, choices });
    const meter = new Meter(undefined, 0);
    for (const event of whole.events) meter.push(event);
    return { ...whole, meter, failure: whole.events.find(({ type }) => type === "error") };
  };
  const vectors = '"data":[ {"object":"embedding","index":0,"embedding":[1e-05,0.10,-3.0,1E2]} ]';

  test("passes byte for byte but for the model's name", () => {
    const json = `{"object":"list",\n${vectors},"model":"up-1","usage":{"prompt_tokens":5,"total_tokens":5}}`;
    const { wire, meter } = passed(json);
    expect(wire()).toBe(json.replace('"up-1"', '"mine"'));
    expect(meter.final({ input: 99, output: 99 })).toEqual({
      usage: { inputUncached: 5, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 },
      source: "upstream",
    });
  });

  test("keeps the bytes of its vectors when the node tells no usage: ours is added", () => {
    const { wire, meter } = passed(`{${vectors},"model":"up-1"}`);
    expect(meter.missing).toEqual({ input: true, output: false });
    expect(wire({ inputUncached: 7 })).toBe(
      `{${vectors},"model":"mine","usage":{"prompt_tokens":7,"total_tokens":7}}`,
    );
  });

  test.each<[string, unknown, number | undefined]>([
    ["prompt_tokens", { prompt_tokens: 4, total_tokens: 9 }, 4],
    ["total_tokens alone", { total_tokens: 9 }, 9],
    ["0, which nothing takes", { prompt_tokens: 0, total_tokens: 0 }, undefined],
    ["nonsense", { prompt_tokens: -3, total_tokens: "9" }, undefined],
    ["null", null, undefined],
  ])("has the usage of %s", (_what, usage, input) => {
    const { meter, wire } = passed(`{${vectors},"model":"up","usage":${JSON.stringify(usage)}}`);
    expect(meter.usage).toEqual({ output: 0, ...(input === undefined ? {} : { inputUncached: input }) });
    expect(JSON.parse(wire({ inputUncached: 6 }))).toMatchObject({
      model: "mine",
      data: [{ embedding: [1e-5, 0.1, -3, 100] }],
      usage: { prompt_tokens: 6, total_tokens: 6 },
    });
  });

  test("keeps its vectors where the place of the model's name is not clear", () => {
    for (const model of ['"model":"[1,2]"', '"odd":{"model":"x"},"model":"up"', '"other":1'])
      expect(JSON.parse(passed(`{${vectors},${model}}`).wire())).toMatchObject({
        model: "mine",
        data: [{ embedding: [1e-5, 0.1, -3, 100] }],
      });
  });

  test.each([
    ["an error", '{"error":{"message":"No.","type":"invalid_request_error"}}', 1],
    ["no list", '{"object":"list","model":"m"}', 1],
    ["an empty list", '{"data":[]}', 1],
    ["an entry without a vector", '{"data":[{"index":0}]}', 1],
    ["an empty vector", '{"data":[{"embedding":[]}]}', 1],
    ["fewer vectors than inputs", `{${vectors}}`, 2],
  ])("is a failure of the node when it has %s", (_what, json, choices) => {
    expect(passed(json, choices).failure).toBeDefined();
  });

  test("is a failure of the node when it is no object, or a stream", () => {
    const frames = adapter.decoder({ id: "" }).push({ event: null, data: "{}" });
    for (const events of [adapter.decodeWhole([], { id: "" }), frames])
      expect(events.map(({ type }) => type)).toEqual(["error"]);
  });
});

/** Source: docs/embeddings.md#answer. */
describe("vectors in the other form than the client asked for", () => {
  const numbers = [0.5, -0.25, 1];
  const base64 = Buffer.from(new Float32Array(numbers).buffer).toString("base64");
  const passed = (embedding: unknown, encoding_format?: string) => {
    const json = JSON.stringify({
      object: "list",
      model: "up",
      data: [embedding, embedding].map((one, index) => ({ object: "embedding", index, embedding: one })),
      usage: { prompt_tokens: 3, total_tokens: 3 },
    }).replace("0.5", "0.50");
    const body = adapter.parseWhole?.(json) as JsonObject;
    const request = encoding_format === undefined ? {} : { encoding_format };
    return adapter.direct.passWhole(json, body, { id: "1", alias: "alias", choices: 2, request }).wire();
  };

  test("are turned into it", () => {
    const vectors = (wire: string) => JSON.parse(wire).data.map((entry: JsonObject) => entry.embedding);
    expect(vectors(passed(numbers, "base64"))).toEqual([base64, base64]);
    expect(vectors(passed(base64, "float"))).toEqual([numbers, numbers]);
  });

  test("pass byte for byte where the form is right, or none was asked for", () => {
    expect(passed(numbers, "float")).toContain("[0.50,-0.25,1]");
    expect(passed(numbers)).toContain("[0.50,-0.25,1]");
    expect(passed(base64)).toContain(`"embedding":"${base64}"`);
    expect(passed(base64, "base64")).toContain(`"embedding":"${base64}"`);
  });
});
