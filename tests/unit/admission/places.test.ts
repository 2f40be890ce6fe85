import { setImmediate as nextTurn } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Admission } from "@/lib/admission/limiter";
import { openRedisLimiter, type RedisLimiter } from "@/lib/admission/redis";
import { LEASE_MS } from "@/lib/admission/redis-script";
import { eventually } from "@/tests/support/gateway-fixtures";
import { openPrivateRedis, type PrivateRedis, privateRedisSkipReason } from "@/tests/support/redis";
import { ManualClock } from "./limiter-suite";

const reason = privateRedisSkipReason;
const limits = { qps: null, rpm: null, tpm: null };
const account = { id: "account:a", limits: { ...limits, concurrent: 4 } };

/** Source: docs/reliability.md#account-limits. */
describe.skipIf(reason !== null)(`calls at once over replicas${reason ? ` (${reason})` : ""}`, () => {
  let redis: PrivateRedis;
  let control: Redis;
  const opened: RedisLimiter[] = [];
  const clock = new ManualClock();

  beforeAll(async () => {
    redis = await openPrivateRedis();
    control = new Redis(redis.url);
    control.on("error", () => {});
  });
  afterEach(async () => {
    await nextTurn();
    for (const limiter of opened.splice(0)) await limiter.close();
    await control.flushall();
  });
  afterAll(async () => {
    control?.disconnect();
    await redis?.stop();
  });

  async function replica(liveReplicas = 2, url = redis.url): Promise<RedisLimiter> {
    const options = { liveReplicas: () => liveReplicas, timeoutMs: 5_000 };
    const limiter = await openRedisLimiter(url, { ...options, serverTimeUs: () => clock.ms * 1_000 });
    opened.push(limiter);
    return limiter;
  }

  const call = (limiter: RedisLimiter, keyId = "key") => limiter.admit({ keyId, limits, account, tokens: 1 });
  const passed = (verdicts: readonly Admission[]) => verdicts.filter(({ allowed }) => allowed).length;
  const release = async (verdicts: readonly Admission[]) => {
    for (const verdict of verdicts) if (verdict.allowed) verdict.ticket.place?.release();
    await nextTurn();
  };

  it("are limited exactly over two replicas and ten keys, and given back by the one that took them", async () => {
    const replicas = [await replica(), await replica()] as const;
    const burst = () =>
      Promise.all(
        Array.from({ length: 20 }, (_, index) => call(replicas[index % 2 ? 1 : 0], `key-${index % 10}`)),
      );
    const verdicts = await burst();
    expect(passed(verdicts)).toBe(4);
    expect(passed(await burst())).toBe(0);
    await release(verdicts);
    expect(passed(await burst())).toBe(4);
  });

  it("of a replica that dies come back when its lease ends, and those of one that lives do not", async () => {
    const [dying, living] = [await replica(), await replica()];
    await Promise.all([call(dying), call(dying), call(living), call(living)]);
    await nextTurn();
    await dying.close();
    opened.splice(opened.indexOf(dying), 1);
    clock.ms += LEASE_MS - 1;
    living.renewPlaces();
    expect((await call(living)).allowed).toBe(false);
    clock.ms += 1;
    expect(passed(await Promise.all([call(living), call(living), call(living)]))).toBe(2);
  });

  it("are known again to a store that has lost its data, once they are renewed", async () => {
    const limiter = await replica();
    expect(passed(await Promise.all(Array.from({ length: 4 }, () => call(limiter))))).toBe(4);
    await control.flushall();
    limiter.renewPlaces();
    expect((await call(limiter)).allowed).toBe(false);
  });

  it("leave nothing behind in the store when all have ended, and nothing for longer than a lease before", async () => {
    const limiter = await replica();
    const verdicts = await Promise.all([call(limiter), call(limiter)]);
    expect(await control.pttl("tollgate:limit:{account:a}:running")).toBeLessThanOrEqual(LEASE_MS);
    expect(await control.zcard("tollgate:limit:{account:a}:running")).toBe(2);
    await release(verdicts);
    await limiter.peekAccount(account);
    expect(await control.keys("*running*")).toEqual([]);
  });

  it("cost a key without such limits not one key in the store", async () => {
    const limiter = await replica();
    await limiter.admit({ keyId: "plain", limits, account: null, tokens: 1 });
    const keys = await control.keys("*");
    const ofNobody = (key: string) => key.includes("{probe");
    expect(keys.filter((key) => !ofNobody(key)).every((key) => key.includes("{plain}"))).toBe(true);
    expect(keys.filter((key) => key.includes("running") || key.includes("account"))).toEqual([]);
  });

  it("are divided among the replicas while there is no store", async () => {
    const alone = await openPrivateRedis();
    const replicas = [await replica(2, alone.url), await replica(2, alone.url)] as const;
    await alone.kill();
    for (const limiter of replicas) {
      const verdicts = [];
      for (let index = 0; index < 5; index += 1) verdicts.push(await call(limiter));
      expect(passed(verdicts)).toBe(2);
      expect(verdicts.at(-1)).toMatchObject({ allowed: false, level: "account", violated: "concurrent" });
      await release(verdicts);
      expect((await call(limiter)).allowed).toBe(true);
    }
    await alone.stop();
  });

  it("that end while the store is away come back when it answers again, not when their leases end", async () => {
    const limiter = await replica(1);
    const verdicts = await Promise.all(Array.from({ length: 4 }, () => call(limiter)));
    expect(passed(verdicts)).toBe(4);
    await control.replicaof("127.0.0.1", "1"); // takes no writes
    await release(verdicts);
    await eventually(async () => {
      await limiter.admit({ keyId: "other", limits, tokens: 1 });
      return limiter.status().degraded || null;
    });
    await control.replicaof("NO", "ONE");
    expect(await control.zcard("tollgate:limit:{account:a}:running")).toBe(4);
    await eventually(async () => {
      await limiter.admit({ keyId: "other", limits, tokens: 1 });
      limiter.renewPlaces();
      return (await control.zcard("tollgate:limit:{account:a}:running")) === 0 ? true : null;
    });
  });

  it("and all limits of an account hold in a store with slots, which keeps an account's keys in one", async () => {
    const cluster = await openPrivateRedis(["--cluster-enabled", "yes"]);
    const admin = new Redis(cluster.url);
    await admin.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    await eventually(
      async () => String(await admin.call("CLUSTER", "INFO")).includes("cluster_state:ok") || null,
    );
    const limiter = await replica(1, cluster.url);
    const burst = () => Promise.all(Array.from({ length: 10 }, (_, index) => call(limiter, `key-${index}`)));
    const verdicts = await burst();
    expect(passed(verdicts)).toBe(4);
    expect(limiter.status().degraded).toBe(false);
    await release(verdicts);
    const again = await burst();
    expect(passed(again)).toBe(4);
    const state = await limiter.peek("key-0", limits, account);
    expect([state.rpm.used, (await limiter.peekAccount(account))?.rpm.used]).toEqual([2, 8]);
    admin.disconnect();
    await release(again);
    await limiter.close();
    opened.splice(opened.indexOf(limiter), 1);
    await cluster.stop();
  });
});
