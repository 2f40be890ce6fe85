import { describe, expect, it } from "vitest";
import { keyedHash } from "@/lib/kernel/hash";
import type { JsonObject } from "@/lib/kernel/json-object";
import { isGatewayTag, openReasoning, openTag, sealReasoning } from "@/lib/protocols/passes/reasoning-seal";
import { type ContextChoice, prepareFor, validated } from "@/tests/unit/protocols/requests/support";

const toolCall = { id: "x", type: "function", function: { name: "f", arguments: "{}" } };

function fromChat(assistant: JsonObject, choice: ContextChoice = {}, rest: JsonObject = {}) {
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", content: "text", tool_calls: [toolCall], ...assistant },
    { role: "tool", tool_call_id: "x", content: "ok" },
  ];
  return prepareFor(validated({ model: "m", max_tokens: 9000, messages, ...rest }, "chat"), choice);
}

function assistantTurn(prepared: { body: JsonObject }): JsonObject[] {
  return (prepared.body.messages as { content: JsonObject[] }[])[1]?.content ?? [];
}

function fromMessages(blocks: JsonObject[], choice: ContextChoice = {}, rest: JsonObject = {}) {
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", content: [...blocks, { type: "tool_use", id: "x", name: "f", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "x", content: "ok" }] },
  ];
  const body = validated({ model: "m", max_tokens: 9000, messages, ...rest }, "messages");
  return prepareFor(body, { clientProtocol: "messages", ...choice });
}

const signed = (text: string, signature: string, rest: JsonObject = {}) => ({
  type: "reasoning.text",
  text,
  signature,
  ...rest,
});

describe("reasoning replayed by chat clients", () => {
  it("EC-80: signed thinking comes first in the turn, byte for byte and in order", () => {
    const details = [
      signed(" think\n", "sig-1", { format: "anthropic-claude-v1", index: 0 }),
      { type: "reasoning.encrypted", data: "opaque==", format: "anthropic-claude-v1", index: 1 },
    ];
    expect(assistantTurn(fromChat({ reasoning_details: details }))).toEqual([
      { type: "thinking", thinking: " think\n", signature: "sig-1" },
      { type: "redacted_thinking", data: "opaque==" },
      { type: "text", text: "text" },
      { type: "tool_use", id: "x", name: "f", input: {} },
    ]);
  });

  it("EC-80: streamed fragments of one block are joined up to their signature", () => {
    const details = [
      { type: "reasoning.text", text: "one ", index: 0 },
      { type: "reasoning.text", text: "two", index: 0 },
      signed("", "sig", { index: 0 }),
    ];
    expect(assistantTurn(fromChat({ reasoning_details: details }))[0]).toEqual({
      type: "thinking",
      thinking: "one two",
      signature: "sig",
    });
  });

  it("EC-81: a signature without text is a block all the same", () => {
    expect(assistantTurn(fromChat({ reasoning_details: [signed("", "sig")] }))[0]).toEqual({
      type: "thinking",
      thinking: "",
      signature: "sig",
    });
  });

  it("EC-82: reasoning without a signature is dropped, never sent as text and never signed", () => {
    for (const assistant of [
      { reasoning_content: "secret" },
      { reasoning: "secret" },
      { reasoning_details: [{ type: "reasoning.text", text: "secret" }] },
      { reasoning_details: [signed("secret", tag("secret", "alias-1", "test-key"))] },
      { reasoning_details: [{ type: "reasoning.encrypted", data: "secret", format: "openai-responses-v1" }] },
    ]) {
      const prepared = fromChat(assistant);
      expect(JSON.stringify(prepared.body)).not.toContain("secret");
      expect(assistantTurn(prepared)).toHaveLength(2);
      expect(prepared.losses).toContain("dropped:reasoning_content");
    }
  });

  it("D6: a tool loop without signed thinking is continued without a budget; adaptive thinking stays", () => {
    const budget = fromChat({}, { upstreamModel: "claude-sonnet-4-5" }, { reasoning_effort: "high" });
    expect(budget.body).not.toHaveProperty("thinking");
    expect(budget.losses).toContain("dropped:reasoning_effort");
    const details = { reasoning_details: [signed("t", "s")] };
    expect(
      fromChat(details, { upstreamModel: "claude-sonnet-4-5" }, { reasoning_effort: "high" }).body.thinking,
    ).toMatchObject({
      type: "enabled",
    });
    const adaptive = fromChat({}, { upstreamModel: "claude-opus-4-6" }, { reasoning_effort: "high" });
    expect(adaptive.body.thinking).toEqual({ type: "adaptive" });
  });
});

describe("reasoning replayed by messages clients", () => {
  const toChat: ContextChoice = { upstreamProtocol: "chat" };
  const thinking = { type: "thinking", thinking: "because", signature: "real" };

  it("EC-83: an upstream that demands its reasoning back in a tool loop gets it", () => {
    const prepared = fromMessages([thinking, { ...thinking, thinking: "so" }], {
      ...toChat,
      upstreamModel: "deepseek-reasoner",
    });
    expect(prepared.body.messages).toMatchObject([
      {},
      { reasoning_content: "because\nso", content: null, tool_calls: [{}] },
      {},
    ]);
  });

  it("gives an upstream of the details convention text, real signatures and its own opaque data", () => {
    const opaque = { type: "redacted_thinking", data: tag("sealed", "alias-1", "test-key") };
    const ours = { type: "thinking", thinking: "x", signature: tag("x", "alias-1", "test-key") };
    const foreign = { type: "redacted_thinking", data: "of somebody else" };
    const prepared = fromMessages([thinking, ours, opaque, foreign], {
      ...toChat,
      profile: { reasoningEcho: "reasoning_details" },
    });
    expect((prepared.body.messages as JsonObject[])[1]?.reasoning_details).toEqual([
      { type: "reasoning.text", text: "because", signature: "real", index: 0 },
      { type: "reasoning.text", text: "x", index: 1 },
      { type: "reasoning.encrypted", data: "sealed", index: 2 },
    ]);
  });

  it("EC-84: a block the gateway signed never reaches a messages upstream; a real one stays untouched", () => {
    const ours = { type: "thinking", thinking: "x", signature: tag("x", "alias-1", "test-key") };
    const opaque = { type: "redacted_thinking", data: tag("sealed", "alias-1", "test-key") };
    const mixed = fromMessages([ours, opaque, thinking], { upstreamProtocol: "messages" });
    expect(assistantTurn(mixed)).toEqual([thinking, { type: "tool_use", id: "x", name: "f", input: {} }]);
    expect(mixed.losses).toContain("dropped:thinking");
  });

  it("EC-84: a turn of which nothing is left is removed, and the others stay the very same", () => {
    const user = { role: "user", content: [{ type: "text", text: "a" }] };
    const ours = { role: "assistant", content: [{ type: "thinking", thinking: "x", signature: "gw1.x" }] };
    const body = validated({ model: "m", max_tokens: 9, messages: [user, ours, user] }, "messages");
    const { messages } = prepareFor(body, { clientProtocol: "messages" }).body as { messages: unknown[] };
    expect(messages).toHaveLength(2);
    expect(messages[0]).toBe(user);
  });

  it("EC-84: a tool loop that lost its thinking goes on without a budget", () => {
    const ours = { type: "thinking", thinking: "x", signature: "gw1.whatever" };
    const rest = { thinking: { type: "enabled", budget_tokens: 2000 } };
    expect(fromMessages([ours], { upstreamProtocol: "messages" }, rest).body).not.toHaveProperty("thinking");
    expect(fromMessages([thinking], { upstreamProtocol: "messages" }, rest).body.thinking).toEqual(
      rest.thinking,
    );
  });
});

/** A tag of a former version. */
function tag(data: string, alias: string, key: string): string {
  return `gw1.${keyedHash(key, "opaque", `${alias}\n${data}`)}.${data}`;
}

describe("tags of former versions", () => {
  it("give opaque data back only for their alias, and only when it was not touched", () => {
    const made = tag("a.b.c", "alias", "key");
    expect(isGatewayTag(made)).toBe(true);
    expect(openTag(made, "alias", "key")).toBe("a.b.c");
    expect(openTag(made, "other", "key")).toBeNull();
    expect(openTag(made, "alias", "other")).toBeNull();
    expect(openTag(`${made}x`, "alias", "key")).toBeNull();
    expect(openTag("real-data", "alias", "key")).toBeNull();
    expect(openTag("gw1.nodata", "alias", "key")).toBeNull();
  });
});

describe("sealed reasoning", () => {
  const key = { id: "0a1b2c3d", key: Buffer.alloc(32, 7) };
  const nonce = Buffer.alloc(12, 1);
  const reasoning = { text: "Höre", signature: "sig", opaque: null, id: "rs_1" };
  const sealed = sealReasoning({ origin: "claude", reasoning }, key, nonce);

  it("opens with the current and the previous key to what it was, and is known as the gateway's", () => {
    const next = { id: "ffffffff", key: Buffer.alloc(32, 8) };
    expect(openReasoning(sealed, [next, key])).toEqual({ origin: "claude", reasoning });
    expect(isGatewayTag(sealed)).toBe(true);
    expect(isGatewayTag("ErUBCkYIBhgC")).toBe(false);
  });

  it("shows nothing of what it holds, and does not open with another key or after a change", () => {
    expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toMatch(/sig|claude|rs_1/);
    expect(openReasoning(sealed, [{ id: key.id, key: Buffer.alloc(32, 9) }])).toBeNull();
    expect(openReasoning(sealed, [{ id: "ffffffff", key: key.key }])).toBeNull();
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
      const isSpare = Buffer.from(changed, "base64url").equals(Buffer.from(sealed, "base64url"));
      if (!isSpare) expect(openReasoning(changed, [key]), `changed at ${at}`).toBeNull();
      expect(openReasoning(sealed.slice(0, at), [key])).toBeNull();
    }
  });

  it("is another text for another nonce", () => {
    expect(sealReasoning({ origin: "claude", reasoning }, key, Buffer.alloc(12, 2))).not.toBe(sealed);
  });
});
