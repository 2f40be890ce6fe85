import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isObject } from "@/lib/kernel/json";
import type { Protocol } from "@/lib/protocols/protocol";
import { gatewayFor, type ModelSpec } from "../support/gateway-fixtures";
import {
  createReplay,
  type Exchange,
  exchanges,
  expectedMeanings,
  forEachOf,
  type Meaning,
  type Replay,
} from "./corpus";
import {
  loadResponsesOracle,
  type ResponsesOracle,
  responsesAbsence,
  responsesExchanges,
  responsesMeanings,
  responsesPresent,
  responsesRoot,
} from "./responses";

const AT_ONCE = 8;
const MAX_TOKENS = 100_000;

/** Differences that are meant, by the beginning of the exchange's name; nothing else may differ. */
const meant: Readonly<Record<string, string>> = {
  "oa-xai-": "the server's completion count leaves reasoning out; it is repaired (docs/protocols.md#s11-3)",
  "oa-openai-a72abf7f-00": "an audio answer reaches other clients as its transcript (docs/protocols.md#s9-2)",
  "an-anthropic-55950562-00": "a second message begins inside the stream: broken, and no SDK reads it",
  "an-anthropic-481f829a-":
    "the upstream counts nothing for calls it made; they are estimated (docs/reliability.md#s2-6)",
  "an-anthropic-e5960613-00": "compaction is billed on top of the totals (docs/protocols.md#s11-2)",
  "an-anthropic-ff6fb125-00": "compaction is billed on top of the totals (docs/protocols.md#s11-2)",
  "re-openai-4cb2b6a9-00": "its node counts nothing; it is estimated (docs/reliability.md#s2-6)",
  "re-openai-80632d4b-00": "its node counts nothing; it is estimated (docs/reliability.md#s2-6)",
  "re-openai-df0eddc5-00": "shortened by hand: its deltas say something else than its whole texts",
};

/** Differences that are meant for clients of one protocol only. */
const meantFor: Readonly<Record<Protocol, Readonly<Record<string, string>>>> = {
  chat: {
    "re-openai-7c89db44-00": customCalls(),
    "re-openai-bf785594-00": customCalls(),
    "re-openai-67caaae5-00": customCalls(),
    "re-xai-f487df31-00": customCalls(),
  },
  messages: {
    "re-openai-d3de3ec5-00":
      "arguments that were cut off give their complete members (docs/protocols.md#s9-2)",
  },
  responses: {
    "re-openai-01a30ce4-00": "its terminal event has no items, and this reader reads nothing else",
  },
};

function customCalls(): string {
  return "this reader of streams knows no custom calls, and its client has offered no such tools";
}

interface Recorded {
  id: string;
  protocol: Protocol;
  stream: boolean;
}

/** Generations that have ended. */
function recordedAnswers(): Recorded[] {
  if (!responsesPresent) return [];
  const own = responsesExchanges().filter(({ request, response }) => {
    const { body } = response;
    const isEnded = !isObject(body) || (body.status !== "queued" && body.status !== "in_progress");
    return request.method === "POST" && request.path === "/v1/responses" && isEnded;
  });
  const ofResponses = own.map(({ id, response }) => ({
    id,
    protocol: "responses" as const,
    stream: response.sse !== undefined,
  }));
  const others = exchanges().map(({ id, protocol, response }: Exchange) => ({
    id,
    protocol,
    stream: response.sse !== undefined,
  }));
  return [...ofResponses, ...others];
}

const recorded = recordedAnswers();
const expected: Record<string, Meaning> = responsesPresent
  ? { ...expectedMeanings(), ...responsesMeanings() }
  : {};
let replay: Replay | null = null;
let oracle: ResponsesOracle | null = null;
let url = "";

const pairs: readonly { client: Protocol; node: Protocol }[] = [
  { client: "responses", node: "chat" },
  { client: "responses", node: "messages" },
  { client: "responses", node: "responses" },
  { client: "chat", node: "responses" },
  { client: "messages", node: "responses" },
];

describe.skipIf(!responsesPresent)(`recorded answers through the running server${responsesAbsence}`, () => {
  beforeAll(async () => {
    oracle = await loadResponsesOracle();
    replay = await createReplay([responsesRoot]);
    url = `http://127.0.0.1:${await replay.listen(0)}`;
  });
  afterAll(() => replay?.close());

  const gateway = gatewayFor({
    env: { COMPATIBILITY: "lenient" },
    nodes: () => [
      { name: "replay-chat", url },
      { name: "replay-messages", url, protocol: "messages" },
      { name: "replay-responses", url, protocol: "responses" },
      // A node that fails is not asked again: recorded failures have nodes of their own.
      ...recorded.filter(isFailure).map(({ id, protocol }) => ({ name: id, url, protocol })),
    ],
    models: recorded.map((exchange): ModelSpec => {
      const { id, protocol } = exchange;
      const node = isFailure(exchange) ? id : `replay-${protocol}`;
      return { alias: id, maxOutputTokens: 128_000, routes: [[node, `replay:${id}`]] };
    }),
  });

  for (const { client, node } of pairs) {
    test.each(["as recorded", "the other way"])(
      `mean the same to a ${client} client of a ${node} node, asked %s`,
      { timeout: 120_000 },
      async (way) => {
        const { key } = await gateway.key();
        const mine = recorded.filter(({ protocol }) => protocol === node);
        const wrong: Record<string, string[]> = {};
        await forEachOf(mine, AT_ONCE, async (exchange) => {
          const stream = exchange.stream === (way === "as recorded");
          const got = await ask(gateway.server.url, key, client, exchange.id, stream);
          const found = differences(exchange, client, got);
          const isKnown = isMeant(exchange.id) || exchange.id in meantFor[client];
          if (found.length > 0 && !isKnown) wrong[exchange.id] = found;
        });
        expect(mine.length).toBeGreaterThan(200);
        expect(wrong).toEqual({});
      },
    );
  }

  test("leave nothing held and no malfunction in the server's log", async () => {
    const { key } = await gateway.key();
    const { held }: { held: number } = await (await gateway.server.gateway("/v1/usage", key)).json();
    expect(held).toBe(0);
    expect(gateway.server.output).not.toContain("INTERNAL_ERROR");
  });
});

function isFailure({ id }: Recorded): boolean {
  const found = expected[id]?.class;
  return (found !== "ok" && found !== "helper-throws/raw-ok") || isMeant(id);
}

function isMeant(id: string): boolean {
  return Object.keys(meant).some((name) => id.startsWith(name));
}

function differences({ id, protocol }: Recorded, client: Protocol, got: Meaning): string[] {
  const want = expected[id];
  const cross = protocol !== client;
  const options = { cross, usage: want?.usage?.input !== null, reasoning: cross && client === "messages" };
  const found = oracle?.diffMeaning(want, got, options) ?? ["no oracle"];
  const status = got.error?.status ?? null;
  return status !== null && status >= 500 && status !== 502 && status !== 503
    ? [...found, `status ${status}`]
    : found;
}

/** What the client's official SDK makes of the gateway's answer. */
async function ask(
  root: string,
  key: string,
  client: Protocol,
  id: string,
  stream: boolean,
): Promise<Meaning> {
  if (oracle === null) throw new Error("no oracle");
  const api = new OpenAI({ baseURL: `${root}/v1`, apiKey: key, maxRetries: 0 });
  const messages = [{ role: "user" as const, content: "x" }];
  try {
    switch (client) {
      case "responses": {
        const request = { model: id, input: "x", max_output_tokens: MAX_TOKENS };
        if (!stream) return oracle.fromResponses(await api.responses.create({ ...request, stream: false }));
        return oracle.fromResponses(
          await lastResponse(await api.responses.create({ ...request, stream: true })),
        );
      }
      case "chat": {
        const request = { model: id, max_tokens: MAX_TOKENS, messages };
        if (!stream)
          return oracle.fromOpenAI(await api.chat.completions.create({ ...request, stream: false }));
        const options = { include_usage: true };
        const streamed = api.chat.completions.stream({ ...request, stream: true, stream_options: options });
        return oracle.fromOpenAI(await streamed.finalChatCompletion());
      }
      case "messages": {
        const anthropic = new Anthropic({ baseURL: root, apiKey: key, maxRetries: 0 }).beta.messages;
        const request = { model: id, max_tokens: MAX_TOKENS, messages };
        // A time-out given by hand keeps the SDK from refusing long answers on its own.
        const options = { headers: { "anthropic-version": "2023-06-01" }, timeout: 60_000 };
        if (!stream)
          return oracle.fromAnthropic(await anthropic.create({ ...request, stream: false }, options));
        return oracle.fromAnthropic(
          await anthropic.stream({ ...request, stream: true }, options).finalMessage(),
        );
      }
    }
  } catch (error) {
    return oracle.fromError(error);
  }
}

/** The response that a stream ends with; its accumulator throws at events of vendors that the SDK does not know. */
async function lastResponse(stream: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>): Promise<unknown> {
  let last: unknown = null;
  for await (const event of stream) if ("response" in event) last = event.response;
  return last;
}
