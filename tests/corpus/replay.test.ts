import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Protocol } from "@/lib/protocols/protocol";
import { gatewayFor, type ModelSpec } from "../support/gateway-fixtures";
import {
  absence,
  createReplay,
  type Exchange,
  exchanges,
  expectedMeanings,
  forEachOf,
  loadOracle,
  type Meaning,
  type Oracle,
  present,
  type Replay,
} from "./corpus";

const AT_ONCE = 8;
/** More than any recorded answer has, so that what their nodes claim is plausible. */
const MAX_TOKENS = 100_000;

/** Differences that are meant, by the beginning of the exchange's name; nothing else may differ. */
const meant: Readonly<Record<string, string>> = {
  "oa-xai-": "the server's completion count leaves reasoning out; it is repaired (docs/protocols.md#s11-3)",
  "oa-openai-a72abf7f-00":
    "an audio answer reaches a messages client as its transcript (docs/protocols.md#s9-2)",
  "an-anthropic-55950562-00": "a second message begins inside the stream: broken, and no SDK reads it",
  "an-anthropic-481f829a-":
    "the upstream counts nothing for calls it made; they are estimated (docs/reliability.md#s2-6)",
  "an-anthropic-e5960613-00": "compaction is billed on top of the totals (docs/protocols.md#s11-2)",
  "an-anthropic-ff6fb125-00": "compaction is billed on top of the totals (docs/protocols.md#s11-2)",
};

const recorded = present ? exchanges() : [];
const expected = present ? expectedMeanings() : {};
let replay: Replay | null = null;
let oracle: Oracle | null = null;
let url = "";

describe.skipIf(!present)(`recorded answers through the running server${absence}`, () => {
  beforeAll(async () => {
    oracle = await loadOracle();
    replay = await createReplay();
    url = `http://127.0.0.1:${await replay.listen(0)}`;
  });
  afterAll(() => replay?.close());

  const gateway = gatewayFor({
    env: { COMPATIBILITY: "lenient" },
    nodes: () => [
      { name: "replay-chat", url },
      { name: "replay-messages", url, protocol: "messages" as const },
      // A node that fails is not asked again: recorded failures have nodes of their own.
      ...recorded.filter(isFailure).map(({ id, protocol }) => ({ name: id, url, protocol })),
    ],
    models: recorded.map((exchange): ModelSpec => {
      const { id, protocol } = exchange;
      const node = isFailure(exchange) ? id : `replay-${protocol}`;
      return { alias: id, maxOutputTokens: 128_000, routes: [[node, `replay:${id}`]] };
    }),
  });

  for (const client of ["chat", "messages"] as const) {
    for (const provider of ["chat", "messages"] as const) {
      test.each(["as recorded", "the other way"])(
        `mean the same to a ${client} client of a ${provider} node, asked %s`,
        { timeout: 120_000 },
        async (way) => {
          const { key } = await gateway.key();
          const mine = recorded.filter((exchange) => exchange.protocol === provider);
          const wrong: Record<string, string[]> = {};
          await forEachOf(mine, AT_ONCE, async (exchange) => {
            const stream = (exchange.response.sse !== undefined) === (way === "as recorded");
            const got = await ask(gateway.server.url, key, client, exchange, stream);
            const found = differences(exchange, client, got);
            if (found.length > 0 && !isMeant(exchange.id)) wrong[exchange.id] = found;
          });
          expect(mine.length).toBeGreaterThan(200);
          expect(wrong).toEqual({});
        },
      );
    }
  }

  test("leave nothing held and no malfunction in the server's log", async () => {
    const { held }: { held: number } = await (
      await gateway.server.gateway("/v1/usage", (await gateway.key()).key)
    ).json();
    expect(held).toBe(0);
    expect(gateway.server.output).not.toContain("INTERNAL_ERROR");
    expect((await gateway.server.gateway("/v1", "")).status).toBe(405);
  });
});

function isFailure(exchange: Exchange): boolean {
  return expected[exchange.id]?.class !== "ok" || isMeant(exchange.id);
}

function isMeant(id: string): boolean {
  return Object.keys(meant).some((name) => id.startsWith(name));
}

function differences(exchange: Exchange, client: Protocol, got: Meaning): string[] {
  const want = expected[exchange.id];
  const cross = exchange.protocol !== client;
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
  exchange: Exchange,
  stream: boolean,
): Promise<Meaning> {
  if (oracle === null) throw new Error("no oracle");
  try {
    return client === "chat"
      ? oracle.fromOpenAI(await askOpenAI(root, key, exchange, stream))
      : oracle.fromAnthropic(await askAnthropic(root, key, exchange, stream));
  } catch (error) {
    return oracle.fromError(error);
  }
}

async function askOpenAI(root: string, key: string, exchange: Exchange, stream: boolean) {
  const api = new OpenAI({ baseURL: `${root}/v1`, apiKey: key, maxRetries: 0 }).chat.completions;
  const own = ownBody(exchange, "chat");
  const messages = [{ role: "user" as const, content: "x" }];
  const request = { max_tokens: MAX_TOKENS, messages, ...own, model: exchange.id };
  if (!stream) return api.create({ ...request, stream: false });
  return api
    .stream({ ...request, stream: true, stream_options: { include_usage: true } })
    .finalChatCompletion();
}

async function askAnthropic(root: string, key: string, exchange: Exchange, stream: boolean) {
  const api = new Anthropic({ baseURL: root, apiKey: key, maxRetries: 0 }).beta.messages;
  const own = ownBody(exchange, "messages");
  const messages = [{ role: "user" as const, content: "x" }];
  const request = { max_tokens: MAX_TOKENS, messages, ...own, model: exchange.id };
  const headers = { "anthropic-version": "2023-06-01" };
  // A time-out given by hand keeps the SDK from refusing long answers on its own.
  const options = { headers, timeout: 60_000 };
  if (!stream) return api.create({ ...request, stream: false }, options);
  return api.stream({ ...request, stream: true }, options).finalMessage();
}

/** The recorded request where the client speaks its protocol; the answer alone is what counts otherwise. */
function ownBody({ protocol, request }: Exchange, client: Protocol): Record<string, unknown> {
  if (protocol !== client || request.synthesized === true) return {};
  const { model: _model, stream: _stream, stream_options: _options, ...body } = request.body;
  return body;
}
