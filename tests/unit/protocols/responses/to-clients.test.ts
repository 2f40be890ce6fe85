import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { foldStream } from "@/tests/support/fold";
import { streamProblems } from "@/tests/support/stream-grammar";
import { chatSse, delta, finish, foldThrough, streamThrough, tool, usageChunk } from "../pipeline";
import { call, completed, created } from "./decoding";

function sse(...payloads: JsonObject[]): string {
  return payloads.map((payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`).join("");
}

describe("answers of Responses nodes for clients of other protocols", () => {
  test("R-21: an answer without a message ends for its length with an empty content on chat", () => {
    const incomplete = {
      type: "response.incomplete",
      response: {
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        output: [{ type: "reasoning", id: "rs_1", summary: [] }],
        usage: { input_tokens: 3, output_tokens: 16, total_tokens: 19 },
      },
    };
    const way = { upstream: "responses", client: "chat" } as const;
    const { wire, failure } = streamThrough(way, sse(created, incomplete));
    const whole = foldThrough(way, sse(created, incomplete));
    expect(whole).toMatchObject({ choices: [{ finish_reason: "length", message: { content: "" } }] });
    expect(failure).toBeNull();
    expect(streamProblems("chat", wire, { includeUsage: true })).toEqual([]);
    expect(foldStream("chat", wire)).toMatchObject({
      choices: [{ finish_reason: "length", message: { content: "" } }],
      usage: { prompt_tokens: 3, completion_tokens: 16 },
    });
  });

  test("R-23: a text and a call whose items were never added open their blocks on messages", () => {
    const stream = sse(
      created,
      { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "a", delta: "Hi" },
      { type: "response.function_call_arguments.delta", output_index: 1, delta: '{"a":1}' },
      { type: "response.output_item.done", output_index: 1, item: { ...call, arguments: '{"a":1}' } },
      completed,
    );
    const { wire, failure } = streamThrough({ upstream: "responses", client: "messages" }, stream);
    expect(failure).toBeNull();
    expect(streamProblems("messages", wire)).toEqual([]);
    expect(foldStream("messages", wire)).toMatchObject({
      stop_reason: "tool_use",
      content: [
        { type: "text", text: "Hi" },
        { type: "tool_use", id: "call_1", name: "f", input: { a: 1 } },
      ],
    });
  });
});

describe("answers of chat nodes for Responses clients", () => {
  test("R-13: a call that the node left in its text stays text, and a call beside it is a whole item", () => {
    const leaked = '<tool_call>\n{"name":"f","arguments":{"a":1}}\n</tool_call>';
    const stream = chatSse([
      delta({ role: "assistant", content: "" }),
      delta({ content: leaked.slice(0, 20) }),
      delta({ content: leaked.slice(20) }),
      tool({ index: 0, id: "call_1", type: "function", function: { name: "g", arguments: '{"b":' } }),
      tool({ index: 0, function: { arguments: "2}" } }),
      finish("tool_calls"),
      usageChunk({ prompt_tokens: 3, completion_tokens: 9, total_tokens: 12 }),
    ]);
    const { wire, failure } = streamThrough({ upstream: "chat", client: "responses" }, stream);
    expect(failure).toBeNull();
    expect(streamProblems("responses", wire)).toEqual([]);
    expect(foldStream("responses", wire)).toMatchObject({
      status: "completed",
      output: [
        { type: "message", content: [{ type: "output_text", text: leaked }] },
        { type: "function_call", call_id: "call_1", name: "g", arguments: '{"b":2}', status: "completed" },
      ],
    });
  });
});
