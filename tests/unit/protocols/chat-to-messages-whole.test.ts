import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { wholeThrough } from "./pipeline";

const way = { upstream: "chat", client: "messages" } as const;
const toolUse = (id: string, name: string, input: JsonObject) => ({ type: "tool_use", id, name, input });
const text = (value: string) => ({ type: "text", text: value });

describe("the whole answer of a chat upstream for a messages client", () => {
  const answer = (message: JsonObject, finishReason: unknown = "stop") => ({
    id: "chatcmpl-up",
    object: "chat.completion",
    model: "up-model",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finishReason }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  });

  test("EC-87: thinking has a signature that is a string", () => {
    const { body } = wholeThrough(way, answer({ reasoning_content: "Hm", content: "Hi" }));
    expect(body.content).toEqual([{ type: "thinking", thinking: "Hm", signature: "gw1.2" }, text("Hi")]);
  });

  test("EC-60, EC-149: empty arguments are {}, and nothing is null that clients refuse", () => {
    const call = { id: "call_1", type: "function", function: { name: "f", arguments: "" } };
    const { body } = wholeThrough(way, answer({ content: "Hi", tool_calls: [call] }));
    expect(body.content).toEqual([text("Hi"), toolUse("call_1", "f", {})]);
    expect(body).toMatchObject({
      type: "message",
      role: "assistant",
      model: "the-alias",
      stop_reason: "tool_use",
    });
  });

  test("EC-62: arguments may be an object, and calls are apart even with one id", () => {
    const call = (a: number) => ({ id: "same", function: { name: "f", arguments: { a } } });
    const { body } = wholeThrough(way, answer({ content: null, tool_calls: [call(1), call(2)] }));
    const content = Array.isArray(body.content) ? body.content : [];
    expect(content.map((one) => one.input)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(content[0].id).not.toBe(content[1].id);
  });

  test("array content, audio transcripts and empty stubs are read", () => {
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "Hm" }] },
      { type: "text", text: "Hi" },
    ];
    expect(wholeThrough(way, answer({ content: parts })).body.content).toMatchObject([
      { thinking: "Hm" },
      { text: "Hi" },
    ]);
    expect(wholeThrough(way, answer({ content: null, audio: { transcript: "Said" } })).body.content).toEqual([
      text("Said"),
    ]);
    const stub = answer(
      { content: "Hi", refusal: "", tool_calls: null, function_call: { name: "", arguments: "" } },
      "",
    );
    expect(wholeThrough(way, stub).body).toMatchObject({ content: [text("Hi")], stop_reason: "end_turn" });
  });

  test("a legacy function_call is one tool_use", () => {
    const { body } = wholeThrough(
      way,
      answer({ content: null, function_call: { name: "f", arguments: '{"a":1}' } }, "function_call"),
    );
    expect(body).toMatchObject({
      content: [{ type: "tool_use", name: "f", input: { a: 1 } }],
      stop_reason: "tool_use",
    });
  });

  test("what is no answer is a failure", () => {
    for (const body of [
      null,
      [],
      "text",
      {},
      { choices: [] },
      { error: { message: "no" } },
      { object: "error", message: "no" },
    ]) {
      expect(wholeThrough(way, body).failure, JSON.stringify(body)).not.toBeNull();
    }
  });
});
