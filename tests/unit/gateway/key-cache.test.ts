import { describe, expect, test, vi } from "vitest";
import { PoolError } from "@/lib/db/database-error";
import { asGatewayError } from "@/lib/gateway/error-reply";
import { KeyCache } from "@/lib/gateway/key-cache";
import { systemClock } from "@/lib/kernel/clock";

const KEY = { keyId: "k", userId: "u" };

function cacheOf(find: () => Promise<typeof KEY | null>, answers = true) {
  return new KeyCache({ find, answers: async () => answers }, systemClock);
}

const refusal = (cache: KeyCache<typeof KEY>) => cache.get("hash").then(() => null, asGatewayError);

/** Source: docs/reliability.md#s3-2, docs/contract.md#b5. */
describe("the look-up of a key", () => {
  test("is shared by those who ask at once, and is not repeated while it is fresh", async () => {
    const find = vi.fn(async () => KEY);
    const cache = cacheOf(find);
    expect(await Promise.all([cache.get("hash"), cache.get("hash")])).toEqual([KEY, KEY]);
    expect(cache.peek("hash")).toBe(KEY);
    expect(find).toHaveBeenCalledTimes(1);
  });

  test("is repeated after five seconds, after two for an unknown key, and after the key has changed", async () => {
    const clock = { ...systemClock, nowMs: () => nowMs };
    let nowMs = 1_000;
    const find = async (hash: string) => (hash === "unknown" ? null : { ...KEY, keyId: hash });
    const cache = new KeyCache({ find, answers: async () => true }, clock);
    const hashes = ["first", "second", "unknown"];
    const known = () => hashes.filter((hash) => cache.peek(hash) !== undefined);
    const load = () => Promise.all(hashes.map((hash) => cache.get(hash)));
    await load();
    nowMs += 2_000;
    expect(known()).toEqual(hashes);
    nowMs += 1;
    expect(known()).toEqual(["first", "second"]);
    nowMs += 2_999;
    expect(known()).toEqual(["first", "second"]);
    nowMs += 1;
    expect(known()).toEqual([]);
    await load();
    cache.invalidateKey("first");
    expect(known()).toEqual(["second"]);
    cache.invalidateUser("u");
    expect(known()).toEqual([]);
  });

  test("that takes too long is overload when the database answers, a malfunction when it does not", async () => {
    const never = () => new Promise<null>(() => {});
    const busy = await refusal(cacheOf(never));
    expect(busy).toMatchObject({ status: 503, code: "NO_AVAILABLE_NODE", details: { overload: true } });
    expect(busy?.details.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(await refusal(cacheOf(never, false))).toMatchObject({ status: 500, code: "INTERNAL_ERROR" });
  });

  test("that the database or its pool gave up for now is overload, and a lost database is not", async () => {
    const failing = (error: unknown) => refusal(cacheOf(() => Promise.reject(error)));
    const stated = (code: string) => Object.assign(new Error("the server said so"), { code });
    for (const error of [new PoolError("busy"), stated("57014"), stated("55P03"), stated("53300")]) {
      const refused = await failing(error);
      expect(refused).toMatchObject({ status: 503, details: { overload: true } });
      expect(await failing(new Error("Failed query", { cause: error }))).toMatchObject({ status: 503 });
    }
    for (const error of [
      new PoolError("unresponsive"),
      stated("ECONNREFUSED"),
      stated("57P01"),
      stated("53100"),
    ])
      expect(await failing(error)).toMatchObject({ status: 500 });
  });
});
