import { afterAll, beforeAll, describe } from "vitest";
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
    limiterSuite("redis limiter", open, { traces: 1_000, bursts: 2 });
  },
);
