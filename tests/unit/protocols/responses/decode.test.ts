import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject, parseJson } from "@/lib/kernel/json";
import { Recoding } from "@/lib/protocols/conversion";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { protocols } from "@/lib/protocols/registry";
import { ResponsesDecoder } from "@/lib/protocols/responses/decode";
import { ResponsesLimitEnding, responseEvents, responseFrames } from "@/lib/protocols/responses/whole";
import { SseDecoder, type SseFrame } from "@/lib/protocols/sse/sse-decoder";
import {
  type ResponsesExchange,
  type ResponsesMeaning,
  responsesAbsence,
  responsesExchanges,
  responsesMeanings,
  responsesPresent,
} from "@/tests/corpus/responses";

import { optionsFor } from "../pipeline";

const options = { id: "resp_own" };

function framesOf(...pieces: Uint8Array[]): SseFrame[] {
  const decoder = new SseDecoder();
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()];
}

function decoded(frames: readonly SseFrame[], jsonToolArguments = false): GenerationEvent[] {
  const decoder = new ResponsesDecoder({ ...options, jsonToolArguments });
  return [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
}

function streamed(...payloads: object[]): GenerationEvent[] {
  return decoded(payloads.map((payload) => ({ event: null, data: JSON.stringify(payload) })));
}

function joined(events: readonly GenerationEvent[], type: "text" | "reasoning" | "refusal"): string {
  return events.map((event) => (event.type === type ? event.text : "")).join("");
}

function callsOf(events: readonly GenerationEvent[]) {
  const calls = new Map<number, { id: string; name: string; kind: string; input: string }>();
  for (const event of events) {
    if (event.type === "tool_open") calls.set(event.slot, { ...event, input: "" });
    const call = event.type === "tool_args" ? calls.get(event.slot) : undefined;
    if (call !== undefined && event.type === "tool_args") call.input += event.text;
  }
  return [...calls.values()];
}

function finishOf(events: readonly GenerationEvent[]): string | null {
  const finish = events.find(({ type }) => type === "finish");
  return finish?.type === "finish" ? finish.reason : null;
}

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

  test("bytes may be cut anywhere", () => {
    for (const [{ id, response }] of streams) {
      const bytes = Buffer.from(response.sse ?? "");
      const frames = JSON.stringify(framesOf(bytes));
      const step = Math.max(1, Math.floor(bytes.length / 200));
      for (let at = 1; at < bytes.length; at += step)
        if (JSON.stringify(framesOf(bytes.subarray(0, at), bytes.subarray(at))) !== frames)
          expect.fail(`${id} cut at ${at}`);
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

const created = { type: "response.created", response: { id: "resp_1", model: "m", status: "in_progress" } };
const completed = { type: "response.completed", response: { id: "resp_1", status: "completed", output: [] } };
const message = { type: "message", id: "msg_1", role: "assistant", content: [] };
const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "f", arguments: "" };

describe("streams of servers that keep the protocol loosely", () => {
  test("R-23: items whose beginning was left out are read from their deltas", () => {
    const events = streamed(
      created,
      { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "a", delta: "Hel" },
      { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "a", delta: "lo" },
      { type: "response.function_call_arguments.delta", output_index: 1, delta: '{"a":' },
      { type: "response.function_call_arguments.delta", output_index: 1, delta: "1}" },
      { type: "response.output_item.done", output_index: 1, item: { ...call, arguments: '{"a":1}' } },
      completed,
    );
    expect(joined(events, "text")).toBe("Hello");
    expect(callsOf(events)).toMatchObject([{ id: "call_1", name: "f", input: '{"a":1}' }]);
    expect(finishOf(events)).toBe("tool_use");
  });

  test("ids that change from event to event are one item by its place", () => {
    const events = streamed(
      created,
      { type: "response.output_item.added", output_index: 0, item: { ...message, id: "x1" } },
      { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "x2", delta: "Hi" },
      { type: "response.output_text.done", output_index: 0, content_index: 0, item_id: "x3", text: "Hi" },
      {
        type: "response.output_item.done",
        output_index: 0,
        item: { ...message, id: "x4", content: [{ type: "output_text", text: "Hi" }] },
      },
      completed,
    );
    expect(joined(events, "text")).toBe("Hi");
  });

  test("texts that come without deltas come once, from whatever has them", () => {
    const content = [{ type: "output_text", text: "Hi" }];
    const done = { type: "response.output_item.done", output_index: 0, item: { ...message, content } };
    const text = { type: "response.output_text.done", output_index: 0, content_index: 0, text: "Hi" };
    const ended = { ...completed, response: { ...completed.response, output: [{ ...message, content }] } };
    for (const payloads of [[text, done, ended], [done, ended], [ended]])
      expect(joined(streamed(created, ...payloads), "text")).toBe("Hi");
    const args = { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"a":1}' };
    const item = {
      type: "response.output_item.done",
      output_index: 0,
      item: { ...call, arguments: '{"a":1}' },
    };
    for (const payloads of [
      [args, item, completed],
      [item, completed],
    ])
      expect(callsOf(streamed(created, ...payloads))).toMatchObject([{ input: '{"a":1}' }]);
  });

  test("a call without arguments has an empty object", () => {
    const item = { type: "response.output_item.done", output_index: 0, item: call };
    expect(callsOf(streamed(created, item, completed))).toMatchObject([{ input: "{}" }]);
  });

  test("R-22: events are known by the name of their frame where the data has no type", () => {
    const { type: event, ...data } = { ...completed };
    const decoder = new ResponsesDecoder(options);
    const events = decoder.push({ event, data: JSON.stringify(data) });
    expect(events.at(-1)).toEqual({ type: "end" });
  });

  test("R-03: a call of a namespace has its flat name; that of the implicit one its bare name", () => {
    const item = (namespace: string, output_index: number) => ({
      type: "response.output_item.done",
      output_index,
      item: { ...call, namespace },
    });
    const calls = callsOf(streamed(created, item("mcp__x", 0), item("functions", 1), completed));
    expect(calls.map(({ name }) => name)).toEqual(["mcp__x__f", "f"]);
  });

  test("R-05: the input of a custom tool comes as plain text, with deltas or without", () => {
    const input = 'a "b"\n\\c';
    const item = { type: "custom_tool_call", id: "ctc_1", call_id: "call_1", name: "exec", input: "" };
    const added = { type: "response.output_item.added", output_index: 0, item };
    const delta = { type: "response.custom_tool_call_input.delta", output_index: 0, delta: input };
    const done = { type: "response.output_item.done", output_index: 0, item: { ...item, input } };
    for (const payloads of [[added, delta, done], [added, done], [done]])
      expect(callsOf(streamed(created, ...payloads, completed))).toMatchObject([{ kind: "custom", input }]);
  });

  test("R-21: an answer that reasoning has used up ends for its length, without text", () => {
    const events = streamed(created, {
      type: "response.incomplete",
      response: {
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        output: [{ type: "reasoning", id: "rs_1", summary: [] }],
        usage: { input_tokens: 3, output_tokens: 16, total_tokens: 19 },
      },
    });
    expect(finishOf(events)).toBe("length");
    expect(joined(events, "text")).toBe("");
    expect(events.at(-1)).toEqual({ type: "end" });
  });

  test("phases and further messages are told before their texts", () => {
    const item = (output_index: number, text: string, phase?: string) => ({
      type: "response.output_item.done",
      output_index,
      item: { ...message, phase, content: [{ type: "output_text", text }] },
    });
    const events = streamed(
      created,
      item(0, "a", "commentary"),
      item(1, "b", "final_answer"),
      item(2, "c"),
      completed,
    );
    expect(events.filter(({ type }) => type === "message" || type === "text")).toEqual([
      { type: "message", phase: "commentary" },
      { type: "text", text: "a" },
      { type: "message", phase: "final_answer" },
      { type: "text", text: "b" },
      { type: "message", phase: null },
      { type: "text", text: "c" },
    ]);
  });
});

describe("failures of Responses nodes", () => {
  const failureOf = (events: readonly GenerationEvent[]) => {
    const last = events.at(-1);
    return last?.type === "error" ? last.failure : null;
  };

  test("an error event is the failure, and what follows it is not read", () => {
    const flat = { type: "error", code: "rate_limit_exceeded", message: "Slow down", param: null };
    const nested = {
      type: "error",
      error: { type: "tokens", code: "rate_limit_exceeded", message: "Slow down" },
    };
    const failed = {
      type: "response.failed",
      response: { status: "failed", error: { code: "x", message: "y" } },
    };
    for (const error of [flat, nested])
      expect(failureOf(streamed(created, error, failed))).toMatchObject({
        status: 429,
        message: "Slow down",
      });
  });

  test("a failed response is a failure with its code and message", () => {
    const error = { code: "context_length_exceeded", message: "Too long" };
    const failed = { type: "response.failed", response: { status: "failed", error } };
    expect(failureOf(streamed(created, failed))).toMatchObject(error);
    const frame = { event: "response.failed", data: JSON.stringify(failed) };
    expect(failureOf(decoded([frame]))).toMatchObject(error);
    expect(
      failureOf(responseEvents({ object: "response", status: "failed", error, output: [] }, options)),
    ).toMatchObject(error);
  });

  test("a failed call of a tool of the node's does not end the answer", () => {
    const failed = { type: "response.mcp_call.failed", output_index: 0, item_id: "mcp_1" };
    const events = decoded(
      [created, failed, completed].map((payload) => ({ event: payload.type, data: JSON.stringify(payload) })),
    );
    expect(events.at(-1)).toEqual({ type: "end" });
  });

  test("R-18: a stream without its terminal event is broken, even after [DONE]", () => {
    const delta = { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hi" };
    expect(failureOf(streamed(created, delta))).not.toBeNull();
    const frames = [created, delta].map((payload) => ({ event: null, data: JSON.stringify(payload) }));
    expect(failureOf(decoded([...frames, { event: null, data: "[DONE]" }]))).not.toBeNull();
  });

  test("arguments that are no object are a failure where the client needs them", () => {
    const item = {
      type: "response.output_item.done",
      output_index: 0,
      item: { ...call, arguments: "{oops" },
    };
    const frames = [created, item, completed].map((payload) => ({
      event: null,
      data: JSON.stringify(payload),
    }));
    expect(failureOf(decoded(frames, true))).not.toBeNull();
    expect(decoded(frames).at(-1)).toEqual({ type: "end" });
  });

  test("a body that is no answer, or no finished one, is a failure", () => {
    for (const body of [
      null,
      [],
      {},
      { output: 7 },
      { error: { message: "x" } },
      { output: [], status: "queued" },
    ])
      expect(failureOf(responseEvents(body, options))).not.toBeNull();
  });
});

describe("whatever a node sends", () => {
  const types = fc.constantFrom(
    "response.created",
    "response.output_item.added",
    "response.output_item.done",
    "response.content_part.done",
    "response.output_text.delta",
    "response.output_text.done",
    "response.output_text.annotation.added",
    "response.reasoning_summary_text.delta",
    "response.reasoning_summary_part.done",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.custom_tool_call_input.delta",
    "response.refusal.delta",
    "response.completed",
    "response.incomplete",
    "response.failed",
    "error",
  );
  const itemTypes = fc.constantFrom(
    "message",
    "reasoning",
    "function_call",
    "custom_tool_call",
    "shell_call",
    "x",
  );
  const odd = fc.oneof(fc.constantFrom(0, 1, -1, null, "", "a", [], {}), fc.jsonValue({ maxDepth: 2 }));
  const item = fc.record(
    {
      type: itemTypes,
      id: odd,
      call_id: odd,
      name: odd,
      arguments: odd,
      input: odd,
      content: odd,
      summary: odd,
    },
    { requiredKeys: ["type"] },
  );
  const event = fc.record(
    {
      type: types,
      output_index: odd,
      content_index: odd,
      item_id: odd,
      delta: odd,
      text: odd,
      part: odd,
      annotation: odd,
      item: fc.oneof(item, odd),
      response: fc.oneof(
        fc.record({ status: odd, output: fc.oneof(fc.array(item), odd), usage: odd, error: odd }),
        odd,
      ),
    },
    { requiredKeys: ["type"] },
  );

  test("a stream ends in an error or in its end, and so does a client's", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const frames = events.map((payload) => ({ event: null, data: JSON.stringify(payload) }));
        const read = decoded(frames);
        expect(["error", "end"]).toContain(read.at(-1)?.type);
        const ending = new ResponsesLimitEnding();
        for (const frame of frames) ending.watch(frame);
        for (const frame of ending.frames(7)) JSON.parse(frame.data);
        for (const client of ["chat", "messages", "responses"] as const) {
          const stage = new Recoding(
            new ResponsesDecoder(options),
            protocols[client].encoder(optionsFor({ upstream: "responses", client })),
          );
          for (const frame of frames) stage.push(frame);
          stage.finish();
          stage.end();
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a whole answer is one or a failure, and so are its frames", () => {
    fc.assert(
      fc.property(
        fc.record({ status: odd, output: fc.oneof(fc.array(item), odd), usage: odd, error: odd }),
        (body) => {
          expect(["error", "end"]).toContain(responseEvents(body, options).at(-1)?.type);
          expect(["error", "end"]).toContain(decoded(responseFrames(body)).at(-1)?.type);
        },
      ),
      { numRuns: 500 },
    );
  });
});
