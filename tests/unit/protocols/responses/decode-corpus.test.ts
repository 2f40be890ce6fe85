import { describe, expect, test } from "vitest";
import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { ResponsesDecoder } from "@/lib/protocols/responses/node/decode";
import { ResponsesLimitEnding } from "@/lib/protocols/responses/node/limit-ending";
import { responseEvents, responseFrames } from "@/lib/protocols/responses/node/whole";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import {
  type ResponsesExchange,
  type ResponsesMeaning,
  responsesAbsence,
  responsesExchanges,
  responsesMeanings,
  responsesPresent,
} from "@/tests/corpus/responses";
import { callsOf, decoded, finishOf, framesOf, joined, options } from "./decoding";

/** What the events say, in the corpus's own words. */
function meaningOf(events: readonly GenerationEvent[]) {
  const usage = events.findLast(({ type }) => type === "usage");
  const counts = usage?.type === "usage" ? usage.usage : {};
  const prompt = (counts.inputUncached ?? 0) + (counts.cacheRead ?? 0) + (counts.cacheWrite ?? 0);
  return {
    text: joined(events, "text"),
    refusal: joined(events, "refusal") || null,
    reasoning: joined(events, "reasoning"),
    encrypted: events.filter(({ type }) => type === "reasoning_opaque").length,
    calls: callsOf(events).map(({ kind, input, ...call }) => ({
      id: call.id,
      name: call.name,
      input: kind === "custom" ? { input } : parseJson(input),
    })),
    stop: finishOf(events),
    usage: usage === undefined ? null : { input: prompt, output: counts.output, cacheRead: counts.cacheRead },
  };
}

const stops: Readonly<Record<string, string>> = {
  tool: "tool_use",
  end: "end",
  length: "length",
  refusal: "refusal",
};

function wanted(meaning: ResponsesMeaning): ReturnType<typeof meaningOf> {
  const { text, refusal, reasoning_summary: summary, reasoning_text: thoughts, encrypted, usage } = meaning;
  return {
    text,
    refusal,
    reasoning: [...summary, ...thoughts].join(""),
    encrypted,
    calls: meaning.tool_calls.map(({ id, name, namespace, args }) => ({
      id: id ?? "",
      name: namespace === undefined ? name : `${namespace}__${name}`,
      input: isObject(args) && "__unparsable" in args ? undefined : args,
    })),
    stop: stops[meaning.stop ?? ""] ?? "end",
    usage:
      usage.input === null
        ? null
        : { input: usage.input, output: usage.output ?? undefined, cacheRead: usage.cache_read },
  };
}

const recorded = responsesPresent ? responsesExchanges() : [];
const meanings = responsesPresent ? responsesMeanings() : {};

/** Shortened by hand: its deltas say something else than its whole texts. */
const contradictory = "re-openai-df0eddc5-00";

/** Answers of a generation that has ended well. */
function answers(kind: "sse" | "body"): [ResponsesExchange, ResponsesMeaning][] {
  return recorded.flatMap((exchange) => {
    const meaning = meanings[exchange.id];
    const { body, status } = exchange.response;
    const isAnswer = exchange.request.path.split("?")[0]?.endsWith("/responses") === true && status === 200;
    const isEnded = !isObject(body) || (body.status !== "queued" && body.status !== "in_progress");
    return isAnswer && isEnded && meaning?.ok === true && exchange.response[kind] !== undefined
      ? [[exchange, meaning] as const]
      : [];
  }) as [ResponsesExchange, ResponsesMeaning][];
}

describe.skipIf(!responsesPresent)(`recorded answers of Responses nodes${responsesAbsence}`, () => {
  const streams = answers("sse");
  const bodies = answers("body");

  test("streams are read as the official SDK reads them", () => {
    expect(streams.length).toBeGreaterThan(50);
    for (const [{ id, response }, meaning] of streams) {
      const events = decoded(framesOf(Buffer.from(response.sse ?? "")));
      expect(events.at(-1), id).toEqual({ type: "end" });
      if (id !== contradictory) expect(meaningOf(events), id).toEqual(wanted(meaning));
    }
  });

  test("whole answers are read as the official SDK reads them, and as their own frames are", () => {
    expect(bodies.length).toBeGreaterThan(150);
    for (const [{ id, response }, meaning] of bodies) {
      const events = responseEvents(response.body, options);
      expect(events.at(-1), id).toEqual({ type: "end" });
      expect(meaningOf(events), id).toEqual(wanted(meaning));
      expect(meaningOf(decoded(responseFrames(response.body))), id).toEqual(wanted(meaning));
    }
  });

  test("a stream that is cut anywhere ends in an error, or in its end; never in silence or an exception", () => {
    for (const [{ id, response }] of streams) {
      const frames = framesOf(Buffer.from(response.sse ?? ""));
      const decoder = new ResponsesDecoder(options);
      for (const [at, frame] of frames.entries()) {
        const cut = decoded([...frames.slice(0, at), ...halfOf(frame)]);
        expect(["error", "end"], `${id} at ${at}`).toContain(cut.at(-1)?.type);
        decoder.push(frame);
      }
    }
  }, 120_000);

  test("a stream that is cut at the output limit is ended as its node would have ended it", () => {
    for (const [{ id, response }] of streams) {
      const frames = framesOf(Buffer.from(response.sse ?? ""));
      const half = frames.slice(0, Math.ceil(frames.length / 2));
      const ending = new ResponsesLimitEnding();
      for (const frame of half) ending.watch(frame);
      const events = decoded([...half, ...ending.frames(77)]);
      expect(events.at(-1), id).toEqual({ type: "end" });
      expect(finishOf(events), id).toBe("length");
      const said = decoded(half).filter(({ type }) => type !== "error");
      expect(joined(events, "text"), id).toBe(joined(said, "text"));
      expect(events).toContainEqual(
        expect.objectContaining({ type: "usage", usage: expect.objectContaining({ output: 77 }) }),
      );
    }
  });
});

function halfOf({ event, data }: SseFrame): SseFrame[] {
  return [{ event, data: data.slice(0, Math.floor(data.length / 2)) }];
}
