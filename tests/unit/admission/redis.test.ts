import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Limiter } from "@/lib/admission/limiter";
import { openRedisLimiter } from "@/lib/admission/redis";
import { openTestRedis, redisSkipReason, type TestRedis } from "@/tests/support/redis";
import { limiterSuite, type ManualClock } from "./limiter-suite";

describe.skipIf(redisSkipReason !== null)(
  `with Redis${redisSkipReason ? ` (${redisSkipReason})` : ""}`,
  () => {
    let redis: TestRedis;

    beforeAll(async () => {
      redis = await openTestRedis();
    });
    afterAll(() => redis?.stop());

    const open = (clock: ManualClock): Promise<Limiter> =>
      openRedisLimiter(redis.url, {
        liveReplicas: () => 1,
        timeoutMs: 5_000,
        now: clock.now,
        serverTimeUs: () => clock.ms * 1_000,
        onError: (error) => {
          throw error;
        },
      });
    test("a limiter that is closed reports no trouble of the calls that this breaks off", async () => {
      const troubles: unknown[] = [];
      const limiter = await openRedisLimiter(redis.url, {
        liveReplicas: () => 1,
        onError: (error) => troubles.push(error),
        onAvailability: (_available, cause) => troubles.push(cause),
      });
      const asked = Array.from({ length: 20 }, (_, at) =>
        limiter.peek(`key ${at}`, { qps: null, rpm: 5, tpm: null, concurrent: null }, null),
      );
      await limiter.close();
      await Promise.all(asked);
      expect(troubles).toEqual([]);
    });

    limiterSuite("redis limiter", open, { traces: 1_000, bursts: 2 });
  },
);
