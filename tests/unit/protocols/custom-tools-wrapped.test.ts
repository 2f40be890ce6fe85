import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { UnwrappingDecoder, unwrapCustomCalls } from "@/lib/protocols/passes/unwrap-custom-tools";
import { protocols } from "@/lib/protocols/registry";
import { bytesOf, chatSse, finish, framesFrom, optionsFor, tool, usageChunk } from "./pipeline";

const wrapped = new Set(["exec"]);
const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** A call as events, its arguments in pieces. */
function called(pieces: string[], name = "exec"): GenerationEvent[] {
  return [
    { type: "tool_open", slot: 0, id: "c", name, kind: "function" },
    ...pieces.map((text): GenerationEvent => ({ type: "tool_args", slot: 0, text })),
    { type: "tool_close", slot: 0 },
  ];
}

function inputOf(events: readonly GenerationEvent[]): string {
  return events.map((event) => (event.type === "tool_args" ? event.text : "")).join("");
}

function unwrapped(pieces: string[]): string {
  return inputOf(unwrapCustomCalls(called(pieces), wrapped));
}

/** The calls of a chat node that a client's decoder sees, and what each frame gave. */
function streamed(pieces: string[]): GenerationEvent[][] {
  const head = tool({ index: 0, id: "c", type: "function", function: { name: "exec", arguments: "" } });
  const rest = pieces.map((piece): JsonObject => tool({ index: 0, function: { arguments: piece } }));
  const sse = chatSse([head, ...rest, finish("tool_calls"), usageChunk(usage)]);
  const options = optionsFor({ upstream: "chat", client: "chat" });
  const decoder = new UnwrappingDecoder(protocols.chat.decoder(options), wrapped);
  return framesFrom(bytesOf(sse)).map((frame) => decoder.push(frame));
}

describe("calls of custom tools that a node knows as functions", () => {
  test("R-05: give the text byte for byte wherever the arguments are cut", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(text, fc.infiniteStream(fc.integer({ min: 1, max: 4 })), (input, sizes) => {
        const json = JSON.stringify({ input });
        const pieces: string[] = [];
        for (let at = 0; at < json.length; ) {
          const size = sizes.next().value ?? 1;
          pieces.push(json.slice(at, at + size));
          at += size;
        }
        expect(unwrapped(pieces)).toBe(input);
      }),
    );
  });

  test("R-05: are custom calls that come while the node streams", () => {
    const steps = streamed(['{"inp', 'ut": "ls \\"a\\', "n", "b\\ud83d", "\\ude00", ' done"', "}"]);
    const texts = steps.map(inputOf);
    expect(texts.join("")).toBe('ls "a\nb\u{1f600} done');
    expect(texts.filter((text) => text !== "").length).toBeGreaterThan(3);
    expect(steps.flat()).toContainEqual(
      expect.objectContaining({ type: "tool_open", kind: "custom", name: "exec" }),
    );
    expect(texts.every((text) => text.isWellFormed())).toBe(true);
  });

  test("are read with white space, escaped names and other members", () => {
    expect(unwrapped(['\n{ "input" ', ' : "a" , "b": 1}'])).toBe("a");
    expect(unwrapped(['{"why":"x","in', 'put":"a"}'])).toBe("a");
    expect(unwrapped(['{"\\u0069nput":"a\\/b"}'])).toBe("a/b");
    expect(unwrapped(['{"input":"\\', "u00", 'e9"}'])).toBe("é");
  });

  test("have arguments of any other form as their input", () => {
    for (const text of ["", "{}", "ls -la", '{"input":5}', '["input"]', '"input"', '{"inputs":"a"}'])
      expect(unwrapped([...text])).toBe(text);
  });

  test("that are cut off keep what has come", () => {
    expect(unwrapped(['{"input":"abc'])).toBe("abc");
    expect(unwrapped(['{"input":"abc\\'])).toBe("abc");
    expect(unwrapped(['{"input":"abc\\u00'])).toBe("abc");
    expect(unwrapped(['{"input":"abc\\uzz"}'])).toBe('abc\\uzz"}');
  });

  test("leave calls of other tools alone, also of another choice", () => {
    const other = called(['{"input":"a"}'], "other");
    expect(unwrapCustomCalls(other, wrapped)).toEqual(other);
    const two: GenerationEvent[] = [
      ...called(['{"input":"a"}']).slice(0, 2),
      { type: "choice", index: 1 },
      ...called(['{"input":"b"}'], "other"),
      { type: "choice", index: 0 },
      { type: "tool_close", slot: 0 },
    ];
    expect(inputOf(unwrapCustomCalls(two, wrapped))).toBe('a{"input":"b"}');
  });

  test("are the same in a whole answer", () => {
    const events = unwrapCustomCalls(called(['{"input":"a\\nb"}']), wrapped);
    expect(events).toEqual([
      { type: "tool_open", slot: 0, id: "c", name: "exec", kind: "custom" },
      { type: "tool_args", slot: 0, text: "a\nb" },
      { type: "tool_close", slot: 0 },
    ]);
  });
});
