import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Decoder } from "@/lib/protocols/adapters/decoder";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { cutAtStops, StoppingDecoder } from "@/lib/protocols/passes/stop-sequences";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

/** A node whose frames are already events. */
class Events implements Decoder {
  readonly finishSeen = false;
  readonly #events: GenerationEvent[];

  constructor(events: readonly GenerationEvent[]) {
    this.#events = [...events];
  }

  push(_frame: SseFrame): GenerationEvent[] {
    const next = this.#events.shift();
    return next === undefined ? [] : [next];
  }

  end(): GenerationEvent[] {
    return this.#events.splice(0);
  }
}

const frame: SseFrame = { event: null, data: "" };

function streamed(events: readonly GenerationEvent[], stops: readonly string[], choices = 1) {
  const decoder = new StoppingDecoder(new Events(events), stops, choices);
  const out: GenerationEvent[] = [];
  let read = 0;
  while (read < events.length && !decoder.stopped) {
    out.push(...decoder.push(frame));
    read += 1;
  }
  out.push(...decoder.end());
  return { out, read, stopped: decoder.stopped };
}

const text = (piece: string): GenerationEvent => ({ type: "text", text: piece });
const ended: GenerationEvent[] = [{ type: "finish", reason: "end", native: "stop" }, { type: "end" }];
const told: GenerationEvent = { type: "usage", usage: { output: 20 } };
const textOf = (events: readonly GenerationEvent[]) =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("");
const finishOf = (events: readonly GenerationEvent[]) => events.find(({ type }) => type === "finish");

/** What the text is up to the sequence that is complete first. */
function expected(whole: string, stops: readonly string[]) {
  for (let end = 1; end <= whole.length; end += 1) {
    const met = stops
      .filter((stop) => whole.slice(0, end).endsWith(stop))
      .toSorted((a, b) => b.length - a.length)[0];
    if (met !== undefined) return { text: whole.slice(0, end - met.length), met };
  }
  return { text: whole, met: null };
}

/** Source: docs/protocols.md#s10-1. */
describe("an answer of a node that does not know the stop sequences", () => {
  test("ends at the sequence that is complete first, wherever the text is cut, streamed as whole", () => {
    const letters = fc.constantFrom("a", "b", "<", "/", "é");
    const stops = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    });
    const pieces = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 5 }), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, stops, (parts, sequences) => {
        const events = [...parts.map(text), ...ended];
        const want = expected(parts.join(""), sequences);
        const reason = want.met === null ? "end" : "stop_sequence";
        for (const out of [streamed(events, sequences).out, cutAtStops(events, sequences, 1)]) {
          expect(textOf(out)).toBe(want.text);
          expect(finishOf(out)).toMatchObject({ reason });
          if (want.met !== null) expect(finishOf(out)).toMatchObject({ stopSequence: want.met });
          expect(out.at(-1)).toEqual({ type: "end" });
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("is read no further, and an open call is closed", () => {
    const open: GenerationEvent = { type: "tool_open", slot: 0, id: "1", name: "f", kind: "function" };
    const { out, read, stopped } = streamed(
      [open, text("yes</blo"), text("ck> no"), text("more"), ...ended],
      ["</block>"],
    );
    expect([stopped, read, textOf(out)]).toEqual([true, 3, "yes"]);
    expect(out.slice(-3).map(({ type }) => type)).toEqual(["tool_close", "finish", "end"]);
  });

  test("keeps what a whole answer says of its counts and calls", () => {
    const search: GenerationEvent = { type: "hosted_call", tool: "webSearch" };
    const out = cutAtStops([text("aSTOPb"), search, told, ...ended], ["STOP"], 1);
    expect(out.map(({ type }) => type)).toEqual(["text", "hosted_call", "usage", "finish", "end"]);
  });

  test("is not searched in reasoning and in the input of tools, and a sequence does not go on behind them", () => {
    const events: GenerationEvent[] = [
      { type: "reasoning", text: "STOP" },
      text("ST"),
      { type: "reasoning", text: "x" },
      text("OP"),
      { type: "tool_open", slot: 0, id: "1", name: "f", kind: "custom" },
      { type: "tool_args", slot: 0, text: "STOP" },
      ...ended,
    ];
    const { out, stopped } = streamed(events, ["STOP"]);
    expect(stopped).toBe(false);
    expect(out).toEqual(events);
  });

  test("has each of several choices cut for itself, and is read to its end", () => {
    const choice = (index: number): GenerationEvent => ({ type: "choice", index });
    const finish = ended[0] as GenerationEvent;
    const events = [
      text("oneSTOP"),
      choice(1),
      text("two"),
      choice(0),
      text("x"),
      finish,
      choice(1),
      text("!"),
      finish,
    ];
    const { out, stopped } = streamed([...events, told, { type: "end" }], ["STOP"], 2);
    expect(stopped).toBe(false);
    expect(textOf(out)).toBe("onetwo!");
    expect(out.flatMap((event) => (event.type === "finish" ? [event.reason] : []))).toEqual([
      "stop_sequence",
      "end",
    ]);
    expect(out).toContainEqual(told);
  });
});
