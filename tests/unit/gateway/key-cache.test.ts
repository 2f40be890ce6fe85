import { describe, expect, test, vi } from "vitest";
import { PoolError } from "@/lib/db/database-error";
import { asGatewayError } from "@/lib/gateway/error-reply";
import { KeyCache } from "@/lib/gateway/key-cache";
import { type CachedKey, KeyStore } from "@/lib/gateway/key-store";
import { systemClock } from "@/lib/kernel/clock";

const KEY = { keyId: "k", userId: "u", name: "", models: null };

type Key = typeof KEY;

/** A database that announces nothing. */
const silent = {
  answers: async () => true,
  heardUntilMs: () => Number.NEGATIVE_INFINITY,
  isVolatile: () => false,
};

/** A cache whose statements find the same key for every hash. */
function cacheOf(find: () => Promise<Key | null>, answers = true) {
  const findAll = async (hashes: readonly string[]) => {
    const key = await find();
    return new Map(hashes.flatMap((hash) => (key === null ? [] : [[hash, key]])));
  };
  return new KeyCache<Key>({ ...silent, find: findAll, answers: async () => answers }, systemClock);
}

/** Statements that the test answers, in their order. */
function heldStatements() {
  const held: { hashes: readonly string[]; answer: (found: ReadonlyMap<string, Key>) => void }[] = [];
  const find = (hashes: readonly string[]) =>
    new Promise<ReadonlyMap<string, Key>>((answer) => held.push({ hashes, answer }));
  const cache = new KeyCache<Key>({ ...silent, find }, systemClock);
  const statement = (at: number) => vi.waitUntil(() => held[at]);
  return { cache, statement };
}

const keysOf = (hashes: readonly string[]) =>
  new Map(hashes.map((hash) => [hash, { ...KEY, keyId: `key of ${hash}` }]));

const refusal = (cache: KeyCache<Key>) => cache.get("hash").then(() => null, asGatewayError);

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
    const find = async (asked: readonly string[]) =>
      new Map(asked.filter((hash) => hash !== "unknown").map((hash) => [hash, { ...KEY, keyId: hash }]));
    const cache = new KeyCache<Key>({ ...silent, find }, clock);
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

  test("is not repeated for a minute while changes are announced, but for a key whose balance may run out", async () => {
    let nowMs = 1_000;
    let heardUntilMs = nowMs;
    const find = async (hashes: readonly string[]) => keysOf(hashes);
    const source = {
      ...silent,
      find,
      heardUntilMs: () => heardUntilMs,
      isVolatile: ({ keyId }: Key) => keyId === "key of poor",
    };
    const cache = new KeyCache<Key>(source, { ...systemClock, nowMs: () => nowMs });
    const known = () => ["rich", "poor"].filter((hash) => cache.peek(hash) !== undefined);
    await Promise.all(["rich", "poor"].map((hash) => cache.get(hash)));
    nowMs += 5_000;
    heardUntilMs = nowMs;
    expect(known()).toEqual(["rich", "poor"]);
    nowMs += 3_000;
    expect(known()).toEqual(["rich"]);
    nowMs += 1; // the last confirmation is more than three seconds ago
    expect(known()).toEqual([]);
    heardUntilMs = nowMs;
    expect(known()).toEqual(["rich"]);
    nowMs += 51_999;
    heardUntilMs = nowMs;
    expect(known()).toEqual(["rich"]);
    nowMs += 1;
    expect(known()).toEqual([]);
  });

  test("is repeated for a key whose balance has fallen, within a second", async () => {
    let nowMs = 1_000;
    let isPoor = false;
    const source = {
      ...silent,
      find: async (hashes: readonly string[]) => keysOf(hashes),
      heardUntilMs: () => nowMs,
      isVolatile: () => isPoor,
    };
    const cache = new KeyCache<Key>(source, { ...systemClock, nowMs: () => nowMs });
    await cache.get("hash");
    nowMs += 6_000;
    expect(cache.peek("hash")).toBeDefined();
    isPoor = true;
    nowMs += 1_000;
    expect(cache.peek("hash")).toBeDefined();
    nowMs += 1;
    expect(cache.peek("hash")).toBeUndefined();
  });

  test("goes with all that wait into one statement, of which two run at a time", async () => {
    const { cache, statement } = heldStatements();
    const first = cache.get("first");
    const one = await statement(0);
    const second = cache.get("second");
    const two = await statement(1);
    const hashes = Array.from({ length: 300 }, (_, at) => `hash ${at}`);
    const others = hashes.map((hash) => cache.get(hash));
    expect([one.hashes, two.hashes]).toEqual([["first"], ["second"]]);
    one.answer(keysOf(one.hashes));
    const three = await statement(2);
    expect(three.hashes).toEqual(hashes);
    two.answer(keysOf(two.hashes));
    three.answer(keysOf(three.hashes));
    expect(await first).toMatchObject({ keyId: "key of first" });
    expect(await second).toMatchObject({ keyId: "key of second" });
    expect((await Promise.all(others)).map((key) => key?.keyId)).toEqual(
      hashes.map((hash) => `key of ${hash}`),
    );
  });

  test.each([
    ["the key", (cache: KeyCache<Key>) => cache.invalidateKey("key of hash")],
    ["its account", (cache: KeyCache<Key>) => cache.invalidateUser("u")],
    ["the configuration", (cache: KeyCache<Key>) => cache.clear()],
  ])(
    "is repeated when %s changed while it waited, so that a deleted key is not found",
    async (_what, change) => {
      const { cache, statement } = heldStatements();
      const asked = cache.get("hash");
      const before = await statement(0);
      change(cache);
      before.answer(keysOf(before.hashes));
      (await statement(1)).answer(new Map());
      expect(await asked).toBeNull();
      expect(cache.peek("hash")).toBeNull();
    },
  );

  test("is kept when another key changed while it waited", async () => {
    const { cache, statement } = heldStatements();
    const asked = cache.get("hash");
    const { answer, hashes } = await statement(0);
    cache.invalidateKey("another key");
    cache.invalidateUser("another account");
    answer(keysOf(hashes));
    await asked;
    expect(cache.peek("hash")).toMatchObject({ keyId: "key of hash" });
  });

  test("of a key that changes again and again ends, and is not kept", async () => {
    let statements = 0;
    const find = async (hashes: readonly string[]) => {
      statements += 1;
      cache.invalidateUser("u");
      return keysOf(hashes);
    };
    const cache: KeyCache<Key> = new KeyCache<Key>({ ...silent, find }, systemClock);
    expect(await cache.get("hash")).toMatchObject({ keyId: "key of hash" });
    expect([statements, cache.peek("hash")]).toEqual([3, undefined]);
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

describe("the store of keys", () => {
  const key = (at: number, models: readonly string[] | null = null) => ({
    keyId: `key ${at}`,
    userId: `user ${at % 100}`,
    name: `key ${at}`,
    models,
  });

  test("holds 100,000 keys, and forgets one key or one account", () => {
    const store = new KeyStore<CachedKey>();
    for (let at = 0; at < 100_000; at += 1)
      store.set(`hash ${at}`, { key: key(at), readAtMs: 10, steadyUntilMs: 10 });
    const held = () =>
      Array.from({ length: 100_000 }, (_, at) => store.get(`hash ${at}`)).filter(Boolean).length;
    expect(held()).toBe(100_000);
    store.forgetKey("key 7");
    expect(held()).toBe(99_999);
    store.forgetUser("user 7");
    expect(held()).toBe(99_000);
    store.clear();
    expect(held()).toBe(0);
  });

  test("is bounded by bytes: keys of many models take the room of many keys", () => {
    const store = new KeyStore<CachedKey>();
    const models = Array.from({ length: 1_000 }, (_, at) => `provider/model-${at}`);
    for (let at = 0; at < 10_000; at += 1)
      store.set(`hash ${at}`, { key: key(at, models), readAtMs: 10, steadyUntilMs: 10 });
    const held = Array.from({ length: 10_000 }, (_, at) => store.get(`hash ${at}`) !== undefined);
    expect(held.lastIndexOf(false)).toBeGreaterThan(0);
    expect(held.filter(Boolean).length * 1_000 * "provider/model-999".length * 2).toBeLessThan(
      128 * 1024 * 1024,
    );
    expect(held.at(-1)).toBe(true);
  });

  test("is bounded by bytes: keys of many rules take the room of many keys", () => {
    const store = new KeyStore<CachedKey>();
    const budgets = Array.from({ length: 24 }, () => ({}));
    for (let at = 0; at < 10_000; at += 1)
      store.set(`hash ${at}`, { key: { ...key(at), budgets }, readAtMs: 10, steadyUntilMs: 10 });
    const held = Array.from({ length: 10_000 }, (_, at) => store.get(`hash ${at}`)).filter(Boolean).length;
    expect(held).toBeGreaterThan(5_000);
    expect(held).toBeLessThan(7_000);
  });
});
