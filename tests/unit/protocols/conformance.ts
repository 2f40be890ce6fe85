import { describe, expect, test } from "vitest";
import { Translator } from "@/lib/gateway/translator";
import { errorStatus } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import type { ProtocolAdapter } from "@/lib/protocols/adapters/protocol-adapter";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { answer, call, type Reading, say, scenarios, start } from "./conformance-scenarios";
import { bytesOf, framesFrom } from "./pipeline";

const ALIAS = "the-alias";
/**
 * What every adapter must do, for each ordered pair of a registry: one of them plays the node, by its own encoder, and
 * the other one reads what the client gets, by its own decoder.
 */
export function describeAdapters(registry: Readonly<Record<string, ProtocolAdapter>>): void {
  const adapters = Object.values(registry);
  const pairs = adapters.flatMap((upstream) =>
    adapters.map((client) => ({ upstream, client, title: `${upstream.id} to ${client.id}` })),
  );

  describe.each(pairs)("a node of $title clients", (pair) => {
    test.each(scenarios)("streams $name", async ({ events, check }) => {
      const { reading, models } = await streamed(pair, framesOf(pair.upstream, events));
      check(reading);
      expect(reading.failure).toBeNull();
      expect(models).toEqual([ALIAS]);
    });

    test.each(scenarios)("answers at once with $name", async ({ events, check }) => {
      check((await whole(pair, bodyOf(pair.upstream, events))).reading);
    });

    test.each(scenarios)(
      "streams to a client that does not want a stream: $name",
      async ({ events, check }) => {
        const translator = new Translator(optionsOf(pair, false));
        for (const frame of framesOf(pair.upstream, events)) expect(translator.push(frame)).toBe("");
        check(readingOf(pair.client.decodeWhole(JSON.parse(endOf(translator)), { id: "r" })));
      },
    );

    test.each(scenarios)("does not stream though it was asked: $name", async ({ events, check }) => {
      const translator = new Translator(optionsOf(pair, true));
      const wire = translator.wholeAsStream(bodyOf(pair.upstream, events)) + endOf(translator);
      check(readingOf(decoded(pair.client, wire)));
    });

    test("pings in between change nothing", async () => {
      const [scenario] = scenarios;
      const quiet = wireOf(pair.upstream, scenario?.events ?? []);
      const noisy = quiet.replace(/\n\n/g, (end) => `${end}${pair.upstream.ping(false)}`);
      const { reading } = await streamed(pair, framesFrom(bytesOf(noisy)));
      scenario?.check(reading);
    });

    test("an error in the middle of a stream reaches the client as one, and what came before it too", async () => {
      const frame = pair.upstream.errors.frame({
        code: "UPSTREAM_ERROR",
        message: "It broke.",
        requestId: "r",
      });
      const begun = wireOf(pair.upstream, [start, ...say("So far")], false);
      const { reading, translator } = await streamed(pair, framesFrom(bytesOf(begun + frame)));
      expect(translator.failure?.message).toContain("It broke.");
      expect(reading).toMatchObject({ text: "So far", finish: null });
      expect(reading.failure).toContain("It broke.");
    });

    test("an error before anything else shows nothing", async () => {
      const frame = pair.upstream.errors.frame({
        code: "UPSTREAM_ERROR",
        message: "It broke.",
        requestId: "r",
      });
      const translator = new Translator(optionsOf(pair, true));
      for (const one of framesFrom(bytesOf(frame))) expect(translator.push(one)).toBe("");
      expect(translator).toMatchObject({
        meaningful: false,
        started: false,
        failure: { message: "It broke." },
      });
      const refused = await whole(pair, { error: { message: "No." } });
      expect(refused.translator.failure?.message).toBe("No.");
    });

    test("a stream that breaks off has failed", async () => {
      const begun = wireOf(pair.upstream, [start, ...say("So far")], false);
      const { translator } = await streamed(pair, framesFrom(bytesOf(begun)));
      expect(translator.failure).not.toBeNull();
    });

    test("a stream that is cut at its limit ends as one that reached it", async () => {
      const ending = pair.upstream.limitEnding(1);
      const begun = framesFrom(bytesOf(wireOf(pair.upstream, [start, ...say("So far")], false)));
      for (const frame of begun) ending.watch(frame);
      const { reading } = await streamed(pair, [...begun, ...ending.frames(20)]);
      expect(reading).toMatchObject({ text: "So far", finish: "length", failure: null });
    });

    test("the end is held back until the money is settled", async () => {
      const translator = new Translator(optionsOf(pair, true));
      const frames = framesOf(pair.upstream, answer(say("All of it"), "end"));
      const wire = frames.map((frame) => translator.push(frame)).join("");
      expect(readingOf(decoded(pair.client, wire)).failure).not.toBeNull();
      expect(readingOf(decoded(pair.client, wire + endOf(translator)))).toMatchObject({ finish: "end" });
    });

    test("names are turned back, reasoning is hidden and only one call goes out where that is wanted", async () => {
      const parts: GenerationEvent[] = [
        { type: "reasoning", text: "Hm" },
        ...call(0, "f", "{}"),
        ...call(1, "g", "{}"),
      ];
      const wanted = {
        hideReasoning: true,
        singleToolCall: true,
        toolNames: new Map([["f", "a long name"]]),
      };
      const events = answer(parts, "tool_use");
      const { reading } = await streamed(pair, framesOf(pair.upstream, events), wanted);
      const { reading: atOnce } = await whole(pair, bodyOf(pair.upstream, events), wanted);
      for (const one of [reading, atOnce]) {
        expect(one.tools[0]?.name).toBe("a long name");
        // Patching a request for a node of the client's own protocol needs neither.
        if (pair.upstream !== pair.client) expect(one).toMatchObject({ reasoning: "", tools: { length: 1 } });
      }
    });
  });

  describe.each(adapters)("the protocol $id", (adapter) => {
    test("has a word for every error, and a frame that its own readers take for a failure", () => {
      for (const code of Object.keys(errorStatus) as (keyof typeof errorStatus)[]) {
        expect(adapter.errors.types[code]).toBeTruthy();
        const frame = adapter.errors.frame({ code, message: "It broke.", requestId: "r" });
        expect(readingOf(decoded(adapter, frame)).failure).toContain("It broke.");
      }
    });

    test("reads refusals of nodes in any form", () => {
      expect(adapter.readFailure(429, '{"error":{"message":"Slow down"}}')).toMatchObject({
        status: 429,
        message: "Slow down",
      });
      expect(adapter.readFailure(502, "<html>")).toMatchObject({ status: 502, ours: true });
    });

    test("makes ids of its own form, the same for the same request", () => {
      const id = adapter.answerId("019aa3f2-c1d8-7e4b-9f0a-6c5d4e3b2a10");
      expect(id).toBe(adapter.answerId("019aa3f2-c1d8-7e4b-9f0a-6c5d4e3b2a10"));
      expect(id).not.toBe(adapter.answerId("019aa3f2-c1d8-7e4b-9f0a-6c5d4e3b2a11"));
    });

    test("tells limits in headers whose values are text", () => {
      const use = { limit: 10, used: 3, resetMs: 1_000 };
      const headers = adapter.errors.limitHeaders({ rpm: use, tpm: use }, 0);
      expect(Object.values(headers).length).toBeGreaterThan(0);
      for (const value of Object.values(headers)) expect(typeof value).toBe("string");
    });
  });
}

interface Pair {
  upstream: ProtocolAdapter;
  client: ProtocolAdapter;
}

function optionsOf({ upstream, client }: Pair, stream: boolean, wanted: Partial<EncoderOptions> = {}) {
  return {
    client,
    upstream,
    stream,
    id: client.answerId("019aa3f2"),
    alias: ALIAS,
    created: 1_700_000_000,
    request: { stream_options: { include_usage: true } },
    hideReasoning: false,
    singleToolCall: false,
    toolNames: new Map<string, string>(),
    wrappedTools: new Set<string>(),
    choices: 1,
    inputEstimate: 7,
    usageCeiling: undefined,
    outputCap: 1_000_000,
    estimateUsage: async () => undefined,
    seal:
      upstream === client
        ? null
        : { sign: () => "signed", tag: (opaque: string) => opaque, envelope: () => "sealed" },
    ...wanted,
  };
}

/** What a node of a protocol would send. */
function nodeOptions(adapter: ProtocolAdapter): EncoderOptions {
  return { ...optionsOf({ upstream: adapter, client: adapter }, true), alias: "node-model" };
}

function wireOf(adapter: ProtocolAdapter, events: GenerationEvent[], ended = true): string {
  const encoder = adapter.encoder(nodeOptions(adapter));
  return events.map((event) => encoder.push(event)).join("") + (ended ? encoder.end() : "");
}

function framesOf(adapter: ProtocolAdapter, events: GenerationEvent[]): SseFrame[] {
  return framesFrom(bytesOf(wireOf(adapter, events)));
}

function bodyOf(adapter: ProtocolAdapter, events: GenerationEvent[]): JsonObject {
  return adapter.fold(events, nodeOptions(adapter)).body;
}

async function streamed(pair: Pair, frames: SseFrame[], wanted: Partial<EncoderOptions> = {}) {
  const translator = new Translator(optionsOf(pair, true, wanted));
  let wire = "";
  for (const frame of frames) wire += translator.push(frame);
  wire += endOf(translator);
  const failed = translator.failure;
  if (failed)
    wire += pair.client.errors.frame({ code: "UPSTREAM_ERROR", message: failed.message, requestId: "r" });
  const events = decoded(pair.client, wire);
  const models = events.flatMap((event) => (event.type === "start" ? [event.model] : []));
  return { reading: readingOf(events), models, translator };
}

async function whole(pair: Pair, body: JsonObject, wanted: Partial<EncoderOptions> = {}) {
  const translator = new Translator(optionsOf(pair, false, wanted));
  translator.takeWhole(JSON.stringify(body), structuredClone(body));
  const events = translator.failure
    ? []
    : pair.client.decodeWhole(JSON.parse(translator.end(undefined)), { id: "r" });
  return { reading: readingOf(events), translator };
}

/** What comes after the end of the node's bytes. */
function endOf(translator: Translator): string {
  const rest = translator.finish();
  return translator.failure ? rest : rest + translator.end(undefined);
}

/** What a reader makes of wire text, read to its end. */
function decoded(adapter: ProtocolAdapter, wire: string): GenerationEvent[] {
  const decoder = adapter.decoder({ id: "reader" });
  return [...framesFrom(bytesOf(wire)).flatMap((frame) => decoder.push(frame)), ...decoder.end()];
}

function readingOf(events: readonly GenerationEvent[]): Reading {
  const reading: Reading = {
    text: "",
    reasoning: "",
    refusal: "",
    tools: [],
    finish: null,
    usage: {},
    failure: null,
  };
  for (const event of events) {
    if (event.type === "text") reading.text += event.text;
    else if (event.type === "reasoning") reading.reasoning += event.text;
    else if (event.type === "refusal") reading.refusal += event.text;
    else if (event.type === "tool_open")
      reading.tools[event.slot] = { name: event.name, text: "", id: event.id };
    else if (event.type === "tool_args") {
      const tool = reading.tools[event.slot];
      if (tool) tool.text += event.text;
    } else if (event.type === "finish") reading.finish = event.reason;
    else if (event.type === "usage") Object.assign(reading.usage, event.usage);
    else if (event.type === "error") reading.failure = event.failure.message;
  }
  return reading;
}
