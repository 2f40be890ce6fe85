import { describe, expect, test } from "vitest";
import { parseExact } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import { nodeAdapters } from "@/lib/protocols/registry";
import { SseDecoder } from "@/lib/protocols/sse/sse-decoder";
import { type GeminiExchange, type GeminiMeaning, geminiAbsence, geminiAnswers } from "@/tests/corpus/gemini";

const { decoder, decodeWhole } = nodeAdapters.gemini;

/** Differences that are meant, by recording. */
const exceptions: Readonly<Record<string, string>> = {
  "ge-gemini-45678a6c-00": "an answer without candidates and without a reason is broken (a mock)",
  "ge-gemini-b1df3b04-00": "a streamed call that the server then answers itself, which only mcpServers make",
  "ge-gemini-9f8d7f51-00": "tokens that only the total has are thoughts (docs/gemini.md#usage)",
  "ge-vertex-0028a865-00": "UNEXPECTED_TOOL_CALL is a failure (docs/gemini.md#finish)",
};

const recordings = geminiAnswers();

describe(`recorded Gemini answers${geminiAbsence}`, () => {
  test.each(recordings.map(([recording, meaning]) => [recording.id, recording, meaning] as const))(
    "%s is read as it was meant",
    (id, recording, meaning) => {
      const read = readingOf(eventsOf(recording, meaning), meaning.choices);
      if (exceptions[id] === undefined) expect(read).toEqual(expectedOf(meaning));
      else expect(read).not.toEqual(expectedOf(meaning));
    },
  );

  test("has at most two exceptions of a hundred", () => {
    expect(Object.keys(exceptions).length).toBeLessThanOrEqual(Math.max(4, recordings.length * 0.02));
  });

  test("streams are read the same however their bytes arrive", () => {
    for (const [{ id, response }, { choices }] of recordings) {
      if (response.sse === undefined || response.sse.length > 20_000) continue;
      const bytes = Buffer.from(response.sse);
      const whole = streamed([bytes], choices);
      for (let at = 1; at < bytes.length; at += 97)
        expect(streamed([bytes.subarray(0, at), bytes.subarray(at)], choices), id).toEqual(whole);
    }
  });

  test("a stream that is cut before its end is broken, whatever came", () => {
    for (const [{ id, response }, { choices }] of recordings) {
      if (response.sse === undefined) continue;
      const frames = response.sse.split(/(?<=\r?\n\r?\n)/);
      const cut = frames.findIndex((frame) => frame.includes('"finishReason"'));
      if (cut < 1) continue;
      const events = streamed([Buffer.from(frames.slice(0, cut).join(""))], choices);
      expect(events.at(-1), id).toMatchObject({ type: "error" });
    }
  });
});

function eventsOf({ response }: GeminiExchange, { choices }: GeminiMeaning): GenerationEvent[] {
  if (response.sse !== undefined) return streamed([Buffer.from(response.sse)], choices);
  const body = response.body ?? parseExact(response.text ?? "null");
  return decodeWhole(body, { id: "own", choices: choices || 1 });
}

function streamed(chunks: readonly Buffer[], choices: number): GenerationEvent[] {
  const sse = new SseDecoder();
  const reader = decoder({ id: "own", choices: choices || 1 });
  const frames = [...chunks.flatMap((chunk) => sse.push(chunk)), ...sse.end()];
  return [...frames.flatMap((frame) => reader.push(frame)), ...reader.end()];
}

interface Reading {
  text: string;
  reasoning: string;
  calls: unknown[];
  stop: string | undefined;
  usage: JsonObject;
}

/** The first choice of an answer. */
function readingOf(events: readonly GenerationEvent[], choices: number): Reading {
  const first = choices > 1 ? events.slice(0, firstEnd(events)) : events;
  const said = (type: "text" | "reasoning") =>
    first.flatMap((event) => (event.type === type ? [event.text] : [])).join("");
  const finish = events.find((event) => event.type === "finish");
  const usage: PartialUsage = {};
  for (const event of events) if (event.type === "usage") Object.assign(usage, event.usage);
  const { inputUncached, cacheRead, output } = usage;
  return {
    text: said("text"),
    reasoning: said("reasoning"),
    calls: first.flatMap((event) => (event.type === "tool_open" ? [callOf(event, first)] : [])),
    stop: finish?.reason,
    usage: {
      ...(inputUncached !== undefined && { input: inputUncached + (cacheRead ?? 0) }),
      ...(output !== undefined && { output }),
      cache_read: cacheRead ?? 0,
    },
  };
}

function firstEnd(events: readonly GenerationEvent[]): number {
  const other = events.findIndex((event) => event.type === "choice");
  return other === -1 ? events.length : other;
}

function callOf(
  { slot, name }: Extract<GenerationEvent, { type: "tool_open" }>,
  events: readonly GenerationEvent[],
): unknown {
  const pieces = events.flatMap((event) =>
    event.type === "tool_args" && event.slot === slot ? [event.text] : [],
  );
  return { name, args: JSON.parse(pieces.join("")) };
}

/** Our word for the corpus's one. */
const stops: Readonly<Record<string, string>> = {
  end: "end",
  tool: "tool_use",
  length: "length",
  refusal: "refusal",
};

function expectedOf({ text, reasoning, tool_calls: calls, stop, usage }: GeminiMeaning): Reading {
  const told: JsonObject = isObject(usage) ? usage : {};
  return {
    text,
    reasoning,
    calls: calls.map(({ name, args }) => ({ name, args })),
    stop: stops[stop] ?? "end",
    usage: {
      ...(typeof told.input === "number" && { input: told.input }),
      ...(typeof told.input === "number" && { output: told.output ?? 0 }),
      cache_read: told.cache_read ?? 0,
    },
  };
}
