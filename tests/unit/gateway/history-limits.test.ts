import { beforeEach, describe, expect, test } from "vitest";
import type { LimitValues } from "@/lib/db/schema/accounts";
import { asGatewayError } from "@/lib/gateway/error-reply";
import { generate } from "@/lib/gateway/generate";
import { ResponseStore } from "@/lib/gateway/responses-state/store";
import { GatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import { callOf, GenerationRig, settled } from "./generation-rig";
import { roomyLimits } from "./responses-client";

const PREVIOUS = `resp_${"0".repeat(32)}`;
const said = (text: string): JsonObject => ({ type: "message", role: "user", content: text });

/** A store that holds one item under every id and counts how often it is read. */
class OneItemStore extends ResponseStore {
  reads = 0;
  item = said("Hello");
  fault: Error | null = null;

  constructor() {
    const database = { query: async () => [] };
    const limits = roomyLimits(database);
    super({ database, hours: 1, limits, now: () => new Date(), onUnstored: () => {} });
  }

  override async chain() {
    await this.#read();
    return { items: [this.item], depth: 1, nodeId: null };
  }

  override async itemsById(_owner: unknown, ids: readonly string[]) {
    await this.#read();
    return { items: new Map(ids.map((id) => [id, this.item])), nodeId: null };
  }

  async #read(): Promise<void> {
    this.reads += 1;
    if (this.fault !== null) throw this.fault;
  }
}

let rig: GenerationRig;
let store: OneItemStore;

beforeEach(() => {
  rig = new GenerationRig(["responses"]);
  store = new OneItemStore();
});

const LIMITS: LimitValues = { qps: null, rpm: 2, tpm: 10_000 };

/** Sends a request of a key with limits; resolves with its refusal, or null as soon as a node is asked. */
async function send(fields: JsonObject, limits = LIMITS): Promise<GatewayError | null> {
  const body = { model: "alias", max_output_tokens: 100, ...fields };
  const call = callOf("responses", body);
  const key = { ...rig.context(call).key, limits };
  const gateway = { ...rig.gateway, responses: store, keys: { peek: () => key, get: async () => null } };
  let refusal: GatewayError | null = null;
  void generate(gateway, call).catch((error: unknown) => {
    refusal = asGatewayError(error);
  });
  await settled();
  return refusal;
}

const used = async () => {
  const { rpm, tpm } = await rig.limiter.peek("key-1", LIMITS);
  return { requests: rpm.used, tokens: tpm.used };
};

describe.each<[what: string, fields: JsonObject]>([
  ["a stored conversation", { previous_response_id: PREVIOUS, input: "And?" }],
  ["a stored item", { input: [{ type: "item_reference", id: "msg_1" }] }],
])("a request that refers to %s", (_what, fields) => {
  test("at the limit of requests a minute is a 429 without a read of the database", async () => {
    expect([await send(fields), await send(fields)]).toEqual([null, null]);
    expect(store.reads).toBe(2);
    expect(await send(fields)).toMatchObject({ code: "RATE_LIMITED" });
    expect(store.reads).toBe(2);
  });

  test("with no tokens left in the minute is a 429 without a read of the database", async () => {
    rig.limiter.admit({ keyId: "key-1", limits: LIMITS, tokens: 10_000 });
    expect(await send(fields)).toMatchObject({ code: "RATE_LIMITED" });
    expect(store.reads).toBe(0);
  });

  test("is counted once, with the tokens and the hold of the whole conversation", async () => {
    await send({ input: [store.item, { role: "user", content: "And?" }] });
    const whole = await used();
    await send({ input: [store.item, { role: "user", content: "And?" }], ...fields });
    const { requests, tokens } = await used();
    expect(requests).toBe(2);
    expect(tokens).toBeGreaterThan(whole.tokens);
  });

  test("whose conversation is larger than the tokens left is a 429 that keeps no tokens but counts", async () => {
    await send({ input: "x", max_output_tokens: 5_000 });
    const before = await used();
    store.item = said("word ".repeat(20_000));
    expect(await send(fields)).toMatchObject({ code: "RATE_LIMITED" });
    expect(store.reads).toBe(1);
    expect(await used()).toEqual({ requests: before.requests + 1, tokens: before.tokens });
    expect(rig.ledger.holds).toHaveLength(1);
  });

  test("is held at the price of the whole conversation", async () => {
    await send(fields);
    store.item = said("word ".repeat(5_000));
    await send(fields);
    const [short, long] = rig.ledger.holds.map(({ amountMicroCents }) => Number(amountMicroCents));
    expect(long).toBeGreaterThan(Number(short));
  });

  test("keeps no tokens when the history cannot be read", async () => {
    store.fault = new GatewayError("INTERNAL_ERROR", "The database is gone.");
    expect(await send(fields)).toMatchObject({ code: "INTERNAL_ERROR" });
    expect(await used()).toEqual({ requests: 1, tokens: 0 });
  });
});

test("a request that refers to nothing is validated before it is counted", async () => {
  expect(await send({ input: [] })).toMatchObject({ code: "INVALID_REQUEST" });
  expect(await used()).toEqual({ requests: 0, tokens: 0 });
});
