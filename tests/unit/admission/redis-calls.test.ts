import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { openRedisLimiter } from "@/lib/admission/redis";
import { RedisCalls } from "@/lib/admission/redis-calls";
import { limitScript } from "@/lib/admission/redis-script";
import { openTestRedis, redisSkipReason, type TestRedis } from "@/tests/support/redis";

interface Sent {
  keys: string[];
  values: string[];
  operations: number;
}

/** Calls over a connection that answers each operation with its place in the call, unless told otherwise. */
function scripted(answer: (index: number, keys: string[]) => string = (index) => `${index}`) {
  const sent: Sent[] = [];
  const seen: string[] = [];
  const evaluate = async (_script: string, keyCount: number, ...rest: string[]) => {
    const keys = rest.slice(0, keyCount);
    const values = rest.slice(keyCount);
    const operations = (values[1] ?? "").split(";").length - 1;
    sent.push({ keys, values, operations });
    return Array.from({ length: operations }, (_, index) => answer(index, keys)).join(";");
  };
  const calls = new RedisCalls(
    { evalsha: evaluate, eval: evaluate, onReconnect() {}, onError() {}, close() {} },
    {
      timeoutMs: () => 1_000,
      succeeded: () => seen.push("succeeded"),
      failed: () => seen.push("failed"),
      onError: (error) => seen.push(String(error)),
    },
  );
  const admit = (keyId: string) => calls.run({ op: "admit", keyId, values: [1, 2, 3, 4] });
  return { calls, admit, sent, seen };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("operations on the shared store", () => {
  test("of one turn go out in one call, in their order, admissions and corrections together", async () => {
    const { calls, admit, sent } = scripted();
    calls.correct("b", 7, -8);
    const replies = [admit("a"), Promise.resolve().then(() => admit("c"))];
    expect(await Promise.all(replies)).toEqual([[1], [2]]);
    const keys = ["b", "a", "c"].flatMap((key) =>
      ["log", "requests", "tokens"].map((part) => `tollgate:limit:{${key}}:${part}`),
    );
    const values = ["", "correct 0 7 -8 0 0;admit 1 1 2 3 4;admit 2 1 2 3 4;"];
    expect(sent).toEqual([{ keys, values, operations: 3 }]);
  });

  test("that correct one bucket are one, which keeps decreases and increases apart, and none when nothing changes", async () => {
    const { calls, admit, sent } = scripted();
    calls.correct("a", 7, -8);
    calls.correct("a", 7, 0);
    calls.correct("a", 7, 5);
    const reply = admit("a");
    calls.correct("a", 7, -2);
    calls.correct("a", 8, -1);
    await reply;
    calls.correct("a", 8, 0);
    calls.correct("a", 8, 3);
    await admit("a");
    expect(sent.map(({ values }) => values[1])).toEqual([
      "correct 0 7 -10 5 0;admit 0 1 2 3 4;correct 0 8 -1 0 0;",
      "correct 0 8 0 3 0;admit 0 1 2 3 4;",
    ]);
  });

  test("of one key name it once", async () => {
    const { admit, sent } = scripted();
    expect(await Promise.all([admit("a"), admit("b"), admit("a")])).toEqual([[0], [1], [2]]);
    expect(sent.map(({ keys, values }) => [keys.length, values[1]])).toEqual([
      [6, "admit 0 1 2 3 4;admit 1 1 2 3 4;admit 0 1 2 3 4;"],
    ]);
  });

  test("of the next turn do not wait for the answer of the last", async () => {
    const { admit, sent } = scripted();
    const first = admit("a");
    await turn();
    const second = admit("b");
    await turn();
    expect(sent.map(({ operations }) => operations)).toEqual([1, 1]);
    expect(await Promise.all([first, second])).toEqual([[0], [0]]);
  });

  test("that are very many are divided, so that no call keeps the store long", async () => {
    const { admit, sent } = scripted();
    const replies = await Promise.all(Array.from({ length: 300 }, (_, index) => admit(`key-${index}`)));
    expect(sent.map(({ operations }) => operations)).toEqual([128, 128, 44]);
    expect(replies.map((reply) => reply?.[0])).toEqual(
      Array.from({ length: 300 }, (_, index) => index % 128),
    );
  });

  test("fail alone: the others have their answers, and the store counts as there", async () => {
    const { admit, seen } = scripted((index) => (index === 1 ? "!WRONGTYPE" : `${index}`));
    expect(await Promise.all([admit("a"), admit("b"), admit("c")])).toEqual([[0], null, [2]]);
    expect(seen).toEqual(["Error: WRONGTYPE", "succeeded"]);
  });

  test("count as a failure of the store each when none of them is answered", async () => {
    const { admit, seen } = scripted(() => "!OOM");
    expect(await Promise.all([admit("a"), admit("b")])).toEqual([null, null]);
    expect(seen).toEqual(["Error: OOM", "Error: OOM", "failed", "failed"]);
  });

  test("of several keys are asked key by key, all the same, from when the store has refused slots", async () => {
    const { admit, sent, seen } = scripted((index, keys) => {
      if (new Set(keys.map((key) => /\{.*\}/.exec(key)?.[0])).size > 1)
        throw new Error("CROSSSLOT Keys in request");
      return `${index}`;
    });
    const ask = () => Promise.all([admit("a"), admit("b"), admit("a")]);
    expect([await ask(), await ask()]).toEqual(Array(2).fill([[0], [0], [1]]));
    expect(sent.map(({ operations }) => operations)).toEqual([3, 2, 1, 2, 1]);
    expect(seen).toEqual(Array(4).fill("succeeded"));
  });
});

describe.skipIf(redisSkipReason !== null)(`on Redis${redisSkipReason ? ` (${redisSkipReason})` : ""}`, () => {
  let redis: TestRedis;
  let control: Redis;
  beforeAll(async () => {
    redis = await openTestRedis();
    control = new Redis(redis.url);
  });
  afterAll(async () => {
    control?.disconnect();
    await redis?.stop();
  });

  const scriptCalls = async () => {
    const stats = await control.info("commandstats");
    return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
  };

  it("a hundred admissions of one turn cost one round trip, as do their refunds, and pass as one by one", async () => {
    const limiter = await openRedisLimiter(redis.url, { liveReplicas: () => 1, timeoutMs: 5_000 });
    const limits = { qps: null, rpm: 3, tpm: 1_000 };
    const name = `batch-${process.pid}-${Math.random()}`;
    await limiter.peek(name, limits); // loads the script
    const before = await scriptCalls();
    const verdicts = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        limiter.admit({ keyId: `${name}-${index % 20}`, limits, tokens: 10 }),
      ),
    );
    expect((await scriptCalls()) - before).toBe(1);
    expect(verdicts.map(({ allowed }) => allowed)).toEqual(verdicts.map((_, index) => index < 60));
    await Promise.all(verdicts.map((verdict) => (verdict.allowed ? limiter.refund(verdict.ticket) : null)));
    const state = await limiter.peek(`${name}-0`, limits);
    expect([state.rpm.used, state.tpm.used]).toEqual([3, 0]);
    expect((await scriptCalls()) - before).toBe(2);
    await limiter.close();
  });

  it("a key that holds a value of another type leaves the limits of the others exact", async () => {
    const errors: unknown[] = [];
    const limiter = await openRedisLimiter(redis.url, {
      liveReplicas: () => 1,
      timeoutMs: 5_000,
      onError: (error) => errors.push(error),
    });
    const limits = { qps: null, rpm: 2, tpm: null };
    const name = `type-${process.pid}-${Math.random()}`;
    await control.set(`tollgate:limit:{${name}-bad}:tokens`, "text", "PX", 60_000);
    const keys = ["good", "bad", "good", "good"].map((key) => `${name}-${key}`);
    const verdicts = await Promise.all(keys.map((keyId) => limiter.admit({ keyId, limits, tokens: 1 })));
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
    expect(String(errors)).toContain("WRONGTYPE");
    expect([errors.length, limiter.status().degraded]).toEqual([1, false]);
    await limiter.close();
  });

  it("operations of one key in one call have the outcome that each has in a call of its own", async () => {
    const limit = (most: number) => fc.oneof(fc.constant(-1), fc.integer({ min: 0, max: most }));
    const rpm = fc.oneof(limit(4), fc.constant(6_001)); // the last one counts in buckets, as none does
    const asked = fc.tuple(
      fc.constantFrom("admit", "admit", "enlarge", "peek"),
      limit(3),
      rpm,
      limit(9),
      fc.nat(5),
    );
    const correction = fc
      .tuple(fc.constant("correct"), fc.integer({ min: 1_699_999_930, max: 1_700_000_001 }))
      .chain(([op, bucket]) =>
        fc.tuple(
          fc.constant(op),
          fc.constant(bucket),
          fc.integer({ min: -9, max: 0 }),
          fc.nat(9),
          fc.constant(0),
        ),
      );
    const turns = fc.array(
      fc.tuple(fc.nat(40_000), fc.array(fc.oneof(asked, correction), { minLength: 1, maxLength: 12 })),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    let names = 0;
    await fc.assert(
      fc.asyncProperty(turns, async (turns) => {
        const name = `same-${process.pid}-${names++}`;
        let atUs = 1_700_000_000_000_000;
        for (const [pauseMs, operations] of turns) {
          atUs += pauseMs * 1_000;
          const texts = operations.map(([op, ...values]) => `${op} 0 ${values.join(" ")};`);
          const run = async (key: string, list: string) => {
            const keys = ["log", "requests", "tokens"].map((part) => `tollgate:limit:{${key}}:${part}`);
            return String(await control.eval(limitScript.source, 3, ...keys, `${atUs}`, list));
          };
          const alone: string[] = [];
          for (const text of texts) alone.push(await run(`${name}-alone`, text));
          expect(await run(`${name}-together`, texts.join(""))).toBe(alone.join(";"));
        }
      }),
      { numRuns: 200 },
    );
  });
});
