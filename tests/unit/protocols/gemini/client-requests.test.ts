import { describe, expect, it, test } from "vitest";
import { isGatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import { asking, parsed } from "./client-support";

function paramOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    if (isGatewayError(error)) return error.details.param;
    throw error;
  }
  return null;
}

const partsOf = (parts: JsonObject[], role = "user") =>
  parsed({ contents: [{ role, parts }] }).turns.flatMap((turn) => turn.parts);

describe("names", () => {
  it("are taken in snake_case at every level, but for those of the caller", () => {
    const request = parsed({
      contents: [
        { role: "user", parts: [{ text: "hi" }] },
        { role: "model", parts: [{ function_call: { name: "look_up", args: { my_key: 1 } } }] },
        {
          role: "user",
          parts: [{ function_response: { name: "look_up", response: { output: { a_b: 1 } } } }],
        },
      ],
      system_instruction: { parts: [{ text: "S" }] },
      generation_config: { max_output_tokens: 7, thinking_config: { thinking_budget: 0 } },
      tools: [
        {
          function_declarations: [
            { name: "look_up", parameters: { type: "OBJECT", properties: { a_b: { any_of: [] } } } },
          ],
        },
      ],
      tool_config: { function_calling_config: { mode: "ANY", allowed_function_names: ["look_up"] } },
    });
    expect(request.outputLimit).toBe(7);
    expect(request.reasoning.wish).toMatchObject({ kind: "effort", effort: "none" });
    expect(request.instructions[0]?.parts).toMatchObject([{ text: "S" }]);
    expect(request.turns[1]?.parts).toMatchObject([{ kind: "tool_call", input: { my_key: 1 } }]);
    expect(request.turns[2]?.parts).toMatchObject([{ kind: "tool_result", content: '{"a_b":1}' }]);
    expect(request.tools).toMatchObject([{ parameters: { properties: { a_b: { anyOf: [] } } } }]);
    expect(request.toolChoice).toMatchObject({ kind: "one", name: "look_up" });
  });

  it("are refused under both forms", () => {
    const both = { topK: 1, top_k: 2 };
    expect(paramOf(() => parsed(asking({ generationConfig: both })))).toBe("generationConfig.topK");
  });
});

describe("contents", () => {
  it("may be one object, and its role the user's", () => {
    const { turns } = parsed({ contents: { parts: [{ text: "hi" }] } });
    expect(turns).toMatchObject([{ role: "user", parts: [{ text: "hi" }] }]);
  });

  it.each<[string, unknown, string]>([
    ["none", [], "contents"],
    ["no parts", [{ role: "user", parts: [] }], "contents[0].parts"],
    ["an unknown role", [{ role: "system", parts: [{ text: "a" }] }], "contents[0].role"],
    ["an empty part", [{ role: "user", parts: [{}] }], "contents[0].parts[0]"],
    [
      "broken base64",
      [{ parts: [{ inlineData: { mimeType: "image/png", data: "%%" } }] }],
      "contents[0].parts[0].inlineData.data",
    ],
  ])("are refused with %s, by the field", (_what, contents, field) => {
    expect(paramOf(() => parsed({ contents }))).toBe(field);
  });

  it("become parts by their kind", () => {
    expect(
      partsOf([
        { text: "hi" },
        { inlineData: { mimeType: "image/png", data: "ab-_" } },
        { inlineData: { mimeType: "application/pdf", data: "JVBERi0=", displayName: "a.pdf" } },
        { inlineData: { mimeType: "text/plain", data: "aGk=" } },
        { inlineData: { mimeType: "audio/wav", data: "aGk=" } },
        { inlineData: { mimeType: "video/mp4", data: "aGk=" } },
        { fileData: { fileUri: "https://a.example/b.png", mimeType: "image/png" } },
        { fileData: { fileUri: "gs://a/b.pdf", mimeType: "application/pdf" } },
        { fileData: { fileUri: "https://youtu.be/x" } },
        { newKind: { a: 1 } },
      ]),
    ).toMatchObject([
      { kind: "text", text: "hi", source: "contents[0].parts[0].text" },
      { kind: "image", media: { form: "data", mediaType: "image/png", data: "ab+/" } },
      { kind: "document", title: "a.pdf", media: { form: "data", mediaType: "application/pdf" } },
      { kind: "document", media: { form: "text", text: "hi" } },
      { kind: "audio", source: "contents[0].parts[4].inlineData" },
      { kind: "native", type: "video", text: null },
      { kind: "image", media: { form: "url", url: "https://a.example/b.png" } },
      { kind: "document", media: { form: "other" } },
      { kind: "native", type: "video" },
      { kind: "native", type: "newKind", text: null },
    ]);
  });

  it("keep what the vendor's own tools did as text", () => {
    expect(
      partsOf(
        [
          { executableCode: { language: "PYTHON", code: "1" } },
          { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1\n" } },
          { text: "why", thought: true },
        ],
        "model",
      ),
    ).toMatchObject([
      { kind: "server_step", text: "```python\n1\n```" },
      { kind: "server_step", text: "1\n" },
      { kind: "reasoning", text: "why" },
    ]);
  });
});

describe("calls and results", () => {
  const loop = (calls: JsonObject[], results: JsonObject[]) => {
    const { turns } = parsed({
      contents: [
        { role: "user", parts: [{ text: "hi" }] },
        { role: "model", parts: calls.map((functionCall) => ({ functionCall })) },
        { role: "user", parts: results.map((functionResponse) => ({ functionResponse })) },
      ],
    });
    const ids = (index: number) =>
      turns[index]?.parts.map((part) =>
        part.kind === "tool_call" || part.kind === "tool_result" ? part.callId : "",
      );
    return { calls: ids(1), results: ids(2) };
  };
  const response = { output: "x" };

  test("without ids are paired by name, in order", () => {
    const calls = [{ name: "a" }, { name: "b" }, { name: "a" }];
    const results = [
      { name: "b", response },
      { name: "a", response },
      { name: "a", response },
    ];
    expect(loop(calls, results)).toEqual({
      calls: ["call_1_0", "call_1_1", "call_1_2"],
      results: ["call_1_1", "call_1_0", "call_1_2"],
    });
  });

  test("are paired by id where both have one, and by name where only one has", () => {
    const calls = [{ name: "a", id: "x" }, { name: "a", id: "y" }, { name: "b" }];
    const results = [
      { name: "a", response },
      { name: "a", id: "x", response },
      { name: "b", id: "z", response },
    ];
    expect(loop(calls, results).results).toEqual(["y", "x", "call_1_2"]);
  });

  test("keep the id of a result without a call, for the one rule of histories", () => {
    expect(loop([{ name: "a", id: "x" }], [{ name: "b", id: "q", response }]).results).toEqual(["q"]);
  });

  test.each<[JsonObject | undefined, string, boolean]>([
    [{ output: "text" }, "text", false],
    [{ output: { a: 1 } }, '{"a":1}', false],
    [{ error: "broke" }, "broke", true],
    [{ temperature: 3 }, '{"temperature":3}', false],
    [{}, "{}", false],
    [undefined, "{}", false],
  ])("a response %j is read as %j", (given, content, isError) => {
    const [part] = partsOf([{ functionResponse: { name: "a", response: given } }]);
    expect(part).toMatchObject({ kind: "tool_result", name: "a", content, isError });
  });

  test("media of a response join its text", () => {
    const parts = [{ inlineData: { mimeType: "image/png", data: "aGk=" } }];
    const [part] = partsOf([{ functionResponse: { name: "a", response: { output: "t" }, parts } }]);
    expect(part).toMatchObject({ content: [{ kind: "text", text: "t" }, { kind: "image" }] });
  });
});

describe("signatures", () => {
  it("become reasoning directly before their part, and after a text where the part is empty", () => {
    const parts = partsOf(
      [
        { text: "a", thoughtSignature: "c2lnMQ==" },
        { functionCall: { name: "f", args: {} }, thoughtSignature: "c2lnMg==" },
        { text: "", thoughtSignature: "c2lnMw==" },
      ],
      "model",
    );
    expect(parts.map((part) => (part.kind === "reasoning" ? part.sealed : part.kind))).toEqual([
      "c2lnMQ==",
      "text",
      "c2lnMg==",
      "tool_call",
      "c2lnMw==",
    ]);
  });

  it("in place of which clients send a word say nothing", () => {
    const word = "skip_thought_signature_validator";
    for (const thoughtSignature of [word, Buffer.from(word).toString("base64")]) {
      const parts = partsOf([{ functionCall: { name: "f" }, thoughtSignature }], "model");
      expect(parts.map(({ kind }) => kind)).toEqual(["tool_call"]);
    }
  });
});

describe("options", () => {
  const config = (generationConfig: JsonObject) => parsed(asking({ generationConfig }));

  it.each<[JsonObject, object | null, boolean]>([
    [{}, null, true],
    [{ includeThoughts: true }, { kind: "shown" }, false],
    [{ thinkingLevel: "low" }, { kind: "effort", effort: "low" }, true],
    [{ thinkingLevel: "XHIGH", includeThoughts: true }, { kind: "effort", effort: "xhigh" }, false],
    [{ thinkingBudget: 0 }, { kind: "effort", effort: "none" }, true],
    [{ thinkingBudget: -1 }, { kind: "mode", mode: "adaptive" }, true],
    [{ thinkingBudget: 512 }, { kind: "budget", budget: 512 }, true],
  ])("thinkingConfig %j", (thinkingConfig, wish, hidden) => {
    const { reasoning } = config({ thinkingConfig });
    expect(reasoning.hidden).toBe(hidden);
    if (wish === null) expect(reasoning.wish).toBeNull();
    else expect(reasoning.wish).toMatchObject(wish);
  });

  it("say the form of the answer", () => {
    expect(config({ responseMimeType: "text/plain" }).outputFormat).toBeNull();
    expect(config({ responseMimeType: "application/json" }).outputFormat).toMatchObject({ kind: "json" });
    const responseSchema = {
      type: "OBJECT",
      nullable: true,
      propertyOrdering: ["a"],
      properties: { a: { type: "ARRAY", minItems: "2", items: { type: "STRING", format: "enum" } } },
    };
    expect(config({ responseMimeType: "application/json", responseSchema }).outputFormat).toEqual({
      kind: "json_schema",
      schema: {
        type: ["object", "null"],
        properties: { a: { type: "array", minItems: 2, items: { type: "string" } } },
      },
      name: null,
      description: null,
      strict: true,
      source: "generationConfig.responseSchema",
    });
  });

  it.each<[JsonObject, string]>([
    [
      { thinkingConfig: { thinkingLevel: "LOW", thinkingBudget: 1 } },
      "generationConfig.thinkingConfig.thinkingBudget",
    ],
    [{ thinkingConfig: { thinkingLevel: "LOUD" } }, "generationConfig.thinkingConfig.thinkingLevel"],
    [{ responseSchema: {}, responseJsonSchema: {} }, "generationConfig.responseJsonSchema"],
    [{ responseMimeType: "image/png" }, "generationConfig.responseMimeType"],
    [{ temperature: 2.1 }, "generationConfig.temperature"],
    [{ candidateCount: 9 }, "generationConfig.candidateCount"],
    [{ stopSequences: ["a", "b", "c", "d", "e", "f"] }, "generationConfig.stopSequences"],
  ])("refuses %j by its field", (generationConfig, field) => {
    expect(paramOf(() => config(generationConfig))).toBe(field);
  });

  it("reads the numbers", () => {
    const request = config({
      temperature: 1.5,
      topP: 0.5,
      topK: 3,
      seed: 4,
      presencePenalty: 1,
      stopSequences: ["X"],
      candidateCount: 2,
      responseLogprobs: true,
      logprobs: 4,
      responseModalities: ["TEXT", "IMAGE"],
    });
    expect(request).toMatchObject({
      sampling: {
        temperature: 1.5,
        topP: 0.5,
        topK: 3,
        seed: 4,
        frequencyPenalty: null,
        presencePenalty: 1,
      },
      stop: ["X"],
      choices: 2,
      logProbabilities: { top: 4 },
      otherModalities: true,
    });
  });

  it("reads the service tier", () => {
    expect(parsed(asking({ serviceTier: "flex" })).serviceTier).toBe("flex");
    expect(parsed(asking({ serviceTier: "unspecified" })).serviceTier).toBeNull();
  });
});

describe("tools", () => {
  const declared = (...names: string[]) => ({ functionDeclarations: names.map((name) => ({ name })) });
  const chosen = (functionCallingConfig: JsonObject) =>
    parsed(asking({ tools: [declared("a", "b")], toolConfig: { functionCallingConfig } }));

  it("of several entries are one list, and the vendor's own among them are hosted", () => {
    const { tools } = parsed(asking({ tools: [declared("a"), { ...declared("b"), googleSearch: {} }] }));
    expect(tools).toMatchObject([
      { kind: "function", name: "a", source: "tools[0].functionDeclarations[0]" },
      { kind: "function", name: "b", source: "tools[1].functionDeclarations[0]" },
      { kind: "hosted", type: "googleSearch", source: "tools[1].googleSearch", missing: "refused" },
    ]);
  });

  it.each<[JsonObject, object]>([
    [{ mode: "AUTO" }, { kind: "auto" }],
    [{ mode: "NONE" }, { kind: "none" }],
    [{ mode: "ANY" }, { kind: "required" }],
    [
      { mode: "any", allowedFunctionNames: ["a"] },
      { kind: "one", name: "a" },
    ],
    [
      { mode: "ANY", allowedFunctionNames: ["a", "b"] },
      { kind: "allowed", required: true },
    ],
    [{ mode: "VALIDATED" }, { kind: "auto" }],
    [
      { mode: "VALIDATED", allowedFunctionNames: ["a"] },
      { kind: "allowed", required: false },
    ],
  ])("choice %j", (choice, neutral) => {
    expect(chosen(choice).toolChoice).toMatchObject(neutral);
  });

  it("are refused with two schemas, a bad name or an unknown mode", () => {
    const two = [{ functionDeclarations: [{ name: "a", parameters: {}, parametersJsonSchema: {} }] }];
    expect(paramOf(() => parsed(asking({ tools: two })))).toBe(
      "tools[0].functionDeclarations[0].parametersJsonSchema",
    );
    expect(paramOf(() => parsed(asking({ tools: [declared("a b")] })))).toBe(
      "tools[0].functionDeclarations[0].name",
    );
    expect(paramOf(() => chosen({ mode: "SOME" }))).toBe("toolConfig.functionCallingConfig.mode");
  });

  it("whose arguments should come in pieces are told as a loss", () => {
    expect(chosen({ streamFunctionCallArguments: true }).notes).toEqual([
      "dropped:toolConfig.functionCallingConfig.streamFunctionCallArguments",
    ]);
  });
});
