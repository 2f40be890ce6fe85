import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { foldStream, payloadsOf } from "@/tests/support/fold";
import { streamProblems } from "@/tests/support/stream-grammar";
import {
  bytesOf,
  chatSse,
  delta,
  finish,
  foldThrough,
  streamThrough,
  tool,
  usageChunk,
  type Wanted,
  wholeThrough,
} from "./pipeline";

const way = { upstream: "chat", client: "messages" } as const;
const same = { upstream: "chat", client: "chat" } as const;
const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** A custom call as a chat node streams it: name first, then pieces of its input. */
function streamed(pieces: string[], id = "call_1", index = 0): JsonObject[] {
  return [
    tool({ index, id, type: "custom", custom: { name: "run", input: "" } }),
    ...pieces.map((input) => tool({ index, custom: { input } })),
  ];
}

function read(chunks: JsonObject[], overrides: Wanted = {}) {
  const sse = chatSse([...chunks, usageChunk(usage)]);
  const produced = streamThrough(way, sse, overrides);
  expect(streamProblems("messages", produced.wire)).toEqual([]);
  const message = foldStream("messages", produced.wire);
  const folded = foldThrough(way, sse, overrides);
  expect(folded?.content).toEqual(message.content);
  return { ...produced, message, content: message.content, partial: partialJson(produced.wire) };
}

function partialJson(wire: string): string {
  const deltas = payloadsOf(wire).map(({ delta: part }) => part as JsonObject | undefined);
  return deltas.map((part) => part?.partial_json ?? "").join("");
}

/** The tool deltas of chat chunks. */
function callsOf(chunks: JsonObject[]): JsonObject[] {
  const choices = chunks.flatMap((chunk) => chunk.choices as { delta: { tool_calls?: JsonObject[] } }[]);
  return choices.flatMap((choice) => choice.delta.tool_calls ?? []);
}

const use = (input: unknown, id = "call_1", name = "run") => ({ type: "tool_use", id, name, input });
const wholeCall = (input: unknown, id: unknown = "call_1") => ({
  id,
  type: "custom",
  custom: { name: "run", input },
});

function whole(calls: unknown[], finishReason = "tool_calls") {
  const message = { role: "assistant", content: null, tool_calls: calls };
  return { id: "c", model: "up", choices: [{ index: 0, message, finish_reason: finishReason }], usage };
}

describe("custom tool calls of a chat node for a messages client", () => {
  test("become a tool_use whose input is the text, with a warning, usage and stop reason", () => {
    const { message, content, warnings } = read([...streamed(["ls ", "-la"]), finish("tool_calls")]);
    expect(content).toEqual([use({ input: "ls -la" })]);
    expect(message).toMatchObject({ stop_reason: "tool_use", usage: { input_tokens: 11, output_tokens: 7 } });
    expect(warnings).toContain("changed:custom_tool_call");
  });

  test("are the same in a whole answer", () => {
    const { body, losses, failure } = wholeThrough(way, whole([wholeCall("ls\n")]));
    expect(failure).toBeNull();
    expect(body).toMatchObject({ content: [use({ input: "ls\n" })], stop_reason: "tool_use" });
    expect(body.usage).toMatchObject({ input_tokens: 11, output_tokens: 7 });
    expect(losses).toContain("changed:custom_tool_call");
  });

  test("stream JSON that adds up to exactly the text, wherever it is cut", () => {
    const texts = fc.array(fc.string({ unit: "binary", maxLength: 12 }), { maxLength: 8 });
    fc.assert(
      fc.property(texts, (pieces) => {
        const { partial } = read([...streamed(pieces), finish("tool_calls")]);
        expect(partial).toBe(JSON.stringify({ input: pieces.join("") }));
      }),
      { numRuns: 60 },
    );
  });

  test("may be cut inside a character that takes two units", () => {
    const { partial, content } = read([...streamed(['"\\\ud83d', "\ude00\t", ""]), finish("tool_calls")]);
    expect(partial).toBe(JSON.stringify({ input: '"\\\u{1f600}\t' }));
    expect(content).toEqual([use({ input: '"\\\u{1f600}\t' })]);
  });

  test("go out while they arrive, not at the end", () => {
    const sse = chatSse(streamed(["first"]), false);
    expect(partialJson(streamThrough(way, bytesOf(sse)).wire)).toContain('{"input":"first');
  });

  test("keep their order beside functions, text and each other", () => {
    const chunks = [
      delta({ content: "now" }),
      tool({ index: 0, id: "f1", type: "function", function: { name: "f", arguments: '{"a":1}' } }),
      ...streamed(["one"], "c1", 1),
      ...streamed(["two"], "c2", 2),
      tool({ index: 3, id: "f2", type: "function", function: { name: "g", arguments: "{}" } }),
      finish("tool_calls"),
    ];
    expect(read(chunks).content).toEqual([
      { type: "text", text: "now" },
      use({ a: 1 }, "f1", "f"),
      use({ input: "one" }, "c1"),
      use({ input: "two" }, "c2"),
      use({}, "f2", "g"),
    ]);
  });

  test("survive odd servers: no type, no index, no id, a null function, the name again, input all at once", () => {
    const bare = [tool({ custom: { name: "run", input: "x" } }), finish("stop")];
    const [call] = read(bare).content as JsonObject[];
    expect(call).toMatchObject({ name: "run", input: { input: "x" } });
    expect(call?.id).toMatch(/^[A-Za-z0-9_-]+$/);
    const nulls = { index: 0, id: "n", type: "custom", function: null, custom: { name: "run", input: null } };
    const again = tool({ index: 0, id: "n", type: "custom", custom: { name: "run", input: "y" } });
    expect(read([tool(nulls), again, finish("tool_calls")]).content).toEqual([use({ input: "y" }, "n")]);
    expect(read([...streamed([]), finish("tool_calls")]).content).toEqual([use({ input: "" })]);
    const { body } = wholeThrough(way, whole([wholeCall(undefined, null)]));
    expect(body.content).toMatchObject([{ type: "tool_use", input: { input: "" } }]);
  });

  test("share an index with a function call without being mixed up with it", () => {
    const chunks = [
      tool({ index: 0, id: "f1", type: "function", function: { name: "f", arguments: '{"a":1}' } }),
      ...streamed(["one"], "c1", 0),
      finish("tool_calls"),
    ];
    expect(read(chunks).content).toEqual([use({ a: 1 }, "f1", "f"), use({ input: "one" }, "c1")]);
  });

  test("give what came when the limit cut them, and come back under the client's own name", () => {
    const { content, message } = read([...streamed(["half"]), finish("length")], {
      toolNames: new Map([["run", "run.it"]]),
    });
    expect(content).toEqual([use({ input: "half" }, "call_1", "run.it")]);
    expect(message.stop_reason).toBe("max_tokens");
  });

  test("without a name are a failure, not an answer with nothing in it", () => {
    const nameless = tool({ index: 0, id: "c", type: "custom", custom: { input: "x" } });
    expect(streamThrough(way, chatSse([nameless, finish("tool_calls")])).failure).not.toBeNull();
  });
});

describe("custom tool calls of a chat node for a chat client", () => {
  test("pass byte for byte, streamed and whole", () => {
    const chunks = [...streamed(["a", "b"]), finish("tool_calls")];
    const { wire, failure } = streamThrough(same, chatSse(chunks));
    expect(failure).toBeNull();
    expect(callsOf(payloadsOf(wire))).toEqual(callsOf(chunks));
    expect(wire).toContain('"finish_reason":"tool_calls"');
    const body = whole([wholeCall("ls")]);
    expect(wholeThrough(same, body).body.choices).toEqual([{ ...body.choices[0], index: 0 }]);
  });

  test("keep an index of their own beside functions", () => {
    const chunks = [
      ...streamed(["x"], "c1", 0),
      tool({ index: 1, id: "f1", type: "function", function: { name: "f", arguments: "{}" } }),
      finish("tool_calls"),
    ];
    const entries = callsOf(payloadsOf(streamThrough(same, chatSse(chunks)).wire));
    expect(entries.find(({ id }) => id === "c1")?.index).toBe(0);
    expect(entries.find(({ id }) => id === "f1")?.index).toBe(1);
  });
});
