import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reconcile } from "@/lib/billing/reconcile";
import { type HoldOutcome, settlementRow } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import {
  countersOf,
  makeAccount,
  openTestLedger,
  requestId,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabase } from "@/tests/support/database";
import { settlementFields } from "@/tests/support/settlement-fields";

await forEachDatabase((_kind, open) => {
  let database: Database;
  let ledger: TestLedger;
  beforeAll(async () => {
    database = await open();
    ledger = await openTestLedger(database);
  });
  afterAll(() => ledger.drain());

  const hold = (account: TestAccount, amount: bigint, key = 0, id = requestId()): Promise<HoldOutcome> =>
    ledger.hold({
      requestId: id,
      keyId: account.keyIds[key] ?? "",
      userId: account.userId,
      amountMicroCents: amount,
    });

  /** Source: docs/reliability.md#r-1. */
  test("a quota of seven holds admits exactly seven of 200 parallel requests, and all of it can be spent", async () => {
    const account = await makeAccount(database, { account: 10_000n, keys: [700n] });
    const ids = Array.from({ length: 200 }, requestId);
    const outcomes = await Promise.all(ids.map((id) => hold(account, 100n, 0, id)));
    const admitted = ids.filter((_, index) => outcomes[index]?.held);
    expect(admitted).toHaveLength(7);
    await Promise.all(
      admitted.map((id) => ledger.settle(settlementOf(account, { requestId: id, costMicroCents: 100n }))),
    );
    expect(await countersOf(database, account)).toEqual({
      account: { used: 700n, held: 0n, requests: 7n },
      keys: [{ used: 700n, held: 0n }],
    });
  });

  /** Source: docs/reliability.md#r-2. */
  test("the account's quota binds over all of its keys, whatever the keys allow", async () => {
    const account = await makeAccount(database, {
      account: 500n,
      keys: [10_000n, 10_000n, 10_000n, 10_000n],
    });
    const outcomes = await Promise.all(
      Array.from({ length: 400 }, (_, index) => hold(account, 100n, index % 4)),
    );
    expect(outcomes.filter((outcome) => outcome.held)).toHaveLength(5);
    expect(outcomes.find((outcome) => !outcome.held)).toEqual({
      held: false,
      reason: "quota",
      level: "account",
      roomMicroCents: 0n,
      heldMicroCents: 500n,
    });
  });

  test("a refusal names the key's quota, what is left of it and what running requests hold", async () => {
    const account = await makeAccount(database, { account: 10_000n, keys: [250n] });
    expect(await hold(account, 200n)).toEqual({ held: true, heldMicroCents: 200n });
    expect(await hold(account, 100n)).toEqual({
      held: false,
      reason: "quota",
      level: "key",
      roomMicroCents: 50n,
      heldMicroCents: 200n,
    });
  });

  describe("last flight", () => {
    test("one request that does not fit takes all that is left, and only one", async () => {
      const account = await makeAccount(database, { account: 10_000n, keys: [30n] });
      const outcomes = await Promise.all(Array.from({ length: 100 }, () => hold(account, 500n)));
      expect(outcomes.filter((outcome) => outcome.held)).toEqual([{ held: true, heldMicroCents: 30n }]);
    });

    test("it is refused while another key of the account holds something", async () => {
      const account = await makeAccount(database, { account: 1_000n, keys: [500n, 500n] });
      expect((await hold(account, 10n, 1)).held).toBe(true);
      expect((await hold(account, 600n, 0)).held).toBe(false);
    });

    test("it is refused when nothing is left, and after it nothing passes until the quota grows", async () => {
      const account = await makeAccount(database, { account: 1_000n, keys: [100n] });
      const id = requestId();
      expect((await hold(account, 500n, 0, id)).held).toBe(true);
      await ledger.settle(settlementOf(account, { requestId: id, costMicroCents: 400n }));
      expect(await hold(account, 1n)).toMatchObject({ held: false, level: "key", roomMicroCents: -300n });
      expect(await hold(account, 0n)).toMatchObject({ held: false, level: "key" });
    });

    test("QUOTA_STRICT refuses it", async () => {
      const strict = await openTestLedger(database, { quotaStrict: true });
      const account = await makeAccount(database, { account: 1_000n, keys: [100n] });
      const keyId = account.keyIds[0] ?? "";
      const request = { requestId: requestId(), keyId, userId: account.userId, amountMicroCents: 101n };
      expect((await strict.hold(request)).held).toBe(false);
      await strict.drain();
    });
  });

  test("a free request holds nothing, passes with an empty quota, and is recorded", async () => {
    const account = await makeAccount(database, { account: 0n, keys: [0n] });
    const id = requestId();
    expect(await hold(account, 0n, 0, id)).toEqual({ held: true, heldMicroCents: 0n });
    expect(await hold(account, 1n)).toMatchObject({ held: false, reason: "quota" });
    await ledger.settle(settlementOf(account, { requestId: id, costMicroCents: 0n }));
    expect((await countersOf(database, account)).account).toEqual({ used: 0n, held: 0n, requests: 1n });
  });

  test.each([
    ["disabled", "status = 'disabled'"],
    ["deleted", "deleted_at = now()"],
    ["expired", "expires_at = now()"],
  ])("a key that is %s in the database cannot hold, whatever a cache says", async (_name, change) => {
    const account = await makeAccount(database, { account: 1_000n, keys: [1_000n] });
    await database.query(`UPDATE api_keys SET ${change} WHERE id = $1`, [account.keyIds[0] ?? ""]);
    expect(await hold(account, 1n)).toEqual({ held: false, reason: "key_invalid" });
  });

  test("a suspended account cannot hold, and a key cannot be used in another account's name", async () => {
    const account = await makeAccount(database, { account: 1_000n, keys: [1_000n] });
    const other = await makeAccount(database, { account: 1_000n, keys: [1_000n] });
    await database.query("UPDATE users SET status = 'suspended' WHERE id = $1", [account.userId]);
    expect(await hold(account, 1n)).toEqual({ held: false, reason: "account_inactive" });
    expect(await hold({ userId: account.userId, keyIds: other.keyIds }, 1n)).toEqual({
      held: false,
      reason: "key_invalid",
    });
  });

  test("settling twice, at once, one after the other or in one batch with others, charges once", async () => {
    const account = await makeAccount(database, { account: 10_000n, keys: [10_000n] });
    const [first, second, third] = [requestId(), requestId(), requestId()];
    const settle = (id: string) =>
      ledger.settle(settlementOf(account, { requestId: id, costMicroCents: 100n }));
    expect((await Promise.all([settle(first), settle(first)])).sort()).toEqual(["duplicate", "settled"]);
    expect(await settle(first)).toBe("duplicate");
    const batch = await Promise.all([settle(second), settle(first), settle(third), hold(account, 50n)]);
    expect(batch).toEqual(["settled", "duplicate", "settled", { held: true, heldMicroCents: 50n }]);
    expect(await countersOf(database, account)).toEqual({
      account: { used: 300n, held: 50n, requests: 3n },
      keys: [{ used: 300n, held: 50n }],
    });
  });

  test("a settlement after its hold has expired still charges, marked late", async () => {
    const account = await makeAccount(database, { account: 10_000n, keys: [10_000n] });
    const id = requestId();
    await hold(account, 500n, 0, id);
    await database.query("SELECT quota_expire($1)", [id]);
    expect((await countersOf(database, account)).account.held).toBe(0n);
    expect(await ledger.settle(settlementOf(account, { requestId: id, costMicroCents: 70n }))).toBe("late");
    expect(await countersOf(database, account)).toMatchObject({ account: { used: 70n, held: 0n } });
    const rows = await database.query(
      "SELECT late, cost_micro_cents FROM usage_ledger WHERE request_id = $1",
      [id],
    );
    expect(rows).toEqual([{ late: true, cost_micro_cents: 70n }]);
  });

  test("a request that was refused before it held anything is recorded and counted, at no cost", async () => {
    const account = await makeAccount(database, { account: 10n, keys: [10n] });
    const refusal = settlementOf(account, {
      requestId: requestId(),
      status: "error",
      httpStatus: 402,
      errorCode: "QUOTA_EXCEEDED",
      billingSource: "none",
      usageSource: "none",
      costMicroCents: 0n,
      usage: { inputUncached: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 },
    });
    expect(await ledger.settle(refusal)).toBe("settled");
    expect((await countersOf(database, account)).account).toEqual({ used: 0n, held: 0n, requests: 1n });
    const rollups = await database.query(
      "SELECT request_count, error_count FROM usage_rollups WHERE user_id = $1",
      [account.userId],
    );
    expect(rollups).toEqual([{ request_count: 1n, error_count: 1n }]);
  });

  /** Source: docs/contract.md#cache-saving. */
  test("what the cache saved is added once, also when a batch repeats a settlement, and is unknown where it was not told", async () => {
    const account = await makeAccount(database, { account: 10_000n, keys: [10_000n] });
    const cached = (cacheSavingMicroCents: bigint | null) =>
      settlementOf(account, {
        requestId: requestId(),
        usage: { inputUncached: 1, cacheRead: 20, cacheWrite: 10, output: 1, reasoning: 0 },
        cacheSavingMicroCents,
      });
    const sums = () =>
      database.query(
        `SELECT sum(cache_saving_micro_cents)::text AS saving, sum(cache_saving_tokens)::text AS known,
           sum(cache_read_tokens + cache_write_tokens)::text AS tokens FROM usage_rollups WHERE user_id = $1`,
        [account.userId],
      );
    const first = cached(70n);
    await ledger.settle(first);
    await Promise.all([first, cached(-30n), first].map((settlement) => ledger.settle(settlement)));
    expect(await sums()).toEqual([{ saving: "40", known: "60", tokens: "60" }]);
    await ledger.settle(cached(null));
    expect(await sums()).toEqual([{ saving: "40", known: "60", tokens: "90" }]);
  });

  /** Source: docs/embeddings.md#money. */
  test("each request is logged with its operation, in batches of one kind and of both", async () => {
    const account = await makeAccount(database, { account: 10_000n, keys: [10_000n] });
    const settled = async (operations: ("generate" | "embed")[]) => {
      const all = operations.map((operation) => settlementOf(account, { requestId: requestId(), operation }));
      await Promise.all(all.map((settlement) => ledger.settle(settlement)));
      const rows = await database.query<{ operation: string }>(
        "SELECT l.operation FROM unnest($1::uuid[]) WITH ORDINALITY AS x(id, i) JOIN request_log l ON l.request_id = x.id ORDER BY i",
        [`{${all.map((settlement) => settlement.requestId).join()}}`],
      );
      return rows.map(({ operation }) => operation);
    };
    for (const operations of [
      ["generate", "generate"],
      ["embed"],
      ["generate", "embed", "generate", "embed"],
    ]) {
      const wanted = operations.map((name) => (name === "embed" ? "embed" : "generate"));
      expect(await settled(wanted)).toEqual(wanted);
    }
  });

  /** Source: docs/responses.md#s3-6. */
  test("each request is logged with the tools that were run for it, in batches with and without such", async () => {
    const account = await makeAccount(database, { account: 10_000n, keys: [10_000n] });
    const { usage: none } = settlementFields;
    const some = { ...none, calls: { webSearch: 2, imageGeneration: 1 } };
    for (const usages of [[some], [none, some, none], [none, none]]) {
      const all = usages.map((usage) => settlementOf(account, { requestId: requestId(), usage }));
      await Promise.all(all.map((settlement) => ledger.settle(settlement)));
      for (const table of ["request_log", "usage_ledger"]) {
        const rows = await database.query<{ calls: unknown }>(
          `SELECT l.hosted_calls AS calls FROM unnest($1::uuid[]) WITH ORDINALITY AS x(id, i)
           JOIN ${table} l ON l.request_id = x.id ORDER BY i`,
          [`{${all.map((settlement) => settlement.requestId).join()}}`],
        );
        expect(rows.map(({ calls }) => calls)).toEqual(all.map(({ usage }) => usage.calls ?? null));
      }
    }
  });

  test.each([
    ["tells no operations", ""],
    ["tells no calls of tools", ",'{embed}'"],
    ["tells no costs of nodes", ",'{embed}',NULL"],
  ])("a process of a version before, which %s, still settles and holds", async (_which, more) => {
    const account = await makeAccount(database, { account: 100n, keys: [100n] });
    const settled = settlementOf(account, { requestId: requestId(), costMicroCents: 0n });
    const row = settlementRow(settled).split(",").slice(0, -3); // without the fields of this version
    const [answer] = await database.query<{ settled: number[]; outcomes: number[] }>(
      `SELECT settled, outcomes FROM quota_batch($1,$2,'{1}',$3,NULL,NULL,24,20,$4,'{1}','{70}',false,60,'old'${more})`,
      [`{${account.keyIds[0]}}`, `{${account.userId}}`, `(1,1,${row})`, `{${requestId()}}`],
    );
    expect(answer).toEqual({ settled: [1], outcomes: [0] });
    expect((await countersOf(database, account)).account).toMatchObject({ held: 70n, requests: 1n });
  });

  test("one settlement that the database refuses fails alone; its neighbours are settled", async () => {
    const account = await makeAccount(database, { account: 10_000n, keys: [10_000n] });
    const bad = settlementOf(account, { requestId: "no uuid at all" });
    const results = await Promise.allSettled([
      ledger.settle(settlementOf(account, { requestId: requestId() })),
      ledger.settle(bad),
      ledger.settle(settlementOf(account, { requestId: requestId() })),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((await countersOf(database, account)).account.requests).toBe(2n);
  });

  test("an impossible cost is refused before it reaches the database", async () => {
    const account = await makeAccount(database, { account: 10n, keys: [10n] });
    await expect(
      ledger.settle(settlementOf(account, { requestId: requestId(), costMicroCents: -1n })),
    ).rejects.toThrow(RangeError);
  });

  test("after all of this every counter agrees with the records behind it", async () => {
    expect(await reconcile(database)).toMatchObject({ ok: true, mismatches: [] });
  });
});
