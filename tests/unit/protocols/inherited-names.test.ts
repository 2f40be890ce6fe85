import { describe, expect, test } from "vitest";
import { isGatewayError } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { prepareFor, validated } from "@/tests/unit/protocols/requests/support";
import { goodStreams } from "./fixtures";
import { streamThrough } from "./pipeline";

/** Names that every plain object answers to; a table must not. */
const inherited = Object.getOwnPropertyNames(Object.prototype);

const parameters = { type: "object", properties: { a: { $ref: "#/definitions/b" } }, definitions: { b: {} } };
const url = "data:image/png;base64,iVBORw0KGgo=";

const bodies: Readonly<Record<Protocol, JsonObject>> = {
  chat: {
    model: "m",
    service_tier: "auto",
    reasoning_effort: "high",
    response_format: { type: "json_schema", json_schema: { name: "r", schema: parameters, strict: true } },
    tools: [
      { type: "function", function: { name: "f", parameters, strict: true } },
      { type: "custom", custom: { name: "g", format: { type: "grammar", syntax: "lark" } } },
    ],
    tool_choice: { type: "function", function: { name: "f" } },
    messages: [
      { role: "system", content: [{ type: "text", text: "S" }] },
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url, detail: "low" } },
          { type: "file", file: { filename: "a.txt", file_data: "YQ==" } },
        ],
      },
      {
        role: "assistant",
        content: [{ type: "refusal", refusal: "no" }],
        reasoning_details: [{ type: "reasoning.text", text: "t", signature: "s", index: 0 }],
        tool_calls: [{ id: "x", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "x", content: [{ type: "text", text: "ok" }] },
      { role: "user", content: "end" },
    ],
  },
  messages: {
    model: "m",
    max_tokens: 5_000,
    thinking: { type: "enabled", budget_tokens: 2_000 },
    output_config: { effort: "high", format: { type: "json_schema", schema: parameters } },
    tools: [
      { type: "custom", name: "f", input_schema: parameters },
      { type: "web_search_20250305", name: "web_search", user_location: { type: "approximate" } },
    ],
    tool_choice: { type: "tool", name: "f" },
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
          { type: "document", source: { type: "content", content: [{ type: "text", text: "x" }] } },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "x", name: "f", input: { a: "1" } }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "x", content: [{ type: "text", text: "x" }] },
          { type: "text", text: "end" },
        ],
      },
    ],
  },
  responses: {
    model: "m",
    service_tier: "auto",
    truncation: "disabled",
    reasoning: { effort: "high", summary: "auto" },
    text: { format: { type: "json_schema", name: "r", schema: parameters }, verbosity: "low" },
    include: ["reasoning.encrypted_content"],
    tools: [
      { type: "function", name: "f", parameters },
      { type: "custom", name: "g", format: { type: "grammar", syntax: "lark", definition: "d" } },
      { type: "namespace", name: "n", tools: [{ type: "function", name: "f", parameters }] },
      { type: "web_search", search_context_size: "low", user_location: { type: "approximate" } },
      { type: "tool_search", execution: "client" },
    ],
    tool_choice: { type: "function", name: "f", namespace: "n" },
    input: [
      { type: "message", role: "developer", content: [{ type: "input_text", text: "S" }] },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "a" },
          { type: "input_image", image_url: url, detail: "low" },
          { type: "input_file", filename: "a.txt", file_data: "YQ==" },
        ],
      },
      { type: "reasoning", summary: [{ type: "summary_text", text: "t" }] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "b" }] },
      { type: "web_search_call", status: "completed", action: { type: "search" } },
      { type: "function_call", call_id: "x", name: "f", namespace: "n", arguments: "{}" },
      { type: "function_call_output", call_id: "x", output: [{ type: "input_text", text: "ok" }] },
      { type: "additional_tools", tools: [{ type: "function", name: "h" }] },
      { type: "telepathy" },
    ],
  },
  gemini: {
    model: "m",
    serviceTier: "auto",
    generationConfig: {
      responseMimeType: "application/json",
      responseJsonSchema: parameters,
      thinkingConfig: { thinkingLevel: "HIGH" },
      mediaResolution: "MEDIA_RESOLUTION_LOW",
    },
    safetySettings: [{ category: "c", threshold: "t" }],
    systemInstruction: { role: "user", parts: [{ text: "S" }] },
    tools: [
      { functionDeclarations: [{ name: "f", description: "d", parametersJsonSchema: parameters }] },
      {
        functionDeclarations: [
          { name: "g", parameters: { type: "OBJECT", properties: { a: { type: "STRING" } } } },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
    contents: [
      {
        role: "user",
        parts: [
          { text: "a" },
          { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
          { inlineData: { mimeType: "text/plain", data: "YQ==" } },
        ],
      },
      {
        role: "model",
        parts: [
          { text: "t", thought: true },
          { functionCall: { id: "x", name: "f", args: { a: "1" } }, thoughtSignature: "U0lH" },
          { executableCode: { language: "PYTHON", code: "1" } },
        ],
      },
      {
        role: "user",
        parts: [{ functionResponse: { id: "x", name: "f", response: { output: "ok" } } }, { text: "end" }],
      },
    ],
  },
};

const models: Readonly<Record<Protocol, string>> = {
  chat: "gpt-5.1",
  messages: "claude-sonnet-4-5",
  responses: "gpt-5.1",
  gemini: "gemini-3-pro",
};

type Place = readonly (string | number)[];

function pathsOfTexts(value: unknown, path: Place = []): Place[] {
  if (typeof value === "string") return [path];
  const inner = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return inner.flatMap(([key, child]) => pathsOfTexts(child, [...path, key]));
}

/** The body with a text at one place, and `data:<text>;base64,` where a data URL stood. */
function withText(body: JsonObject, path: Place, text: string): JsonObject {
  const copy = structuredClone(body);
  let holder: unknown = copy;
  for (const step of path.slice(0, -1)) holder = (holder as Record<string | number, unknown>)[step];
  const last = holder as Record<string | number, unknown>;
  const name = path.at(-1) ?? "";
  last[name] = last[name] === url ? url.replace("image/png", text) : text;
  return copy;
}

describe.each(protocolIds)("a %s request with the name of an inherited member in it", (client) => {
  const body = bodies[client];
  test.each(protocolIds)("is written for a %s node or refused as the client's mistake", (upstream) => {
    let written = 0;
    for (const compatibility of ["standard", "lenient", "strict"] as const)
      for (const path of pathsOfTexts(body))
        for (const name of inherited)
          try {
            const checked = validated(withText(body, path, name), client, { compatibility });
            const way = {
              clientProtocol: client,
              upstreamProtocol: upstream,
              upstreamModel: models[upstream],
            };
            const { body: sent, losses } = prepareFor(checked, { ...way, compatibility });
            expect(losses.join("\n")).not.toMatch(/native code|\[object/);
            expect(JSON.stringify(sent)).not.toMatch(/native code|\[object/);
            written += 1;
          } catch (error) {
            if (!isGatewayError(error) || error.code !== "INVALID_REQUEST") throw error;
            expect(error.message).not.toMatch(/native code|\[object/);
          }
    expect(written).toBeGreaterThan(50);
  });
});

const unknownType = (type: string) => ({ type });

test.each(inherited)("%s is an unknown type of items, parts and tools, wherever they stand", (name) => {
  const user = { role: "user", content: [{ type: "input_text", text: "x" }, unknownType(name)] };
  const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
  const output = [{ type: "input_text", text: "x" }, unknownType(name)];
  const input = [user, unknownType(name), call, { type: "function_call_output", call_id: "c", output }];
  const members = { type: "namespace", name: "n", tools: [unknownType(name)] };
  const checked = validated({ model: "m", input, tools: [unknownType(name), members] }, "responses");
  for (const upstreamProtocol of ["chat", "messages"] as const) {
    const { losses } = prepareFor(checked, { clientProtocol: "responses", upstreamProtocol });
    expect(losses).toContain(`dropped:${name}`);
  }
});

/** An event of a node with any text in it replaced, one at a time. */
function* altered(sse: string): Generator<string> {
  const lines = sse.split("\n");
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith("data: {")) continue;
    const payload: JsonObject = JSON.parse(line.slice(6));
    for (const path of pathsOfTexts(payload))
      for (const name of ["constructor", "__proto__", "toString"])
        yield lines.with(at, `data: ${JSON.stringify(withText(payload, path, name))}`).join("\n");
  }
}

const plainEvent = (event: GenerationEvent): boolean =>
  Object.values(event).every((value) => typeof value !== "function");

test.each(goodStreams)("$upstream $name may name inherited members", ({ upstream, sse }) => {
  for (const text of altered(sse))
    for (const client of protocolIds) {
      const { wire, events } = streamThrough({ upstream, client }, text);
      expect(wire).not.toMatch(/native code|\[object/);
      expect(events.every(plainEvent)).toBe(true);
    }
});

test.each(inherited)("%s is an unknown kind of failure", (name) => {
  const error = { type: name, code: name, message: `&${name};` };
  for (const upstream of protocolIds) {
    const sse = `event: error\ndata: ${JSON.stringify({ type: "error", error })}\n\n`;
    const { failure } = streamThrough({ upstream, client: "chat" }, sse);
    expect(JSON.parse(JSON.stringify(failure))).toEqual(failure);
  }
});
