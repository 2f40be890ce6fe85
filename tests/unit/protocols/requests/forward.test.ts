import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { chatWishes } from "@/lib/protocols/chat/client/wishes";
import { type ContextChoice, prepareFor, validated } from "@/tests/unit/protocols/requests/support";

function chat(fields: JsonObject, choice: ContextChoice = {}) {
  const request = {
    model: "alias-1",
    max_tokens: 100,
    messages: [{ role: "user", content: "hi" }],
    ...fields,
  };
  const compatibility = choice.compatibility ?? "standard";
  return prepareFor(validated(request, "chat", { compatibility }), { upstreamProtocol: "chat", ...choice });
}

function messages(fields: JsonObject, choice: ContextChoice = {}) {
  const request = {
    model: "alias-1",
    max_tokens: 100,
    messages: [{ role: "user", content: "hi" }],
    ...fields,
  };
  return prepareFor(validated(request, "messages"), {
    clientProtocol: "messages",
    upstreamProtocol: "messages",
    ...choice,
  });
}

describe("chat to chat", () => {
  it("keeps every field it does not know and changes only the model", () => {
    const fields = {
      n: 1,
      seed: 1,
      made_up: { deep: [1, null] },
      user: "u",
      tools: [{ type: "custom", custom: { name: "f" } }],
      stop: null,
      messages: [{ role: "user", content: [{ type: "hologram", data: 1 }], made_up: true }],
    };
    const prepared = chat(fields);
    expect(prepared.body).toEqual({ model: "some-model", max_tokens: 100, ...fields });
    expect(prepared.losses).toEqual([]);
    expect(JSON.stringify(prepared.body.messages)).toBe(JSON.stringify(fields.messages));
  });

  it("leaves an unstreamed request unstreamed", () => {
    const prepared = chat({});
    expect(prepared).toMatchObject({ clientStream: false, stream: false });
    expect(prepared.body).not.toHaveProperty("stream_options");
  });

  it("EC-46: asks every stream for its usage and remembers whether the client did", () => {
    const request = { stream: true, stream_options: { include_obfuscation: false } };
    const silent = chat(request);
    expect(silent.body.stream_options).toEqual({ include_obfuscation: false, include_usage: true });
    expect(chatWishes(request).includeUsage).toBe(false);
    expect(chatWishes({ stream: true, stream_options: { include_usage: true } }).includeUsage).toBe(true);
  });

  it("EC-47: sends no stream_options to an upstream that refuses them", () => {
    const request = { stream: true, stream_options: { include_usage: true } };
    const prepared = chat(request, { upstreamModel: "mistral-large-latest" });
    expect(prepared.body).not.toHaveProperty("stream_options");
    expect(chatWishes(request).includeUsage).toBe(true);
  });

  it("sends the limit under the name the upstream knows, clamped, or the alias's default", () => {
    expect(chat({}, { upstreamModel: "gpt-5" }).body).toMatchObject({ max_completion_tokens: 100 });
    expect(chat({}, { upstreamModel: "gpt-5" }).body).not.toHaveProperty("max_tokens");
    expect(chat({ max_completion_tokens: 40 }).body).toMatchObject({ max_tokens: 40 });
    expect(chat({ max_tokens: 9_000 }).losses).toEqual(["clamped:max_tokens"]);
    const missing = chat({ max_tokens: null });
    expect(missing.body.max_tokens).toBe(4096);
    expect(missing.losses).toEqual(["added:max_tokens:4096"]);
  });

  it.each(["standard", "strict", "lenient"] as const)(
    "asks for as many choices as the client (%s)",
    (compatibility) => {
      const prepared = chat({ n: 3 }, { compatibility });
      expect(prepared.body.n).toBe(3);
      expect(prepared).toMatchObject({ losses: [], choices: 3, maxTokens: 300 });
      expect(chat({ n: null })).toMatchObject({ choices: 1, maxTokens: 100 });
    },
  );

  it("keeps stop sequences back where the model refuses them: the gateway ends the answer there", () => {
    for (const stop of ["END", ["END"]]) {
      const refused = chat({ stop }, { upstreamModel: "gpt-5.1" });
      expect(refused.body).not.toHaveProperty("stop");
      expect([refused.stops, refused.losses]).toEqual([["END"], []]);
    }
    for (const stop of [null, "", []]) {
      const empty = chat({ stop }, { upstreamModel: "gpt-5.1" });
      expect(empty.body).not.toHaveProperty("stop");
      expect(empty).not.toHaveProperty("stops");
    }
    expect(chat({ stop: "END" }).body.stop).toBe("END");
  });

  it("D2: lowers a temperature above 1 when lenient and leaves sampling away where the model refuses it", () => {
    expect(chat({ temperature: 1.5 }, { compatibility: "lenient" }).body.temperature).toBe(1);
    const reasoning = chat({ temperature: 0.2, top_p: 1 }, { upstreamModel: "gpt-5.1" });
    expect(reasoning.body).not.toHaveProperty("temperature");
    expect(reasoning.losses).toEqual(["dropped:temperature"]);
    expect(
      chat({ temperature: 0.2, reasoning_effort: "none" }, { upstreamModel: "gpt-5.1" }).body.temperature,
    ).toBe(0.2);
  });

  it("D11: sends effort none beside tools where the upstream refuses both", () => {
    const tools = [{ type: "function", function: { name: "f" } }];
    const prepared = chat({ tools, reasoning_effort: "high" }, { upstreamModel: "gpt-5.6" });
    expect(prepared.body.reasoning_effort).toBe("none");
    expect(prepared.losses).toContain("changed:reasoning_effort");
  });

  it("does not let a request bring its own list of models", () => {
    const prepared = chat({ models: ["dear/model"], route: "fallback", provider: { order: ["x"] } });
    expect(prepared.body).not.toHaveProperty("models");
    expect(prepared.body.provider).toEqual({ order: ["x"] });
    expect(prepared.losses).toEqual(["dropped:models", "dropped:route"]);
    expect(chat({ models: ["m"] }, { profile: { modelFallbacks: true } }).body.models).toEqual(["m"]);
  });

  it("leaves out a list of no calls, which nodes refuse", () => {
    const said = { role: "assistant", content: "x" };
    expect(chat({ messages: [{ ...said, tool_calls: [] }] }).body.messages).toEqual([said]);
    const none = [{ ...said, tool_calls: null }];
    expect(chat({ messages: none }).body.messages).toEqual(none);
  });

  it("shortens ids only where the upstream has a limit, in the call and its result alike", () => {
    const id = "x".repeat(60);
    const history = [
      { role: "user", content: "a" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id, type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: id, content: "ok" },
    ];
    expect(chat({ messages: history }).body.messages).toBe(history);
    const [, call, result] = chat({ messages: history }, { upstreamModel: "gpt-4o" }).body
      .messages as JsonObject[];
    expect(result?.tool_call_id).toMatch(/^call_[a-z2-7]{24}$/);
    expect(call?.tool_calls).toMatchObject([{ id: result?.tool_call_id }]);
  });

  it("writes developer as system for upstreams that do not know the role", () => {
    const history = [
      { role: "developer", content: "D" },
      { role: "user", content: "a" },
    ];
    expect(chat({ messages: history }).body.messages).toMatchObject([{ role: "system", content: "D" }, {}]);
    expect(chat({ messages: history }, { upstreamModel: "gpt-4o" }).body.messages).toBe(history);
  });

  it("D10: cuts the answer to one call where the upstream has no flag for it", () => {
    const prepared = chat({ parallel_tool_calls: false }, { upstreamModel: "o3" });
    expect(prepared.body).not.toHaveProperty("parallel_tool_calls");
    expect(prepared.singleToolCall).toBe(true);
  });

  it("forwards openai-beta and no other header", () => {
    const headers = {
      "openai-beta": "x=1",
      "anthropic-beta": "y",
      authorization: "Bearer k",
      "openai-organization": "o",
    };
    expect(chat({}, { headers }).headers).toEqual({ "openai-beta": "x=1" });
  });
});

describe("messages to messages", () => {
  it("keeps every field and block it does not know and changes only the model", () => {
    const fields = {
      container: "c",
      mcp_servers: [{ name: "x" }],
      context_management: { edits: [] },
      made_up: { deep: [1, null] },
      top_k: null,
      tools: [{ type: "bash_20250124", name: "bash" }],
      messages: [{ role: "user", content: [{ type: "hologram", data: 1 }] }],
    };
    const prepared = messages(fields);
    expect(prepared.body).toEqual({ model: "some-model", max_tokens: 100, ...fields });
    expect(prepared.body.messages).toBe(fields.messages);
    expect(prepared.losses).toEqual([]);
  });

  it("EC-23: the billing line of a system prompt is forwarded byte for byte", () => {
    const system = [
      { type: "text", text: "x-anthropic-billing-header: cch=1;" },
      { type: "text", text: "S" },
    ];
    expect(messages({ system }).body.system).toBe(system);
  });

  it("EC-7: removes empty texts, but touches no turn that holds thinking", () => {
    const empty = { type: "text", text: " \n" };
    const call = { type: "tool_use", id: "x", name: "f", input: {} };
    const thinking = { type: "thinking", thinking: "t", signature: "s" };
    const history = [
      { role: "user", content: [{ type: "text", text: "a" }, empty] },
      { role: "assistant", content: [empty, call] },
      { role: "assistant", content: [thinking, empty, call] },
      { role: "user", content: [empty] },
    ];
    expect(messages({ messages: history, system: [empty, { type: "text", text: "S" }] }).body).toMatchObject({
      system: [{ text: "S" }],
      messages: [
        { content: [{ text: "a" }] },
        { content: [call] },
        { content: [thinking, empty, call] },
        { content: [empty] },
      ],
    });
  });

  it("hashes ids that the protocol does not allow, in the call and its result alike", () => {
    const history = [
      { role: "user", content: "a" },
      { role: "assistant", content: [{ type: "tool_use", id: "f.x:0", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "f.x:0", content: "ok" }] },
    ];
    const [, call, result] = messages({ messages: history }).body.messages as { content: JsonObject[] }[];
    expect(call?.content[0]?.id).toMatch(/^toolu_[a-z2-7]{24}$/);
    expect(result?.content[0]?.tool_use_id).toBe(call?.content[0]?.id);
  });

  it("EC-48: keeps four cache markers without changing the client's own objects", () => {
    const marked = () => ({ type: "text", text: "a", cache_control: { type: "ephemeral" } });
    const history = [{ role: "user", content: [marked(), marked(), marked(), marked(), marked()] }];
    const before = JSON.stringify(history);
    const prepared = messages({ messages: history });
    expect(JSON.stringify(prepared.body).match(/cache_control/g)).toHaveLength(4);
    expect(JSON.stringify(history)).toBe(before);
    expect(prepared.losses).toEqual(["dropped:cache_control"]);
  });

  it("clamps the limit, and a thinking budget that no longer fits under it", () => {
    const thinking = { type: "enabled", budget_tokens: 5000 };
    const prepared = messages({ max_tokens: 6000, thinking }, { maxOutputTokens: 2000 });
    expect(prepared.body).toMatchObject({
      max_tokens: 2000,
      thinking: { type: "enabled", budget_tokens: 1999 },
    });
    expect(prepared.losses).toEqual(["clamped:max_tokens", "clamped:thinking.budget_tokens"]);
    const tiny = messages({ max_tokens: 6000, thinking }, { maxOutputTokens: 500 });
    expect(tiny.body).not.toHaveProperty("thinking");
  });

  it("forwards version and betas unchanged, and lowers the version for an older upstream", () => {
    const headers = { "anthropic-beta": "a-1,unknown-2", "x-api-key": "k" };
    const version = "2026-10-21";
    expect(messages({}, { headers, version }).headers).toEqual({
      "anthropic-version": version,
      "anthropic-beta": "a-1,unknown-2",
    });
    expect(messages({}, { version, profile: { latestVersion: "2023-06-01" } }).headers).toEqual({
      "anthropic-version": "2023-06-01",
    });
  });

  it("tells only the protocol's own vendor which of its programs is calling", () => {
    const headers = { "x-app": "cli", "x-claude-code-session-id": "s", "x-apple": "no", cookie: "no" };
    const vendor = messages({}, { headers, profile: { vendorHeaders: true } }).headers;
    expect(vendor).toEqual({
      "anthropic-version": "2023-06-01",
      "x-app": "cli",
      "x-claude-code-session-id": "s",
    });
    expect(messages({}, { headers }).headers).toEqual({ "anthropic-version": "2023-06-01" });
  });

  it("does not let a request bring its own fallback models", () => {
    const prepared = messages({ fallbacks: [{ model: "dear" }] });
    expect(prepared.body).not.toHaveProperty("fallbacks");
    expect(prepared.losses).toEqual(["dropped:fallbacks"]);
  });

  it("prepares a request to count tokens, which has no limit", () => {
    const body = validated({ model: "m", messages: [{ role: "user", content: "a" }] }, "messages", {
      countTokens: true,
    });
    const prepared = prepareFor(body, { clientProtocol: "messages", upstreamProtocol: "messages" });
    expect(prepared.body).toEqual({ model: "some-model", messages: [{ role: "user", content: "a" }] });
    expect(prepared.losses).toEqual([]);
  });
});
