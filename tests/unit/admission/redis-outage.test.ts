import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRedisLimiter, type RedisLimiter } from "@/lib/admission/redis";
import type { LimitValues } from "@/lib/db/schema/accounts";
import { endsAtOnce, endsWithin } from "@/tests/support/deadlines";
import { openPrivateRedis, type PrivateRedis, privateRedisSkipReason } from "@/tests/support/redis";

const LIMITS: LimitValues = { qps: null, rpm: 30, tpm: null };
const REPLICAS = 3;
const reason = privateRedisSkipReason;

describe.skipIf(reason !== null)(`redis limiter when Redis fails${reason ? ` (${reason})` : ""}`, () => {
  let redis: PrivateRedis;
  let replicas: RedisLimiter[];
  let errors: unknown[];
  let timeoutMs: number;
  let availability: boolean[];

  beforeEach(async () => {
    redis = await openPrivateRedis();
    errors = [];
    availability = [];
    timeoutMs = 1_000;
    const options = {
      get timeoutMs() {
        return timeoutMs;
      },
      liveReplicas: () => REPLICAS,
      onError: (error: unknown) => errors.push(error),
      onAvailability: (available: boolean) => availability.push(available),
    };
    replicas = await Promise.all(
      Array.from({ length: REPLICAS }, () => openRedisLimiter(redis.url, options)),
    );
  });
  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await redis.stop();
  });

  const first = (): RedisLimiter => {
    const [replica] = replicas;
    if (replica === undefined) throw new Error("no replica");
    return replica;
  };
  const ask = (limiter: RedisLimiter, limits = LIMITS) => limiter.admit({ keyId: "key", limits, tokens: 10 });
  /** Asks all replicas in turn and counts the admissions. */
  const offer = async (rounds: number, limits = LIMITS) => {
    let admitted = 0;
    for (let i = 0; i < rounds * REPLICAS; i++) {
      const replica = replicas[i % REPLICAS] ?? first();
      if ((await ask(replica, limits)).allowed) admitted += 1;
    }
    return admitted;
  };
  const until = async (condition: () => boolean | Promise<boolean>) => {
    for (let i = 0; i < 400 && !(await condition()); i++) await new Promise((done) => setTimeout(done, 20));
  };

  /** Source: docs/reliability.md#r-94. */
  it("admits exactly the limit over three replicas asked in turn and at once", async () => {
    expect(await offer(50)).toBe(30);
    const burst = replicas.flatMap((replica) =>
      Array.from({ length: 50 }, () => replica.admit({ keyId: "burst", limits: LIMITS, tokens: 1 })),
    );
    expect((await Promise.all(burst)).filter((verdict) => verdict.allowed)).toHaveLength(30);
  });

  it("goes on with each replica's share when Redis dies, without an error and without waiting", async () => {
    expect(await offer(2)).toBe(6);
    await redis.kill();
    expect(await offer(50)).toBe(30 - 6);
    await until(() => first().status().degraded);
    for (let i = 0; i < 100; i++) expect(await endsAtOnce(ask(first()))).toBe(true);
    expect(first().status()).toMatchObject({ backend: "redis", degraded: true });
    expect(availability.filter((available) => !available)).toHaveLength(REPLICAS);
  });

  /** Source: docs/reliability.md#r-47. */
  it("does not admit a second limit after Redis restarts empty", async () => {
    expect(await offer(5)).toBe(15);
    await redis.kill();
    const during = await offer(20);
    await redis.start();
    await until(async () => {
      await offer(1);
      return replicas.every((replica) => !replica.status().degraded);
    });
    expect(availability).toContain(true);
    const after = await offer(20);
    expect(15 + during + after).toBeLessThanOrEqual(30 + 30 / REPLICAS);
  });

  /** Source: docs/reliability.md#r-46. */
  it("opens the breaker when Redis is slow: at most three requests wait, each at most about 50 ms", async () => {
    await ask(first());
    timeoutMs = 50;
    const control = new Redis(redis.url);
    await control.client("PAUSE", 2_000, "ALL");
    let waited = 0;
    for (let i = 0; i < 40; i++) {
      const asked = ask(first(), { qps: null, rpm: null, tpm: null });
      if (await endsAtOnce(asked)) continue;
      waited += 1;
      expect(await endsWithin(asked, 200)).toBe(true);
    }
    // One more may be the question whether Redis is back.
    expect([3, 4]).toContain(waited);
    control.disconnect();
  });

  it("does not admit by its share what Redis has just refused when it then says nothing", async () => {
    expect(await offer(20)).toBe(30);
    await redis.kill();
    expect(await offer(20)).toBe(0);
    expect((await first().admit({ keyId: "another", limits: LIMITS, tokens: 10 })).allowed).toBe(true);
  });

  it("keeps to a refusal that came too late for its own request", async () => {
    for (const other of replicas.slice(1)) for (let i = 0; i < 15; i++) await ask(other);
    timeoutMs = 50;
    const control = new Redis(redis.url);
    await control.client("PAUSE", 400, "ALL");
    expect((await ask(first())).allowed).toBe(true);
    await control.ping(); // answered when the pause is over
    control.disconnect();
    await until(async () => !(await ask(first())).allowed);
    await redis.kill();
    for (let i = 0; i < 20; i++) expect((await ask(first())).allowed).toBe(false);
  });

  it("loads its script again when the server has forgotten it", async () => {
    await ask(first());
    const control = new Redis(redis.url);
    await control.script("FLUSH");
    expect((await ask(first())).allowed).toBe(true);
    expect(errors).toEqual([]);
    control.disconnect();
  });

  /** Source: docs/reliability.md#r-48. */
  it.each([
    ["is out of memory", (control: Redis) => control.config("SET", "maxmemory", "1")],
    ["is read-only", (control: Redis) => control.replicaof("127.0.0.1", "1")],
    ["holds a value of another type", (control: Redis) => control.set("tollgate:limit:{key}:tokens", "text")],
  ])("enforces the local share when Redis %s", async (_, breakIt) => {
    const control = new Redis(redis.url);
    await breakIt(control);
    expect(await offer(50)).toBe(30);
    expect(errors.length).toBeGreaterThan(0);
    expect(replicas.every((replica) => replica.status().degraded)).toBe(true);
    control.disconnect();
  });

  it("starts degraded without Redis and takes it up when it comes", async () => {
    await redis.kill();
    const late = await openRedisLimiter(redis.url, { liveReplicas: () => 1 });
    expect((await ask(late)).allowed).toBe(true);
    await redis.start();
    await until(async () => {
      await ask(late, { qps: null, rpm: null, tpm: null });
      const control = new Redis(redis.url);
      const keys = await control.keys("tollgate:limit:{key}*");
      control.disconnect();
      return keys.length > 0;
    });
    expect(late.status().degraded).toBe(false);
    await late.close();
  });

  it("leaves nothing behind for longer than a window", async () => {
    await ask(first());
    const control = new Redis(redis.url);
    const keys = await control.keys("tollgate:limit:*");
    const lifetimes = await Promise.all(keys.map((key) => control.pttl(key)));
    expect(lifetimes.length).toBeGreaterThan(0);
    for (const lifetime of lifetimes) expect(lifetime).toBeGreaterThan(0);
    expect(Math.max(...lifetimes)).toBeLessThanOrEqual(62_000);
    control.disconnect();
  });
});
