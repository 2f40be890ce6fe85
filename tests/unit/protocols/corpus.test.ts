import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import type { Protocol } from "@/lib/protocols/protocol";
import { shared } from "@/tests/corpus/corpus";
import { foldStream } from "@/tests/support/fold";
import { streamProblems } from "@/tests/support/stream-grammar";
import { foldThrough, type Path, streamThrough, wholeThrough } from "./pipeline";

const root = shared;
const corpus = path.join(root, "corpus/open");
const present = existsSync(path.join(corpus, "index.json"));
const why = "no recorded corpus beside the project (../shared/corpus)";

interface Exchange {
  id: string;
  provider: string;
  tags: string[];
  response: { status: number; body?: JsonObject; text?: string; sse?: string };
}

interface Meaning {
  ok: boolean;
  error?: { message: string };
}

interface Oracle {
  fromAnthropic(message: unknown): Meaning;
  fromOpenAI(completion: unknown): Meaning;
  fromError(error: unknown): Meaning;
  diffMeaning(
    expected: unknown,
    got: Meaning,
    options: { cross: boolean; usage: boolean; reasoning?: boolean },
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
  [
    "oa-openai-a72abf7f-00",
    /text$/,
    "an audio answer reaches a messages client as its transcript (docs/protocols.md#s9-2)",
  ],
  [
    "an-anthropic-55950562-00",
    /client-error/,
    "a second message begins inside the stream: broken, and no SDK reads it",
  ],
  [
    "an-anthropic-e5960613-00",
    /usage\.(in|out)put/,
    "compaction is billed on top of the totals (docs/protocols.md#s11-2)",
  ],
  [
    "an-anthropic-ff6fb125-00",
    /usage\.(in|out)put/,
    "compaction is billed on top of the totals (docs/protocols.md#s11-2)",
  ],
];

function load<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(corpus, file), "utf8"));
}

const index = present ? load<{ id: string }[]>("index.json") : [];
const expected = present
  ? load<Record<string, { ok: boolean; usage?: { input: number | null } }>>("expected.json")
  : {};
const exchanges = index.map(({ id }) => load<Exchange>(`${id}.json`));
const oracle: Oracle | null = present
  ? await import(/* @vite-ignore */ pathToFileURL(path.join(root, "tools/normalise.mjs")).href)
  : null;

function reply(body: string, type: string) {
  const status = body.startsWith('{"error"') ? 502 : 200;
  return async () => new Response(body, { status, headers: { "content-type": type } });
}

/** What the client's official SDK makes of the wire text. */
async function sdkReads(client: Protocol, wire: string, stream: boolean): Promise<Meaning> {
  const type = stream ? "text/event-stream" : "application/json";
  const common = { apiKey: "k", maxRetries: 0, fetch: reply(wire, type) };
  const user = { role: "user" as const, content: "x" };
  try {
    if (client === "chat") {
      const api = new OpenAI(common).chat.completions;
      const request = { model: "m", messages: [user] };
      const answer = stream ? await api.stream(request).finalChatCompletion() : await api.create(request);
      return oracle?.fromOpenAI(answer) ?? { ok: false };
    }
    const api = new Anthropic(common).beta.messages;
    const request = { model: "m", max_tokens: 9, messages: [user] };
    const answer = stream ? await api.stream(request).finalMessage() : await api.create(request);
    return oracle?.fromAnthropic(answer) ?? { ok: false };
  } catch (error) {
    return oracle?.fromError(error) ?? { ok: false };
  }
}

function produce(way: Path, exchange: Exchange, stream: boolean): string {
  const { body, sse } = exchange.response;
  if (sse === undefined) return JSON.stringify(wholeThrough(way, body).body);
  if (stream) return streamThrough(way, sse).wire;
  return JSON.stringify(foldThrough(way, sse) ?? { error: { message: "failed" } });
}

async function differences(exchange: Exchange, client: Protocol): Promise<string[]> {
  const upstream = exchange.provider === "openai-chat" ? "chat" : "messages";
  const way: Path = { upstream, client };
  const want = expected[exchange.id];
  const found: string[] = [];
  const isStream = exchange.response.sse !== undefined;
  for (const stream of isStream ? [true, false] : [false]) {
    const wire = produce(way, exchange, stream);
    const got = await sdkReads(client, wire, stream);
    const options = {
      cross: upstream !== client,
      usage: want?.usage?.input !== null,
      reasoning: client !== upstream && client === "messages",
    };
    const different = oracle?.diffMeaning(want, got, options) ?? ["no oracle"];
    found.push(...different.map((difference) => `${stream ? "streamed" : "whole"} ${difference}`));
    if (stream && got.ok) {
      const grammar = { includeUsage: true, forwarded: upstream === client };
      found.push(...streamProblems(client, wire, grammar).map((problem) => `grammar: ${problem}`));
    }
  }
  return found;
}

describe.skipIf(!present)(
  `recorded answers mean the same to the official SDKs${present ? "" : `: ${why}`}`,
  () => {
    for (const client of ["chat", "messages"] as const) {
      for (const provider of ["openai-chat", "anthropic-messages"]) {
        test(`${provider} answers for a ${client} client`, { timeout: 120_000 }, async () => {
          const wrong: Record<string, string[]> = {};
          const mine = exchanges.filter((one) => one.provider === provider && one.response.status === 200);
          for (const exchange of mine) {
            const found = await differences(exchange, client);
            const left = found.filter((difference) => !isMeant(exchange.id, difference));
            if (left.length > 0) wrong[exchange.id] = left;
          }
          expect(mine.length).toBeGreaterThan(0);
          expect(wrong).toEqual({});
        });
      }
    }

    test("every recorded stream folds to the body its events fold to", () => {
      const wrong: string[] = [];
      for (const { id, provider, response } of exchanges) {
        if (response.sse === undefined) continue;
        const way: Path =
          provider === "openai-chat"
            ? { upstream: "chat", client: "messages" }
            : { upstream: "messages", client: "chat" };
        const { wire, failure } = streamThrough(way, response.sse);
        if (
          !failure &&
          JSON.stringify(sorted(foldStream(way.client, wire))) !==
            JSON.stringify(sorted(foldThrough(way, response.sse)))
        )
          wrong.push(id);
      }
      expect(wrong).toEqual([]);
    });

    test("every recorded refusal keeps its message", () => {
      for (const { response } of exchanges.filter((one) => one.response.status >= 400)) {
        const body: unknown = response.body ?? response.text;
        const text = typeof body === "string" ? body : JSON.stringify(body);
        const failure = readFailure(response.status, text);
        expect(failure.status).toBe(response.status);
        expect(failure.message).toBe(JSON.parse(text).error.message);
      }
    });
  },
);

function isMeant(id: string, difference: string): boolean {
  return exceptions.some(([name, pattern]) => id.startsWith(name) && pattern.test(difference));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([key, item]) => [key, sorted(item)]),
  );
}
