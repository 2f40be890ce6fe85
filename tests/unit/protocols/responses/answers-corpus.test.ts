import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createOpenAI } from "@ai-sdk/openai";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { protocols } from "@/lib/protocols/registry";
import { ResponsesEncoder } from "@/lib/protocols/responses/client/encode";
import { foldResponses } from "@/lib/protocols/responses/client/fold";
import { shared } from "@/tests/corpus/corpus";
import { loadCheckStream } from "@/tests/corpus/responses";
import { framesOf } from "@/tests/support/fold";
import { readResponse } from "@/tests/support/responses-stream";
import { bytesOf, framesFrom } from "../pipeline";
import { answerOptions } from "./answer";

const corpus = path.join(shared, "corpus/open");
const present = existsSync(path.join(corpus, "index.json"));

interface Exchange {
  id: string;
  provider: string;
  response: { status: number; body?: JsonObject; sse?: string };
}

interface Meaning {
  ok: boolean;
  usage?: { input: number | null };
  tool_calls?: { name: string; args: unknown }[];
}

interface Oracle {
  fromResponses(response: unknown): Meaning;
  fromError(error: unknown): Meaning;
  diffMeaning(
    expected: Meaning | undefined,
    got: Meaning,
    options: { cross: boolean; usage: boolean; reasoning: boolean },
  ): string[];
}

/** Differences that are meant: the beginning of the exchange's name, what may differ, and why. */
const exceptions: readonly (readonly [id: string, difference: RegExp, reason: string])[] = [
  [
    "oa-gemini-compat-",
    /usage\.output/,
    "the server counts thoughts in the total only; they are output (docs/protocols.md#s11-3)",
  ],
  [
    "oa-xai-",
    /usage\.output/,
    "the server's completion count leaves reasoning out; it is repaired (docs/protocols.md#s11-3)",
  ],
  ["oa-openai-a72abf7f-00", /text$/, "an audio answer reaches the client as its transcript"],
  ["an-anthropic-e5960613-00", /usage\./, "compaction is billed on top (docs/protocols.md#s11-2)"],
  ["an-anthropic-ff6fb125-00", /usage\./, "compaction is billed on top (docs/protocols.md#s11-2)"],
];

function load<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(corpus, file), "utf8"));
}

async function tool<T>(file: string): Promise<T> {
  return import(/* @vite-ignore */ pathToFileURL(path.join(shared, "tools", file)).href);
}

const exchanges = present
  ? load<{ id: string }[]>("index.json")
      .map(({ id }) => load<Exchange>(`${id}.json`))
      .filter(({ response }) => response.status === 200)
  : [];
const expected = present ? load<Record<string, Meaning>>("expected.json") : {};

function eventsOf({ provider, response }: Exchange): GenerationEvent[] | null {
  const upstream = protocols[provider === "openai-chat" ? "chat" : "messages"];
  const decoder = upstream.decoder({ id: "own" });
  const events =
    response.sse === undefined
      ? upstream.decodeWhole(structuredClone(response.body), { id: "own" })
      : [...framesFrom(bytesOf(response.sse)).flatMap((frame) => decoder.push(frame)), ...decoder.end()];
  return events.some(({ type }) => type === "error") ? null : events;
}

function streamOf(events: readonly GenerationEvent[]): string {
  const encoder = new ResponsesEncoder(answerOptions());
  return events.map((event) => encoder.push(event)).join("") + encoder.end();
}

function client(wire: string, type: string) {
  const headers = { "content-type": type };
  return { apiKey: "k", fetch: async () => new Response(wire, { headers }) };
}

const streamType = "text/event-stream";
const jsonType = "application/json";

async function openAiReads(wire: string, stream: boolean): Promise<unknown> {
  const api = new OpenAI({ ...client(wire, stream ? streamType : jsonType), maxRetries: 0 }).responses;
  const request = { model: "m", input: "x" };
  return stream ? api.stream(request).finalResponse() : api.create(request);
}

/** What the AI SDK makes of an answer: its text and the names of the calls. */
async function aiSdkReads(wire: string, stream: boolean): Promise<{ text: string; calls: string[] }> {
  const model = createOpenAI(client(wire, stream ? streamType : jsonType)).responses("m");
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "x" }] }];
  const read = { text: "", calls: [] as string[] };
  if (!stream) {
    for (const part of (await model.doGenerate({ prompt })).content) {
      if (part.type === "text") read.text += part.text;
      if (part.type === "tool-call") read.calls.push(part.toolName);
    }
    return read;
  }
  for await (const part of (await model.doStream({ prompt })).stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta") read.text += part.delta;
    if (part.type === "tool-call") read.calls.push(part.toolName);
  }
  return read;
}

/** A refusal is text to the AI SDK; its explanation comes with the end where no refusal came before. */
function wordsOf(event: GenerationEvent, _at: number, events: readonly GenerationEvent[]): string {
  if (event.type === "text" || event.type === "refusal") return event.text;
  const refused = event.type === "finish" && event.reason === "refusal";
  return refused && !events.some(({ type }) => type === "refusal") ? (event.explanation ?? "") : "";
}

/** What is wrong with every answer, by the name of its exchange. */
async function faults(of: (exchange: Exchange, events: GenerationEvent[]) => Promise<string[]> | string[]) {
  const wrong: Record<string, string[]> = {};
  let checked = 0;
  for (const exchange of exchanges) {
    const events = eventsOf(exchange);
    if (events === null) continue;
    checked += 1;
    const found = await of(exchange, events);
    const left = found.filter(
      (fault) => !exceptions.some(([id, pattern]) => exchange.id.startsWith(id) && pattern.test(fault)),
    );
    if (left.length > 0) wrong[exchange.id] = left;
  }
  expect(checked).toBeGreaterThan(500);
  return wrong;
}

describe.skipIf(!present)("recorded answers of chat and messages nodes for a Responses client", () => {
  test("R-11: keep every rule of the order of events", { timeout: 60_000 }, async () => {
    const checkStream = await loadCheckStream();
    const wrong = await faults((_exchange, events) => {
      const wire = streamOf(events);
      const { errors } = checkStream(wire, { profile: "gateway", done: "require" });
      return [...errors.map(({ rule, msg }) => `${rule}: ${msg}`), ...readResponse(framesOf(wire)).problems];
    });
    expect(wrong).toEqual({});
  });

  test("fold to the same response, streamed and whole", async () => {
    const wrong = await faults((_exchange, events) => {
      const { body } = readResponse(framesOf(streamOf(events)));
      const whole = foldResponses(events, answerOptions()).body;
      return JSON.stringify(body) === JSON.stringify(whole) ? [] : ["differs"];
    });
    expect(wrong).toEqual({});
  });

  test("mean to the official SDK what the node said", { timeout: 120_000 }, async () => {
    const oracle = await tool<Oracle>("normalise.mjs");
    const wrong = await faults(async ({ id }, events) => {
      const found: string[] = [];
      const want = expected[id];
      const usage = want?.usage?.input !== null;
      for (const stream of [true, false]) {
        const wire = stream ? streamOf(events) : JSON.stringify(foldResponses(events, answerOptions()).body);
        const got = await openAiReads(wire, stream).then(oracle.fromResponses, oracle.fromError);
        const different = oracle.diffMeaning(want, got, { cross: true, usage, reasoning: true });
        found.push(...different.map((difference) => `${stream ? "streamed" : "whole"} ${difference}`));
      }
      return found;
    });
    expect(wrong).toEqual({});
  });

  test("mean to the AI SDK what the node said", { timeout: 120_000 }, async () => {
    const wrong = await faults(async (_exchange, events) => {
      const body = foldResponses(events, answerOptions()).body;
      const said = events.map(wordsOf).join("");
      const calls = events.flatMap((event) => {
        if (event.type === "search") return ["web_search"];
        return event.type === "tool_open" ? [event.name] : [];
      });
      const found: string[] = [];
      for (const stream of [true, false]) {
        const wire = stream ? streamOf(events) : JSON.stringify(body);
        const got = await aiSdkReads(wire, stream).catch((error: unknown) => ({
          text: String(error),
          calls,
        }));
        if (got.text.trim() !== said.trim()) found.push(`text (${stream}): ${got.text.slice(0, 200)}`);
        if (JSON.stringify(got.calls) !== JSON.stringify(calls))
          found.push(`calls (${stream}): ${got.calls}`);
      }
      return found;
    });
    expect(wrong).toEqual({});
  });
});
