import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { RedisLimiter } from "@/lib/admission/redis";
import type { RedisConnection } from "@/lib/admission/redis-connection";

const REFUSED = "0 2 5000000 100 0 0 0 30 60000000 0 0";
const ALLOWED = "1 0 0 100 10 1 1000000 1 60000000 10 61000000";

/** A connection that answers each operation as told and lets tests announce a reconnect. */
function scripted() {
  const state = { answer: async (): Promise<unknown> => ALLOWED, reconnected: () => {}, calls: 0 };
  const connection: RedisConnection = {
    evalsha: async (_sha, _keyCount, ...rest) => {
      state.calls += 1;
      const operations = (rest.at(-1) ?? "").split(";").length - 1;
      return (await Promise.all(Array.from({ length: operations }, () => state.answer()))).join(";");
    },
    eval: () => Promise.reject(new Error("not used")),
    onReconnect(handler) {
      state.reconnected = handler;
    },
    onError() {},
    close() {},
  };
  return { state, connection };
}

const request = { keyId: "key", limits: { qps: null, rpm: 30, tpm: null }, tokens: 10 };

async function admitted(limiter: RedisLimiter, times: number): Promise<number> {
  const verdicts = await Promise.all(Array.from({ length: times }, () => limiter.admit(request)));
  return verdicts.filter((verdict) => verdict.allowed).length;
}

describe("after Redis was away", () => {
  it("enforces the local share besides the store for a minute, then the store alone", async () => {
    const { state, connection } = scripted();
    const clock = { now: 0 };
    const limiter = new RedisLimiter(connection, { liveReplicas: () => 3, now: () => clock.now });
    expect(await admitted(limiter, 15)).toBe(15);
    clock.now = 61_000;
    state.reconnected();
    expect(await admitted(limiter, 50)).toBe(10);
    clock.now += 60_000;
    expect(await admitted(limiter, 50)).toBe(50);
  });

  it("does not count locally what the store refused", async () => {
    const { state, connection } = scripted();
    const limiter = new RedisLimiter(connection, { liveReplicas: () => 3, now: () => 0 });
    state.reconnected();
    state.answer = async () => REFUSED;
    for (let i = 0; i < 20; i++) expect(await admitted(limiter, 5)).toBe(0);
    state.answer = () => Promise.reject(new Error("away"));
    expect(await admitted(limiter, 50)).toBe(10);
  });

  it("corrects both sides once", async () => {
    const { state, connection } = scripted();
    const limiter = new RedisLimiter(connection, { liveReplicas: () => 3, now: () => 0 });
    const verdict = await limiter.admit(request);
    if (!verdict.allowed) throw new Error("refused");
    limiter.correct(verdict.ticket, 4);
    limiter.correct(verdict.ticket, 9);
    await nextTurn();
    expect(state.calls).toBe(2);
    state.answer = () => Promise.reject(new Error("away"));
    expect((await limiter.peek("key", request.limits)).tpm.used).toBe(4);
  });
});
