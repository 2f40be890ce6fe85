import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { generateKey } from "@/lib/accounts/key-text";
import type { Database } from "@/lib/db/database";
import { CallerSeal } from "@/lib/gateway/responses-state/caller-seal";
import { ResponseStore, type StateOwner } from "@/lib/gateway/responses-state/store";
import { StoreLimits } from "@/lib/gateway/responses-state/store-bounds";
import { DAY_MS } from "@/lib/kernel/durations";
import { newRequestId } from "@/lib/kernel/request-id";
import { makeAccount } from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";
import { maintainUnblocked } from "@/tests/support/maintain-responses";

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

await forEachDatabaseInAll((kind, open) => {
  let database: Database;
  let nowMs: number;
  let evicted: string[];
  beforeAll(async () => {
    database = await open();
    for (const user of "abcde") {
      const { userId, keyIds } = await makeAccount(database, { account: 0n, keys: Array(20).fill(0n) });
      accounts.set(user, { userId, keyIds });
    }
  });
  beforeEach(async () => {
    await database.query("DELETE FROM stored_responses");
    await database.query("DELETE FROM settings WHERE name = 'stored_responses_counted'");
    nowMs = Date.now();
    evicted = [];
  });

  function storeWith(accountBytes: number, totalBytes: number): ResponseStore {
    const limits = new StoreLimits({
      database,
      bounds: { accountBytes, totalBytes },
      onEvicted: (bound, count) => evicted.push(...Array.from({ length: count }, () => bound)),
      onError: (error) => {
        throw error;
      },
    });
    const onUnstored = () => {};
    return new ResponseStore({ database, hours: 240, limits, now: () => new Date(nowMs), onUnstored });
  }

  /** Stores one response of about so many bytes; each is a second younger than the one before. */
  async function put(store: ResponseStore, owner: StateOwner, bytes: number): Promise<string> {
    const requestId = newRequestId(nowMs);
    nowMs += 1_000;
    const isStored = await store.write(owner, {
      requestId,
      createdAt: new Date(nowMs),
      parentId: null,
      depth: 1,
      nodeId: null,
      items: { input: [{ type: "message", role: "user", content: "x".repeat(bytes) }], output: [] },
      tokens: 1,
      envelope: {},
    });
    expect(isStored).toBe(true);
    return requestId;
  }

  async function kept(): Promise<string[]> {
    const rows = await database.query<{ id: string }>(
      "SELECT request_id AS id FROM stored_responses ORDER BY created_at",
    );
    return rows.map(({ id }) => id);
  }

  /** What is counted, and what is there. */
  async function counts() {
    const [counted] = await database.query<{ bytes: bigint; responses: bigint }>(
      "SELECT coalesce(sum(bytes), 0)::bigint AS bytes, coalesce(sum(responses), 0)::bigint AS responses FROM stored_response_usage",
    );
    const [there] = await database.query<{ bytes: bigint; responses: bigint }>(
      "SELECT coalesce(sum(bytes + 1024), 0)::bigint AS bytes, count(*)::bigint AS responses FROM stored_responses",
    );
    return { counted, there };
  }

  async function expectTrueCounts(): Promise<void> {
    const { counted, there } = await counts();
    expect(counted).toEqual(there);
  }

  describe("what an account keeps over all its keys", () => {
    test("has a bound: its oldest responses go first, of whichever key; other accounts lose nothing", async () => {
      const store = storeWith(MIB, GIB);
      const [one, two] = [keyOf("a"), keyOf("a")];
      const foreign = await put(store, keyOf("b"), 300 * KIB);
      const first = await put(store, one, 300 * KIB);
      const second = await put(store, two, 300 * KIB);
      const third = await put(store, two, 300 * KIB);
      expect(await kept()).toEqual([foreign, first, second, third]);
      const fourth = await put(store, two, 300 * KIB);
      expect(await kept()).toEqual([foreign, second, third, fourth]);
      const large = await put(store, one, 900 * KIB);
      expect(await kept()).toEqual([foreign, large]);
      expect(evicted).toEqual(["account", "account", "account", "account"]);
      await expectTrueCounts();
    });

    test("counts a row for each response, so that many small ones have a bound too", async () => {
      const store = storeWith(20 * KIB, GIB);
      const owner = keyOf("a");
      for (let at = 0; at < 20; at += 1) await put(store, owner, 10);
      expect((await kept()).length).toBeLessThan(20);
      expect(await store.limits.accountBytes(owner.userId)).toBeLessThanOrEqual(20 * KIB);
      await expectTrueCounts();
    });

    test("is passed at most by what is written at the same moment, and kept again with the next response", async () => {
      const store = storeWith(MIB, GIB);
      const owner = keyOf("a");
      await Promise.all(Array.from({ length: 8 }, () => put(store, owner, 300 * KIB)));
      await put(store, owner, 10);
      expect(await store.limits.accountBytes(owner.userId)).toBeLessThanOrEqual(MIB);
      await expectTrueCounts();
    });

    test("takes no response that is larger than the bound", async () => {
      const store = storeWith(MIB, GIB);
      await expect(put(store, keyOf("a"), 2 * MIB)).rejects.toThrow();
      expect(await kept()).toEqual([]);
    });
  });

  describe("what the installation keeps", () => {
    test("has a bound: the oldest responses of all accounts go first, over days", async () => {
      const store = storeWith(GIB, 2 * MIB);
      nowMs -= 2 * DAY_MS;
      const ids = [await put(store, keyOf("a"), 500 * KIB), await put(store, keyOf("b"), 500 * KIB)];
      nowMs += DAY_MS;
      ids.push(await put(store, keyOf("a"), 500 * KIB));
      nowMs += DAY_MS;
      ids.push(await put(store, keyOf("c"), 500 * KIB), await put(store, keyOf("d"), 500 * KIB));
      ids.push(await put(store, keyOf("e"), 500 * KIB));
      // The first may have begun before the last response was stored.
      for (let time = 0; time < 2; time += 1) await store.limits.check();
      expect(await kept()).toEqual(ids.slice(2));
      expect(new Set(evicted)).toEqual(new Set(["installation"]));
      expect(store.limits.totalBytes).toBeLessThanOrEqual(2 * MIB);
      await expectTrueCounts();
    });
  });

  describe("the counts", () => {
    test("stay true when rows move to the partition of their day, and when partitions are dropped", async () => {
      const store = storeWith(GIB, GIB);
      nowMs -= 6 * DAY_MS;
      await put(store, keyOf("a"), KIB);
      nowMs += 6 * DAY_MS;
      await put(store, keyOf("a"), KIB);
      await expectTrueCounts();
      await database.query("SELECT stored_responses_make_partitions($1, $2)", [
        new Date(nowMs - 7 * DAY_MS),
        new Date(nowMs),
      ]);
      await expectTrueCounts();
      await maintainUnblocked(database, 72, new Date(nowMs));
      expect(await kept()).toHaveLength(1);
      await expectTrueCounts();
      await maintainUnblocked(database, 0, new Date(nowMs));
      expect((await counts()).counted).toEqual({ bytes: 0n, responses: 0n });
    });

    test("have the responses of a program that does not know accounts, which leave by the bound as well", async () => {
      const store = storeWith(MIB, GIB);
      const owner = nobodysKey();
      await database.query(
        `INSERT INTO stored_responses (request_id, created_at, key_id, depth, item_count, item_tags, items, envelope, bytes)
         VALUES ($1, $2, $3, 1, 0, '{}', ''::bytea, ''::bytea, 600000)`,
        [crypto.randomUUID(), new Date(nowMs - 1_000), owner.keyId],
      );
      await expectTrueCounts();
      const own = await put(store, owner, 600 * KIB);
      expect(await kept()).toEqual([own]);
      await expectTrueCounts();
    });

    test("of a day whose partition is gone are given up, so that nothing younger leaves for them", async () => {
      const store = storeWith(MIB, GIB);
      const owner = keyOf("a");
      await database.query("INSERT INTO stored_response_usage VALUES ($1, '2020-01-01', $2, 1)", [
        owner.userId,
        MIB,
      ]);
      const own = await put(store, owner, 100 * KIB);
      expect(await kept()).toEqual([own]);
      await expectTrueCounts();
    });
  });

  describe("responses that were there before they were counted", () => {
    /** Stores small responses as they were when nothing counted them. */
    async function putUncounted(keyId: string, count: number, createdAt: Date): Promise<void> {
      await database.query("ALTER TABLE stored_responses DISABLE TRIGGER USER");
      await database.query(
        `INSERT INTO stored_responses (request_id, created_at, key_id, depth, item_count, item_tags, items, envelope, bytes)
         SELECT gen_random_uuid(), $2::timestamptz + n * interval '1 millisecond', $1, 1, 0, '{}', ''::bytea, ''::bytea, 100
         FROM generate_series(1, $3::integer) AS n`,
        [keyId, createdAt, count],
      );
      await database.query("ALTER TABLE stored_responses ENABLE TRIGGER USER");
    }

    const uncounted = () =>
      database.query<{ id: string }>("SELECT request_id AS id FROM stored_responses WHERE user_id IS NULL");
    const marker = () => database.query("SELECT 1 FROM settings WHERE name = 'stored_responses_counted'");
    const maintain = () => maintainUnblocked(database, 240, new Date(nowMs));

    test("count as nothing, and leave for no bound, until the hourly job has counted all of them", async () => {
      const store = storeWith(20 * KIB, 30 * KIB);
      const [first, second, nobodys] = [keyOf("a"), keyOf("a"), nobodysKey()];
      await putUncounted(first.keyId, 1_500, new Date(nowMs - DAY_MS));
      await putUncounted(second.keyId, 700, new Date(nowMs - 60_000));
      await putUncounted(nobodys.keyId, 300, new Date(nowMs - 60_000));
      await put(store, first, 10);
      await store.limits.check();
      expect(await uncounted()).toHaveLength(2_500);
      expect((await counts()).counted?.responses).toBe(1n);
      expect(evicted).toEqual([]);

      await maintain();
      expect(await uncounted()).toEqual([]);
      await expectTrueCounts();
      expect(await store.limits.accountBytes(first.userId)).toBeGreaterThan(2_200 * 1_124);
      expect(await store.limits.accountBytes(nobodys.userId)).toBe(300 * 1_124);

      await put(store, first, 10);
      await store.limits.check();
      expect(await store.limits.accountBytes(first.userId)).toBeLessThanOrEqual(20 * KIB);
      await expectTrueCounts();
    });

    test("leave the counts of others as they are when they are deleted before that", async () => {
      const store = storeWith(GIB, GIB);
      const owner = keyOf("a");
      await putUncounted(owner.keyId, 10, new Date(nowMs - 60_000));
      await put(store, owner, 10);
      await database.query("DELETE FROM stored_responses WHERE user_id IS NULL");
      await expectTrueCounts();
    });

    test("are looked for until a run finds none, and by one process at a time", async () => {
      await putUncounted(keyOf("a").keyId, 1_200, new Date(nowMs - 60_000));
      await Promise.all([maintain(), maintain(), maintain()]);
      expect(await uncounted()).toEqual([]);
      await expectTrueCounts();
      await maintain();
      expect(await marker()).toHaveLength(1);
      await putUncounted(keyOf("a").keyId, 1, new Date(nowMs - 60_000));
      await maintain();
      expect(await uncounted()).toHaveLength(1);
    });

    test.runIf(kind === "postgres")("are left to the next run while somebody holds them", async () => {
      await putUncounted(keyOf("a").keyId, 3, new Date(nowMs - 60_000));
      const [held] = await uncounted();
      await database.orm.transaction(async (tx) => {
        await tx.execute(sql`SELECT 1 FROM stored_responses WHERE request_id = ${held?.id} FOR UPDATE`);
        await maintain();
        expect(await uncounted()).toEqual([held]);
      });
      expect(await marker()).toEqual([]);
      await maintain();
      expect(await uncounted()).toEqual([]);
      await expectTrueCounts();
    });
  });

  const accounts = new Map<string, { userId: string; keyIds: string[] }>();
  /** Another key of an account. */
  function keyOf(user: string): StateOwner {
    const account = accounts.get(user);
    const keyId = account?.keyIds.pop();
    if (!account || keyId === undefined) throw new Error(`no key of ${user} is left`);
    return { keyId, userId: account.userId, seal: new CallerSeal(generateKey().key) };
  }

  /** A key that is nobody's counts as an account of its own. */
  function nobodysKey(): StateOwner {
    const keyId = crypto.randomUUID();
    return { keyId, userId: keyId, seal: new CallerSeal(generateKey().key) };
  }
});
