import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { prepareFor, validated } from "@/tests/unit/protocols/requests/support";

const toolCall = { id: "x", type: "function", function: { name: "f", arguments: "{}" } };
const text = (words: string, rest: JsonObject = {}) => ({ type: "reasoning.text", text: words, ...rest });
const signed = text("because", { signature: "sig", format: "anthropic-claude-v1", index: 0 });
const sealed = { type: "reasoning.encrypted", data: "opaque==", index: 1 };

function forwarded(assistant: JsonObject, upstreamModel: string, profile = {}) {
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", content: null, tool_calls: [toolCall], ...assistant },
    { role: "tool", tool_call_id: "x", content: "ok" },
  ];
  const body = validated({ model: "m", max_tokens: 100, messages }, "chat");
  const prepared = prepareFor(body, { upstreamProtocol: "chat", upstreamModel, profile });
  const sent = prepared.body.messages as JsonObject[]; // the history is an array of messages
  return { body, prepared, history: sent, turn: sent[1], losses: prepared.losses };
}

const bare = { role: "assistant", content: null, tool_calls: [toolCall] };

describe("reasoning in a chat history on its way to a chat node", () => {
  it.each([
    ["reasoning_content", { reasoning_content: "because" }],
    ["reasoning", { reasoning: "because" }],
    ["reasoning_details", { reasoning_details: [signed, sealed] }],
  ])("does not reach a model that takes none back, and %s is told as dropped", (field, assistant) => {
    const { turn, losses } = forwarded(assistant, "gpt-4o");
    expect(turn).toEqual(bare);
    expect(losses).toEqual([`dropped:${field}`]);
  });

  it("loses empty fields without a word, because they say nothing", () => {
    const empty = { reasoning_content: null, reasoning: "", reasoning_details: [] };
    const { turn, losses } = forwarded(empty, "gpt-4o");
    expect(turn).toEqual(bare);
    expect(losses).toEqual([]);
  });

  it.each(["deepseek-chat", "deepseek-reasoner", "kimi-k2-thinking", "glm-4.6", "mimo-v2-flash"])(
    "goes back to %s as reasoning_content, byte for byte, an empty one too",
    (model) => {
      for (const words of ["because\n", ""]) {
        const { body, history, losses } = forwarded({ reasoning_content: words }, model);
        expect(history).toBe(body.messages);
        expect(losses).toEqual([]);
      }
    },
  );

  it.each(["deepseek-v4-flash", "deepseek/deepseek-v4", "kimi-k2.6", "kimi-k2-thinking", "mimo-v2-flash"])(
    "is an empty text for %s where a call has none, which the model refuses while it thinks",
    (model) => {
      expect(forwarded({}, model).turn).toEqual({ ...bare, reasoning_content: "" });
      expect(forwarded({ reasoning_content: null }, model).turn).toEqual({ ...bare, reasoning_content: "" });
      const spoken = forwarded({ tool_calls: undefined, content: "hi" }, model).turn;
      expect(spoken).not.toHaveProperty("reasoning_content");
    },
  );

  it.each(["messages", "responses"] as const)("is an empty text for a call of a %s history too", (client) => {
    const call = { type: "function_call", call_id: "call_1", name: "f", arguments: "{}" };
    const body =
      client === "responses"
        ? {
            model: "m",
            input: [
              { role: "user", content: "go" },
              call,
              { ...call, type: "function_call_output", output: "ok" },
            ],
          }
        : {
            model: "m",
            max_tokens: 100,
            messages: [
              { role: "user", content: "go" },
              { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "f", input: {} }] },
              { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "ok" }] },
            ],
          };
    const choice = {
      clientProtocol: client,
      upstreamProtocol: "chat" as const,
      upstreamModel: "deepseek-v4-flash",
    };
    const sent = prepareFor(validated(body, client), choice).body.messages as JsonObject[];
    expect(sent[1]).toMatchObject({
      role: "assistant",
      reasoning_content: "",
      tool_calls: [{ id: "call_1" }],
    });
  });

  it.each([
    "anthropic/claude-sonnet-4.5",
    "openai/gpt-5.2",
    "google/gemini-3-pro",
    "x-ai/grok-4",
    "MiniMax-M2",
  ])("goes back to %s as reasoning_details, signatures and sealed entries included", (model) => {
    const { body, history, losses } = forwarded({ reasoning_details: [signed, sealed] }, model);
    expect(history).toBe(body.messages);
    expect(losses).toEqual([]);
  });

  it.each([
    [{ reasoning: "because" }],
    [{ reasoning: "because", reasoning_content: null }],
    [{ reasoning_details: [text("be"), text("cause")] }],
    [{ reasoning: "because", reasoning_details: [text("because")] }],
  ])("takes the name that the model reads when all of it has a place there: %j", (assistant) => {
    const { turn, losses } = forwarded(assistant, "deepseek-chat");
    expect(turn).toEqual({ ...bare, reasoning_content: "because" });
    expect(losses).toEqual([]);
  });

  it("makes details of plain text, and leaves away what the details say already", () => {
    const plain = forwarded({ reasoning_content: "because" }, "anthropic/claude-sonnet-4.5");
    expect(plain.turn).toEqual({ ...bare, reasoning_details: [text("because", { index: 0 })] });
    expect(plain.losses).toEqual([]);
    const both = forwarded(
      { reasoning: "because", reasoning_details: [signed] },
      "anthropic/claude-opus-4.5",
    );
    expect(both.turn).toEqual({ ...bare, reasoning_details: [signed] });
    expect(both.losses).toEqual([]);
  });

  it.each([
    ["reasoning_details", "deepseek-chat", { reasoning_content: "because", reasoning_details: [signed] }],
    ["reasoning_details", "deepseek-chat", { reasoning_details: [sealed] }],
    ["reasoning", "deepseek-chat", { reasoning_content: "because", reasoning: "something else" }],
    [
      "reasoning_content",
      "anthropic/claude-opus-4.5",
      { reasoning_content: "other", reasoning_details: [signed] },
    ],
  ])("tells what has no place there: %s for %s", (field, model, assistant) => {
    const { turn, losses } = forwarded(assistant, model);
    expect(losses).toEqual([`dropped:${field}`]);
    expect(turn).not.toHaveProperty(field);
  });

  it("follows the operator's override of the profile", () => {
    const { turn } = forwarded({ reasoning_content: "because" }, "gpt-4o", {
      reasoningEcho: "reasoning_content",
    });
    expect(turn).toEqual({ ...bare, reasoning_content: "because" });
  });

  it("leaves a history without reasoning, and fields of other roles, as they came", () => {
    const { body, history } = forwarded({ made_up: { reasoning: 1 } }, "gpt-4o");
    expect(history).toBe(body.messages);
    const user = { role: "user", content: "hi", reasoning: "mine" };
    const asked = validated({ model: "m", max_tokens: 1, messages: [user] }, "chat");
    expect(prepareFor(asked, { upstreamProtocol: "chat" }).body.messages).toBe(asked.messages);
  });
});
