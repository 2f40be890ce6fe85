import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { isComplete } from "../support/complete";
import { gatewayFor, type ModelSpec } from "../support/gateway-fixtures";
import { type Client, otherClients, vendorClients } from "./clients";
import {
  createReplay,
  forEachOf,
  loadOracle,
  type Meaning,
  type Oracle,
  present,
  type Replay,
} from "./corpus";
import { geminiPresent, geminiRoot } from "./gemini";
import {
  type Difference,
  exceptions,
  expected,
  isFailure,
  type Limit,
  limits,
  type Recording,
  reasonFor,
  recordings,
  whyMissing,
} from "./recordings";
import { responsesPresent, responsesRoot } from "./responses";
import type { Ask } from "./responses-clients";

const AT_ONCE = 8;

/** A recorded request that asks for a service tier passes with a price only. */
const PRICES = { input: 100, output: 300, services: { flex: { factor: 0.5 }, priority: { factor: 2 } } };
/** Of the libraries that are not the vendors' own, one recording of so many, unless all tests run. */
const SAMPLE = isComplete ? 1 : 8;
/** So many of the recordings may be exceptions, for each client on each kind of node. */
const MOST_EXCEPTIONS = 0.02;

let replay: Replay | null = null;
let oracle: Oracle | null = null;
let url = "";
/** What was needed of the lists of differences. */
const met = new Set<Difference | Limit>();

describe.skipIf(!present)(`recorded answers through the running server${whyMissing}`, () => {
  beforeAll(async () => {
    oracle = await loadOracle();
    replay = await createReplay([
      ...(responsesPresent ? [responsesRoot] : []),
      ...(geminiPresent ? [geminiRoot] : []),
    ]);
    url = `http://127.0.0.1:${await replay.listen(0)}`;
  });
  afterAll(() => replay?.close());

  const gateway = gatewayFor({
    env: { COMPATIBILITY: "lenient" },
    nodes: () => [
      ...protocolIds.map((protocol) => ({ name: `replay-${protocol}`, url, protocol })),
      // A node that fails is not asked again: recorded failures have nodes of their own.
      ...recordings
        .filter(({ id }) => isFailure(id))
        .map(({ id, protocol }) => ({ name: id, url, protocol })),
    ],
    models: recordings.map(({ id, protocol }): ModelSpec => {
      const node = isFailure(id) ? id : `replay-${protocol}`;
      return {
        alias: id,
        maxOutputTokens: 128_000,
        prices: PRICES,
        routes: [[node, replayedAs(id, protocol)]],
      };
    }),
  });

  describe.each([...vendorClients, ...otherClients])(
    "mean the same to $name as $protocol client",
    (client) => {
      for (const provider of protocolIds) {
        const mine = recordingsFor(client, provider);
        test.skipIf(mine.length === 0).each(["as recorded", "the other way"])(
          `of a ${provider} node, asked %s`,
          { timeout: 120_000 },
          async (way) => {
            const { key } = await gateway.key();
            const wrong: Record<string, string[]> = {};
            const excepted = new Set<string>();
            await forEachOf(mine, AT_ONCE, async (recording) => {
              const left = await differences(recording, client, key, way === "as recorded");
              const reasons = left.map((difference) => reasonFor(recording.id, client.name, difference));
              const unknown = left.filter((_, at) => reasons[at] === undefined);
              if (unknown.length > 0) wrong[recording.id] = unknown;
              for (const reason of reasons) {
                if (reason !== undefined) met.add(reason);
                if (reason !== undefined && "exchange" in reason) excepted.add(recording.id);
              }
            });
            expect(wrong).toEqual({});
            const all = answersOf(provider).length;
            expect(excepted.size, [...excepted].join()).toBeLessThanOrEqual(all * MOST_EXCEPTIONS);
          },
        );
      }
    },
  );

  test("leave nothing held and no malfunction in the server's log", async () => {
    const { held }: { held: number } = await (
      await gateway.server.gateway("/v1/usage", (await gateway.key()).key)
    ).json();
    expect(held).toBe(0);
    expect(gateway.server.output).not.toContain("INTERNAL_ERROR");
    expect((await gateway.server.gateway("/v1", "")).status).toBe(405);
  });

  describe.each(limits)("what a library cannot read is no better without the gateway: $why", (limit) => {
    test.each(limit.clients)("%s", async (name) => {
      const { model, exchange, stream } = limit.witness;
      const client = otherClients.find((other) => other.name === name);
      const recording = recordings.find(({ id }) => id === exchange);
      if (client === undefined || recording === undefined) throw new Error("no such client or recording");
      const got = await read(client, { key: "none", model, stream, root: url });
      expect(compare(recording, client, got)).toContainEqual(expect.stringMatching(limit.found));
    });
  });

  test.skipIf(SAMPLE > 1)("differ in no way that is listed and does not happen", () => {
    expect([...exceptions, ...limits].filter((reason) => !met.has(reason))).toEqual([]);
  });

  /** What the client reads otherwise than expected, and than without a gateway. */
  async function differences(recording: Recording, client: Client, key: string, asRecorded: boolean) {
    const { id, response, protocol } = recording;
    const recordedStream = response.sse !== undefined;
    const ask = { key, ...ownFields(recording, client) };
    const stream = recordedStream === asRecorded;
    const got = await read(client, { ...ask, stream, root: gateway.server.url, model: id });
    const found = compare(recording, client, got);
    if (found.length === 0 || protocol !== client.protocol) return found;
    const direct = await read(client, {
      ...ask,
      stream: recordedStream,
      root: url,
      model: replayedAs(id, protocol),
    });
    if (!direct.ok) return [];
    const without = compare(recording, client, direct);
    return found.filter((difference) => !without.includes(difference));
  }
});

/** A recording as a model of the upstream, which otherwise refuses a whole answer where a stream was recorded. */
function replayedAs(id: string, protocol: Protocol): string {
  return protocol === "gemini" ? `replay:${id};loose=1` : `replay:${id}`;
}

function recordingsFor(client: Client, provider: Protocol): Recording[] {
  return answersOf(provider).filter((_, place) => vendorClients.includes(client) || place % SAMPLE === 0);
}

/** Responses that a provider still works on are no answers: the gateway has not asked for work in the background. */
function answersOf(provider: Protocol): Recording[] {
  return recordings.filter(({ id, protocol }) => protocol === provider && !isUnfinished(id));
}

function isUnfinished(id: string): boolean {
  return id.startsWith("re-") && expected[id]?.stop === "pause";
}

/** What the client makes of the answer. */
async function read(client: Client, ask: Ask): Promise<Meaning> {
  if (oracle === null) throw new Error("no oracle");
  try {
    return await client.ask(ask, oracle);
  } catch (error) {
    return oracle.fromError(error);
  }
}

function compare({ id, protocol }: Recording, client: Client, got: Meaning): string[] {
  const want = expected[id];
  const cross = protocol !== client.protocol || !vendorClients.includes(client);
  const reasoning = cross && client.protocol === "messages";
  const options = { cross, usage: typeof want?.usage?.input === "number", reasoning };
  const found = oracle?.diffMeaning(want, got, options) ?? ["no oracle"];
  const status = got.error?.status ?? null;
  return status !== null && status >= 500 && status !== 502 && status !== 503
    ? [...found, `status ${status}`]
    : found;
}

/** The recorded request where the client speaks its protocol; the answer alone is what counts otherwise. */
function ownFields({ protocol, request }: Recording, client: Client): Pick<Ask, "fields"> {
  if (protocol !== client.protocol || request.synthesized === true) return {};
  const { model: _model, stream: _stream, stream_options: _options, ...fields } = request.body;
  return refersToServerState(fields) ? {} : { fields };
}

/** What only the server that answered the turn before can know. */
function refersToServerState(fields: Record<string, unknown>): boolean {
  const { previous_response_id, conversation, prompt, background, input } = fields;
  if ([previous_response_id, conversation, prompt, background].some(Boolean)) return true;
  return Array.isArray(input) && input.some((item) => item.type === "item_reference");
}
