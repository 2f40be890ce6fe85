import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { type ContextChoice, prepareFor, refusalOf, validated } from "../requests/support";

/** What a Gemini node gets of a chat request. */
function rendered(body: JsonObject, choice: ContextChoice = {}) {
  const request = { model: "alias-1", messages: [{ role: "user", content: "Hi" }], ...body };
  return prepareFor(validated(request, "chat"), {
    upstreamProtocol: "gemini",
    upstreamModel: "gemini-3-pro",
    ...choice,
  });
}

const tool = (name: string, parameters: JsonObject = { type: "object", properties: {} }) => ({
  type: "function",
  function: { name, description: `does ${name}`, parameters },
});

const config = (body: JsonObject, upstreamModel = "gemini-3-pro") =>
  rendered(body, { upstreamModel }).body.generationConfig as JsonObject;

/** Source: docs/gemini.md#to-nodes. */
describe("the parameters of a Gemini request", () => {
  test("stand in generationConfig", () => {
    const asked = { max_tokens: 50, temperature: 0.5, top_p: 0.9, stop: ["a", "b"], n: 2, logprobs: true };
    expect(config({ ...asked, top_logprobs: 3 })).toMatchObject({
      maxOutputTokens: 50,
      temperature: 0.5,
      topP: 0.9,
      stopSequences: ["a", "b"],
      candidateCount: 2,
      responseLogprobs: true,
      logprobs: 3,
    });
  });

  test("seed and penalties are those of chat", () => {
    const asked = { seed: 7, frequency_penalty: 0.5, presence_penalty: -0.5 };
    expect(config(asked)).toMatchObject({ seed: 7, frequencyPenalty: 0.5, presencePenalty: -0.5 });
    expect(rendered(asked).losses.join()).not.toMatch(/seed|penalty/);
    const messages = prepareFor(
      validated({ model: "m", messages: [{ role: "user", content: "q" }], ...asked }, "chat"),
      {
        upstreamProtocol: "messages",
      },
    );
    expect(messages.losses).toEqual(
      expect.arrayContaining(["dropped:seed", "dropped:frequency_penalty", "dropped:presence_penalty"]),
    );
  });

  test("have no model and no stream: both are in the path", () => {
    const { body, stream } = rendered({ stream: true });
    expect(Object.keys(body).sort()).toEqual(["contents", "generationConfig"]);
    expect(stream).toBe(true);
  });

  test("more than five stop sequences end the answer at the gateway", () => {
    const stop = ["a", "b", "c", "d"];
    const { body, stops } = prepareFor(
      validated(
        {
          model: "m",
          max_tokens: 9,
          messages: [{ role: "user", content: "q" }],
          stop_sequences: [...stop, "e", "f"],
        },
        "messages",
      ),
      { clientProtocol: "messages", upstreamProtocol: "gemini" },
    );
    expect(stops).toEqual([...stop, "e", "f"]);
    expect(body.generationConfig).not.toHaveProperty("stopSequences");
  });

  test("fields without an equivalent are told", () => {
    const { losses } = rendered({ logit_bias: { 1: 2 }, user: "u", verbosity: "low" });
    expect(losses).toEqual(
      expect.arrayContaining(["dropped:logit_bias", "dropped:user", "dropped:verbosity"]),
    );
  });
});

/** Source: docs/gemini.md#thinking. */
describe("thinking", () => {
  const think = (effort: string, model: string) =>
    config({ reasoning_effort: effort, max_tokens: 60_000 }, model).thinkingConfig;

  test.each([
    ["none", { thinkingLevel: "MINIMAL" }],
    ["minimal", { thinkingLevel: "MINIMAL" }],
    ["low", { thinkingLevel: "LOW" }],
    ["medium", { thinkingLevel: "MEDIUM" }],
    ["high", { thinkingLevel: "HIGH" }],
    ["xhigh", { thinkingLevel: "HIGH" }],
  ])("of family 3 is a level: %s", (effort, wanted) => {
    expect(think(effort, "gemini-3.1-pro")).toEqual({ includeThoughts: true, ...wanted });
  });

  test.each([
    ["none", "gemini-2.5-flash", 0],
    ["none", "gemini-2.5-pro", 128],
    ["low", "gemini-2.5-flash-lite", 1024],
    ["minimal", "gemini-2.5-flash-lite", 512],
    ["high", "gemini-2.5-pro", 24_576],
    ["xhigh", "gemini-2.5-pro", 32_768],
  ])("of 2.5 is a budget: %s at %s", (effort, model, thinkingBudget) => {
    expect(think(effort, model)).toEqual({ includeThoughts: true, thinkingBudget });
  });

  test("stays below the output limit, which includes it", () => {
    const asked = { reasoning_effort: "high", max_tokens: 2_000 };
    expect(config(asked, "gemini-2.5-pro").thinkingConfig).toMatchObject({ thinkingBudget: 1_999 });
  });

  test("a model without it gets none, and the wish is told", () => {
    const { body, losses } = rendered({ reasoning_effort: "high" }, { upstreamModel: "gemini-2.0-flash" });
    expect(body.generationConfig).not.toHaveProperty("thinkingConfig");
    expect(losses).toContain("dropped:reasoning_effort");
  });

  test("is shown unless the client hides it", () => {
    expect(config({}).thinkingConfig).toEqual({ includeThoughts: true });
    expect(config({ include_reasoning: false })).not.toHaveProperty("thinkingConfig");
  });
});

describe("tools", () => {
  test("are declared with JSON schemas in the node's words", () => {
    const schema = {
      $schema: "x",
      type: "object",
      properties: {
        n: { type: "integer", exclusiveMinimum: 2, multipleOf: 2 },
        kind: { const: "a" },
        maybe: { type: "string", nullable: true },
        ref: { $ref: "#/definitions/d", description: "gone" },
      },
      definitions: { d: { allOf: [{ type: "object", properties: { a: {} } }, { required: ["a"] }] } },
    };
    const { body, losses } = rendered({ tools: [tool("f", schema)], tool_choice: "required" });
    expect(body.tools).toEqual([
      {
        functionDeclarations: [
          {
            name: "f",
            description: "does f",
            parametersJsonSchema: {
              type: "object",
              properties: {
                n: { type: "integer", minimum: 3 },
                kind: { enum: ["a"] },
                maybe: { type: ["string", "null"] },
                ref: { $ref: "#/$defs/d" },
              },
              $defs: { d: { type: "object", properties: { a: {} }, required: ["a"] } },
            },
          },
        ],
      },
    ]);
    expect(losses).toContain("schema:multipleOf");
    expect(body.toolConfig).toEqual({ functionCallingConfig: { mode: "ANY" } });
  });

  test("one tool that must be called is named; others stay", () => {
    const choice = { type: "function", function: { name: "g" } };
    const { body } = rendered({ tools: [tool("f"), tool("g")], tool_choice: choice });
    expect(body.toolConfig).toEqual({ functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["g"] } });
  });

  test("one call at a time cuts the answer", () => {
    const { singleToolCall, losses } = rendered({ tools: [tool("f")], parallel_tool_calls: false });
    expect(singleToolCall).toBe(true);
    expect(losses).toContain("changed:disable_parallel_tool_use");
  });

  test("a web search runs only with a price", () => {
    const asked = { tools: [tool("f")], web_search_options: {} };
    const priced = rendered(asked, { perCall: { webSearch: 1n } });
    expect(priced.body.tools).toContainEqual({ googleSearch: {} });
    expect(priced.offeredCalls).toMatchObject({ tools: ["webSearch"] });
    const unpriced = rendered(asked);
    expect(unpriced.body.tools).not.toContainEqual({ googleSearch: {} });
    expect(unpriced.losses.join()).toContain("web_search");
  });

  test("below family 3 no JSON is asked for beside functions but in words", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const asked = { response_format: { type: "json_schema", json_schema: { name: "s", schema } } };
    expect(config(asked, "gemini-2.5-pro")).toMatchObject({
      responseMimeType: "application/json",
      responseJsonSchema: schema,
    });
    const beside = rendered({ ...asked, tools: [tool("f")] }, { upstreamModel: "gemini-2.5-pro" });
    expect(beside.body.generationConfig).not.toHaveProperty("responseMimeType");
    expect(beside.jsonInWords).toBe(true);
    expect(config({ ...asked, tools: [tool("f")] })).toHaveProperty("responseJsonSchema");
  });

  test("schemas go in the older form to a node without fields for JSON schemas", () => {
    const schema = { type: "object", properties: { a: { type: ["string", "null"] } } };
    const older = { type: "object", properties: { a: { type: "string", nullable: true } } };
    const { body } = rendered(
      {
        response_format: { type: "json_schema", json_schema: { name: "s", schema } },
        tools: [tool("f", schema), tool("g")],
      },
      { profile: { jsonSchema: false } },
    );
    expect(body.generationConfig).toMatchObject({ responseSchema: older });
    expect(body.generationConfig).not.toHaveProperty("responseJsonSchema");
    expect(body.tools).toEqual([
      {
        functionDeclarations: [
          { name: "f", description: "does f", parameters: older },
          { name: "g", description: "does g" },
        ],
      },
    ]);
  });
});

describe("the history", () => {
  const calls = (...names: string[]) => ({
    role: "assistant",
    tool_calls: names.map((name, at) => ({
      id: `call_${name}${at}`,
      type: "function",
      function: { name, arguments: `{"at":${at}}` },
    })),
  });
  const result = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content });
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "q" },
    calls("f", "g"),
    result("call_g1", "second"),
    result("call_f0", "first"),
    { role: "user", content: "and?" },
  ];

  test("has all results behind their calls, in the order of the calls", () => {
    const { body } = rendered(
      { messages, tools: [tool("f"), tool("g")] },
      { upstreamModel: "gemini-2.5-pro" },
    );
    expect(body.systemInstruction).toEqual({ parts: [{ text: "Be brief." }] });
    expect(body.contents).toEqual([
      { role: "user", parts: [{ text: "q" }] },
      {
        role: "model",
        parts: [
          { functionCall: { id: "call_f0", name: "f", args: { at: 0 } } },
          { functionCall: { id: "call_g1", name: "g", args: { at: 1 } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "call_f0", name: "f", response: { output: "first" } } },
          { functionResponse: { id: "call_g1", name: "g", response: { output: "second" } } },
          { text: "and?" },
        ],
      },
    ]);
  });

  test("has no ids for a node without them", () => {
    const { body } = rendered({ messages, tools: [tool("f")] }, { profile: { callIds: false } });
    expect(JSON.stringify(body)).not.toContain("call_");
  });

  test.each([
    ["gemini-3-pro", true],
    ["gemini-2.5-pro", false],
  ])("of %s has the stand-in where a signature is required: %s", (upstreamModel, isRequired) => {
    const { body, losses } = rendered(
      { messages: messages.slice(0, -1), tools: [tool("f")] },
      { upstreamModel },
    );
    const parts = (body.contents as { parts: JsonObject[] }[])[1]?.parts;
    expect(parts?.map(({ thoughtSignature }) => thoughtSignature)).toEqual([
      isRequired ? "skip_thought_signature_validator" : undefined,
      undefined,
    ]);
    expect(losses.includes("signature:dummy")).toBe(isRequired);
  });

  test("before the current turn needs none", () => {
    const standIns = (turns: JsonObject[]) => {
      const { body } = rendered({ messages: [...messages.slice(0, -1), ...turns], tools: [tool("f")] });
      return JSON.stringify(body).match(/skip_thought/g)?.length ?? 0;
    };
    const next = [calls("h"), result("call_h0", "third")];
    expect(standIns(next)).toBe(2);
    const answered = { role: "assistant", content: "Both." };
    expect(standIns([answered, { role: "user", content: "and?" }, ...next])).toBe(1);
    expect(standIns([answered, { role: "user", content: "and?" }])).toBe(0);
  });

  test("begins and ends with the user", () => {
    const { body, losses } = rendered({
      messages: [
        { role: "assistant", content: "a" },
        { role: "user", content: "b" },
        { role: "assistant", content: "c" },
      ],
    });
    expect((body.contents as JsonObject[]).map(({ role }) => role)).toEqual([
      "user",
      "model",
      "user",
      "model",
      "user",
    ]);
    expect(losses).toEqual(expect.arrayContaining(["added:first_user_turn", "added:last_user_turn"]));
  });

  test("has pictures, sound and files as data", () => {
    const png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const content = [
      { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
      { type: "image_url", image_url: { url: "https://example.com/a.webp?x=1" } },
      { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
    ];
    const { body } = rendered({ messages: [{ role: "user", content }] });
    expect((body.contents as { parts: JsonObject[] }[])[0]?.parts).toEqual([
      { inlineData: { mimeType: "image/png", data: png } },
      { fileData: { mimeType: "image/webp", fileUri: "https://example.com/a.webp?x=1" } },
      { inlineData: { mimeType: "audio/wav", data: "UklGRg==" } },
      { text: "a.pdf" },
      { inlineData: { mimeType: "application/pdf", data: "JVBERi0=" } },
    ]);
  });

  test("a result without its call names the client's field", () => {
    const orphan = [{ role: "user", content: "q" }, result("call_x", "?")];
    expect(refusalOf(() => rendered({ messages: orphan })).message).toContain("messages");
  });
});
