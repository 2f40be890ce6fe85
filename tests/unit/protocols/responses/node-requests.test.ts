import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { openReasoning, sealReasoning } from "@/lib/protocols/passes/reasoning-seal";
import { withoutReasoning } from "@/lib/protocols/responses/node/without-reasoning";
import { type ContextChoice, prepareFor, validated } from "../requests/support";

const key = { id: "00000001", key: Buffer.alloc(32, 1) };
const seal = (opaque: string, id = "rs_1") =>
  sealReasoning({ origin: "o", reasoning: { text: "", signature: null, opaque, id } }, key, Buffer.alloc(12));
const opens = { openReasoning: (sealed: string) => openReasoning(sealed, [key])?.reasoning ?? null };

function toNode(client: "chat" | "messages" | "responses", body: JsonObject, choice: ContextChoice = {}) {
  const checked = validated({ model: "m", ...body }, client);
  const target = { upstreamModel: "gpt-5.6", ...choice };
  return prepareFor(checked, { clientProtocol: client, upstreamProtocol: "responses", ...target });
}

const tool = { type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } };
const hi = { role: "user", content: "hi" };

describe("requests of chat clients for Responses nodes", () => {
  test("R-19: tools and an effort go together, which a chat node of the same model refuses", () => {
    const { body } = toNode("chat", {
      messages: [hi],
      tools: [tool],
      reasoning_effort: "high",
      max_tokens: 50,
    });
    expect(body).toMatchObject({
      reasoning: { effort: "high" },
      tools: [{ type: "function", name: "f", strict: false }],
      max_output_tokens: 50,
      store: false,
      include: ["reasoning.encrypted_content"],
    });
    expect(body).not.toHaveProperty("reasoning_effort");
  });

  test("turns keep their order, and calls are paired with their results by call_id; nothing else has an id", () => {
    const { body } = toNode("chat", {
      messages: [
        { role: "system", content: "Be brief." },
        hi,
        {
          role: "assistant",
          content: "I look.",
          tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "call_1", content: "42" },
      ],
      tools: [tool],
    });
    expect(body.input).toEqual([
      { type: "message", role: "developer", content: "Be brief." },
      { type: "message", role: "user", content: "hi" },
      { type: "message", role: "assistant", content: "I look." },
      { type: "function_call", call_id: "call_1", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "call_1", output: "42" },
    ]);
  });

  test("R-28: a JSON schema is flat, with the name and strictness that the client gave it", () => {
    const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
    const response_format = { type: "json_schema", json_schema: { name: "out", schema, strict: true } };
    expect(toNode("chat", { messages: [hi], response_format }).body.text).toEqual({
      format: { type: "json_schema", name: "out", schema, strict: true },
    });
  });

  test("what has no field is dropped with a warning, more than one choice is a 400, and 16 tokens are the least", () => {
    const { body, losses, stops } = toNode("chat", { messages: [hi], stop: ["x"], seed: 1, max_tokens: 1 });
    expect(losses).toContain("dropped:seed");
    expect([body.stop, stops, losses.includes("dropped:stop")]).toEqual([undefined, ["x"], false]);
    expect(body.max_output_tokens).toBe(16);
    expect(() => toNode("chat", { messages: [hi], n: 2 })).toThrow();
  });

  test("reasoning goes back to the node that made it, with its id and before what followed it", () => {
    const details = [
      { type: "reasoning.encrypted", data: seal("gAAAA"), format: "openai-responses-v1", id: "rs_1" },
    ];
    const messages = [hi, { role: "assistant", content: "A", reasoning_details: details }, hi];
    expect(toNode("chat", { messages }, opens).body.input).toEqual([
      { type: "message", role: "user", content: "hi" },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" },
      { type: "message", role: "assistant", content: "A" },
      { type: "message", role: "user", content: "hi" },
    ]);
    const elsewhere = toNode("chat", { messages });
    expect(JSON.stringify(elsewhere.body)).not.toContain("reasoning_details");
    expect(elsewhere.losses).toContain("dropped:reasoning_content");
  });
});

describe("requests of messages clients for Responses nodes", () => {
  const ask = { max_tokens: 4000, messages: [hi] };

  test("R-34: the session becomes a cache key, and the prefix stays the same while the conversation grows", () => {
    const metadata = { user_id: "user_a_account_b_session_0123456789abcdef" };
    const system = [{ type: "text", text: "Be brief." }];
    const first = toNode("messages", { ...ask, system, metadata });
    const turns = [hi, { role: "assistant", content: "Yes?" }, hi];
    const second = toNode("messages", { ...ask, system, metadata, messages: turns });
    expect(first.body.prompt_cache_key).toMatch(/^[0-9a-f]{64}$/);
    expect(second.body.prompt_cache_key).toBe(first.body.prompt_cache_key);
    const prefix = JSON.stringify(first.body.input).slice(0, -1);
    expect(JSON.stringify(second.body.input).startsWith(prefix)).toBe(true);
  });

  test("thinking asks for a summary too; pictures and errors in results stay in the result", () => {
    const picture = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" },
    };
    const content = [{ type: "tool_result", tool_use_id: "toolu_1", content: [picture], is_error: true }];
    const call = { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "f", input: {} }] };
    const { body } = toNode("messages", {
      ...ask,
      thinking: { type: "enabled", budget_tokens: 2048 },
      messages: [hi, call, { role: "user", content }],
      tools: [{ name: "f", input_schema: { type: "object" } }],
      tool_choice: { type: "any" },
    });
    expect(body).toMatchObject({ reasoning: { effort: "medium", summary: "auto" }, tool_choice: "required" });
    expect((body.input as unknown[]).at(-1)).toEqual({
      type: "function_call_output",
      call_id: "toolu_1",
      output: [
        { type: "input_text", text: "Error: the tool failed." },
        { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" },
      ],
    });
  });
});

describe("requests of Responses clients for Responses nodes", () => {
  const own = { store: false, max_output_tokens: 100 };

  test("R-25: unknown fields, items and tools stay, byte for byte", () => {
    const request = {
      ...own,
      input: [
        { type: "from_the_future", deep: { a: [1, { type: "b" }] } },
        { type: "message", role: "user", content: [{ type: "input_hologram", x: 1 }] },
      ],
      tools: [{ type: "namespace", name: "n", tools: [{ type: "function", name: "f", extra: true }] }],
      future: { a: 1 },
    };
    const { body, losses } = toNode("responses", request);
    expect(JSON.stringify(body)).toBe(JSON.stringify({ model: "gpt-5.6", ...request }));
    expect(losses).toEqual([]);
  });

  test("R-27: a store that the client has switched off stays off; else the node stores nothing and seals its reasoning", () => {
    expect(toNode("responses", { ...own, input: "x" }).body).toMatchObject({ store: false });
    expect(toNode("responses", { ...own, input: "x" }).body).not.toHaveProperty("include");
    for (const store of [true, undefined, null]) {
      const { body } = toNode("responses", { ...own, input: "x", store, previous_response_id: "resp_1" });
      expect(body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
      expect(body).not.toHaveProperty("previous_response_id");
    }
  });

  test("R-37: reasoning has no content for a node that refuses it, and keeps it for one that reads it", () => {
    const content = [{ type: "reasoning_text", text: "Hm" }];
    const reasoning = { type: "reasoning", id: "rs_1", summary: [], content, encrypted_content: "gAAAA" };
    const input = [hi, reasoning, { role: "assistant", content: "A" }, hi];
    const { content: _content, ...bare } = reasoning;
    expect(toNode("responses", { ...own, input }).body.input).toEqual([input[0], bare, input[2], input[3]]);
    const reads = { profile: { reasoningContentIn: true } };
    expect(toNode("responses", { ...own, input }, reads).body.input).toBe(input);
  });

  test("R-30: reasoning of other makers, reasoning by its id alone and reasoning without what followed it is dropped", () => {
    const foreign = { type: "reasoning", id: "rs_2", summary: [], encrypted_content: seal("other") };
    const byId = { type: "reasoning", id: "rs_3", summary: [] };
    const orphan = { type: "reasoning", id: "rs_4", summary: [], encrypted_content: "gAAAA" };
    const answer = { role: "assistant", content: "A" };
    const { body, losses } = toNode("responses", {
      ...own,
      input: [hi, foreign, answer, byId, answer, orphan, hi],
    });
    expect(body.input).toEqual([hi, answer, answer, hi]);
    expect(losses).toContain("dropped:reasoning");
  });

  test("ids that a client has made are left out, those of nodes stay", () => {
    const made = {
      type: "message",
      role: "user",
      content: "a",
      id: "msg_01234567-89ab-4def-8123-456789abcdef",
    };
    const real = { type: "message", role: "user", content: "b", id: "msg_68a1b2c3" };
    const { id: _id, ...bare } = made;
    expect(toNode("responses", { ...own, input: [made, real] }).body.input).toEqual([bare, real]);
  });

  test("R-38: tools whose calls cost more than tokens are left out unless the alias has a price for them", () => {
    const f = { type: "function", name: "f", parameters: {}, strict: false };
    const tools = [
      f,
      { type: "web_search_preview" },
      { type: "image_generation" },
      { type: "mcp", server_label: "x" },
    ];
    const codex = { type: "additional_tools", role: "developer", tools: [f, { type: "web_search" }] };
    const ask = { ...own, input: [codex, hi], tools };
    const { body, losses } = toNode("responses", ask);
    expect(body).toMatchObject({ tools: [f, tools[3]], input: [{ ...codex, tools: [f] }, hi] });
    expect(losses).toEqual(["dropped:web_search_preview:image_generation:web_search"]);
    const priced = toNode("responses", ask, { perCall: { webSearch: 1n, imageGeneration: 0n } });
    expect(priced.body).toMatchObject({ tools, input: ask.input });
    expect(priced.offeredCalls).toEqual({ tools: ["webSearch", "imageGeneration"], maxCalls: 10 });
    expect(() => toNode("responses", { ...ask, tool_choice: { type: "image_generation" } })).toThrow(
      /image_generation/,
    );
    expect(() => toNode("responses", ask, { compatibility: "strict" })).toThrow(/cannot be used/);
  });

  test("a limit below what a node takes is raised, and the client is told", () => {
    const asks = {
      chat: { model: "a", messages: [hi], max_tokens: 5 },
      messages: { model: "a", messages: [hi], max_tokens: 5 },
      responses: { ...own, input: "x", max_output_tokens: 5 },
    };
    for (const [client, ask] of Object.entries(asks)) {
      const { body, losses } = toNode(client as keyof typeof asks, ask);
      expect(body.max_output_tokens).toBe(16);
      expect(losses).toContain("clamped:max_tokens");
    }
  });

  test("what a node would keep for all callers alike is refused with the field's name", () => {
    for (const field of [{ conversation: "conv_1" }, { prompt: { id: "p" } }, { background: true }])
      expect(() => toNode("responses", { ...own, input: "x", ...field })).toThrow(Object.keys(field)[0]);
  });

  test("R-26: a node that refuses sealed reasoning is asked without any", () => {
    const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" };
    expect(withoutReasoning({ input: [hi, reasoning, hi], a: 1 })).toEqual({ input: [hi, hi], a: 1 });
    expect(withoutReasoning({ input: [hi] })).toBeNull();
    expect(withoutReasoning({ input: "x" })).toBeNull();
  });
});
