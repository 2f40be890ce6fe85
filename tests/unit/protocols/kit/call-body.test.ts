import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { bodyOf } from "@/lib/protocols/kit/call-body";
import { type CallInput, noOptions } from "@/lib/protocols/kit/call-input";
import { requestOf } from "@/lib/protocols/kit/call-request";
import { protocolKits } from "@/lib/protocols/kit/kits";
import type { Turn } from "@/lib/protocols/kit/turn";
import { type ClientProtocol, clientPaths, clientProtocols } from "@/lib/protocols/protocol";
import { clientAdapters } from "@/lib/protocols/registry";
import { validateRequest } from "@/lib/protocols/validation/validate";
import { DATA, image, plainCall } from "./plain-call";

const schema = { type: "object", properties: { city: { type: "string" } } };
const weather = { name: "weather", description: "Of a city", parameters: { type: "object" } };
const asked: Turn = { role: "user", text: "What is it?", images: [image("cat.png")] };
const full = (protocol: ClientProtocol): CallInput => ({
  ...plainCall,
  protocol,
  topP: 0.5,
  topK: 40,
  seed: 0,
  frequencyPenalty: -2,
  presencePenalty: 1.5,
  effort: "low",
  schema,
  turns: [{ role: "user", text: "Hello", images: [] }],
});

describe("the parameters of a call", () => {
  const stop = ["END", "\n\n"];

  test.each<[ClientProtocol, object]>([
    ["chat", { temperature: 1.7, top_p: 0.5, stop }],
    ["messages", { temperature: 1, top_p: 0.5, stop_sequences: stop }],
    ["responses", { temperature: 1.7, top_p: 0.5 }],
  ])("have the names and the range of %s, and are not sent while they are not set", (protocol, expected) => {
    const names = /^(temperature|top_p|stop|stop_sequences)$/;
    const sent = (call: Partial<CallInput>) => {
      const body = Object.entries(bodyOf({ ...plainCall, protocol, ...call }));
      return Object.fromEntries(body.filter(([name]) => names.test(name)));
    };
    expect(sent({ temperature: 1.7, topP: 0.5, stop })).toEqual(expected);
    expect(sent({})).toEqual({ temperature: 1 });
  });
});

describe("what a call names only once it is set", () => {
  test.each<[ClientProtocol, object]>([
    [
      "chat",
      {
        top_p: 0.5,
        top_k: 40,
        seed: 0,
        frequency_penalty: -2,
        presence_penalty: 1.5,
        reasoning_effort: "low",
        response_format: { type: "json_schema", json_schema: { name: "answer", schema } },
      },
    ],
    [
      "messages",
      {
        top_p: 0.5,
        top_k: 40,
        output_config: { effort: "low", format: { type: "json_schema", schema } },
      },
    ],
    [
      "responses",
      {
        top_p: 0.5,
        frequency_penalty: -2,
        presence_penalty: 1.5,
        reasoning: { effort: "low" },
        text: { format: { type: "json_schema", name: "answer", schema } },
      },
    ],
  ])("has the form of %s, which the gateway reads", (protocol, expected) => {
    const plain = bodyOf({ ...full(protocol), ...noOptions, schema: null });
    const body = bodyOf(full(protocol));
    const more = Object.entries(body).filter(([name]) => !Object.hasOwn(plain, name));
    expect(Object.fromEntries(more)).toEqual(expected);
    expect(clientAdapters[protocol].schema.safeParse(body).error).toBeUndefined();
  });

  test("is no effort that the protocol has no word for", () => {
    expect(bodyOf({ ...full("messages"), effort: "none", schema: null })).not.toHaveProperty("output_config");
    expect(bodyOf({ ...full("chat"), effort: "none" })).toHaveProperty("reasoning_effort", "none");
  });
});

describe("the tools of a call", () => {
  test.each<[ClientProtocol, object]>([
    ["chat", { type: "function", function: weather }],
    ["messages", { name: "weather", description: "Of a city", input_schema: { type: "object" } }],
    ["responses", { type: "function", ...weather }],
    [
      "gemini",
      {
        functionDeclarations: [
          { name: "weather", description: "Of a city", parametersJsonSchema: { type: "object" } },
        ],
      },
    ],
  ])("are sent in the form of %s", (protocol, expected) => {
    expect(bodyOf({ ...plainCall, protocol, tools: [weather] }).tools).toEqual([expected]);
    expect(bodyOf({ ...plainCall, protocol })).not.toHaveProperty("tools");
  });
});

describe("the images of a message", () => {
  const forms: Record<ClientProtocol, object[]> = {
    chat: [
      { type: "image_url", image_url: { url: `data:image/png;base64,${DATA}` } },
      { type: "text", text: "What is it?" },
    ],
    messages: [
      { type: "image", source: { type: "base64", media_type: "image/png", data: DATA } },
      { type: "text", text: "What is it?" },
    ],
    responses: [
      { type: "input_image", image_url: `data:image/png;base64,${DATA}` },
      { type: "input_text", text: "What is it?" },
    ],
    gemini: [{ inlineData: { mimeType: "image/png", data: DATA } }, { text: "What is it?" }],
  };
  /** What a call says first. */
  const contentOf = (protocol: ClientProtocol, turn: Turn): unknown => {
    const { messages, input, contents } = bodyOf({ ...plainCall, protocol, turns: [turn] });
    const [first] = [messages ?? input ?? contents].flat() as JsonObject[];
    if (!Array.isArray(first?.parts)) return first;
    const { parts, ...rest } = first;
    const [only] = parts as JsonObject[];
    return { ...rest, content: parts.length === 1 && only?.text !== undefined ? only.text : parts };
  };

  test.each(clientProtocols)("are sent as data in the form of %s, also without a text", (protocol) => {
    expect(contentOf(protocol, asked)).toEqual({ role: "user", content: forms[protocol] });
    const wordless = { ...asked, text: "" };
    expect(contentOf(protocol, wordless)).toEqual({ role: "user", content: forms[protocol].slice(0, 1) });
  });

  test.each(clientProtocols)("whose data is gone are left out of calls of %s", (protocol) => {
    const gone = [image("cat.png", null)];
    expect(contentOf(protocol, { ...asked, images: gone })).toEqual({ role: "user", content: "What is it?" });
    expect(contentOf(protocol, { ...asked, text: "", images: gone })).toEqual({
      role: "user",
      content: "[cat.png]",
    });
  });
});

describe("an answer as JSON", () => {
  const wanted = (protocol: ClientProtocol, json: boolean) => {
    const { response_format, text } = bodyOf({ ...plainCall, protocol, json, turns: [asked] });
    return { response_format, text };
  };

  test("is asked for in the form of each protocol that can, and only where it is wanted", () => {
    expect(wanted("chat", true)).toEqual({ response_format: { type: "json_object" } });
    expect(wanted("responses", true)).toEqual({ text: { format: { type: "json_object" } } });
    expect(wanted("messages", true)).toEqual({});
    for (const protocol of clientProtocols) expect(wanted(protocol, false)).toEqual({});
  });
});

describe.each(clientProtocols)("every call of %s passes the gateway's checks", (protocol) => {
  const kit = protocolKits[protocol];
  const call: CallInput = { ...plainCall, protocol, turns: [{ role: "user", text: "Hello", images: [] }] };
  const called = { id: "call_a", name: "weather", input: '{"city":"Rome"}' };
  const withResults: Turn[] = [
    asked,
    { role: "assistant", text: "Let me see", calls: [called] },
    { role: "tool", results: [{ id: "call_a", text: "21 degrees" }] },
    { role: "assistant", text: "It is warm.", calls: [] },
    { role: "user", text: "Thanks", images: [] },
  ];
  /** Throws what is wrong with a body. */
  const check = (body: JsonObject, countTokens = false) => {
    const options = { compatibility: "standard", version: "2023-06-01", countTokens } as const;
    return validateRequest(JSON.parse(JSON.stringify(body)), clientAdapters[protocol], options);
  };

  test.each<[string, Partial<CallInput>]>([
    ["plain", {}],
    ["without a stream", { stream: false }],
    ["with instructions and stops", { system: "Be brief.", stop: ["END"] }],
    ["with tools", { tools: [weather] }],
    ["with an image", { turns: [asked] }],
    ["with calls of tools and their results", { tools: [weather], turns: withResults }],
    ["for a JSON object", { json: true }],
    ["with a schema", { schema }],
    ["with a schema, tools and an image", { schema, tools: [weather], turns: [asked] }],
    ["with every option", { ...full(protocol), temperature: 0.5 }],
  ])("%s", (_name, change) => {
    expect(() => check(bodyOf({ ...call, ...change }))).not.toThrow();
  });

  test("that must call a tool", () => {
    const body = { model: "m", ...kit.conversation(call), ...kit.forcedTool(weather) };
    expect(() => check(body)).not.toThrow();
  });

  test("that only counts, where the protocol counts", () => {
    if (kit.counting === undefined) return;
    const { [kit.counting.foreignField]: limit, ...prompt } = kit.conversation(call);
    expect(limit).toBe(call.maxTokens);
    expect(() => check({ model: "m", ...prompt }, true)).not.toThrow();
    expect(kit.counting.path.startsWith(`${clientPaths[protocol]}/`)).toBe(true);
  });

  test("goes to the path of its adapter", () => {
    const { clientPath, readPath } = clientAdapters[protocol];
    if (readPath === undefined) expect(kit.path).toBe(clientPath);
    const { path, body } = requestOf(protocol, bodyOf({ ...call, model: "v/m@1:b", stream: true }));
    const named = readPath?.(decodeURIComponent(path.split("?")[0] ?? "")) ?? null;
    if (readPath !== undefined)
      expect(named).toEqual({ operation: "generate", fields: { model: "v/m@1:b", stream: true } });
    expect(() => check({ ...body, ...named?.fields })).not.toThrow();
  });
});
