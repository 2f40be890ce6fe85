import { afterAll, beforeAll, describe } from "vitest";
import { openRedisLimiter, RedisLimiter } from "@/lib/admission/redis";
import { openTestRedis, redisSkipReason, type TestRedis } from "@/tests/support/redis";
import { accountSuite } from "./account-suite";
import type { ManualClock } from "./limiter-suite";

describe.skipIf(redisSkipReason !== null)(
  `with Redis${redisSkipReason ? ` (${redisSkipReason})` : ""}`,
  () => {
    let redis: TestRedis;

    beforeAll(async () => {
      redis = await openTestRedis();
    });
    afterAll(() => redis?.stop());

    const open = (clock: ManualClock): Promise<RedisLimiter> =>
      openRedisLimiter(redis.url, {
        liveReplicas: () => 1,
        timeoutMs: 5_000,
        now: clock.now,
        serverTimeUs: () => clock.ms * 1_000,
        onError: (error) => {
          throw error;
        },
      });
    accountSuite("limits of accounts in Redis", open, {
      traces: 500,
      renew: (limiter) => {
        if (limiter instanceof RedisLimiter) limiter.renewPlaces();
      },
    });
  },
);
