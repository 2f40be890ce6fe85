import { beforeAll, beforeEach, expect, test } from "vitest";
import { startReaper, sweepHolds } from "@/lib/billing/reaper";
import { reconcile, repairHeldTotals } from "@/lib/billing/reconcile";
import type { Database } from "@/lib/db/database";
import { countLiveInstances, recordHeartbeat, removeInstance } from "@/lib/db/replicas";
import {
  countersOf,
  makeAccount,
  openTestLedger,
  requestId,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabase } from "@/tests/support/database";

await forEachDatabase((kind, open) => {
  let database: Database;
  let mine: TestLedger;
  let others: TestLedger;
  let account: TestAccount;
  beforeAll(async () => {
    database = await open();
    mine = await openTestLedger(database, { instanceId: "mine" });
    others = await openTestLedger(database, { instanceId: "other" });
    return async () => {
      await mine.drain();
      await others.drain();
    };
  });
  beforeEach(async () => {
    account = await makeAccount(database, { account: 10_000n, keys: [10_000n, 10_000n] });
    await database.query("DELETE FROM instances");
  });

  const hold = async (ledger: TestLedger, amount: bigint, key = 0): Promise<string> => {
    const id = requestId();
    const keyId = account.keyIds[key] ?? "";
    await ledger.hold({ requestId: id, keyId, userId: account.userId, amountMicroCents: amount });
    return id;
  };
  const heldNow = async () => (await countersOf(database, account)).account.held;
  const stateOf = async (id: string) =>
    (await database.query<{ state: string }>("SELECT state FROM usage_holds WHERE request_id = $1", [id]))[0]
      ?.state;

  test("a hold past its time is given back, a younger one of a living process is kept", async () => {
    await recordHeartbeat(database, "mine");
    const old = await hold(mine, 100n);
    const young = await hold(mine, 30n, 1);
    await database.query(
      "UPDATE usage_holds SET expires_at = now() - interval '1 second' WHERE request_id = $1",
      [old],
    );
    expect(await sweepHolds(database, "mine")).toBe(1);
    expect([await stateOf(old), await stateOf(young)]).toEqual(["expired", "held"]);
    expect(await heldNow()).toBe(30n);
    expect(await sweepHolds(database, "mine")).toBe(0);
  });

  if (kind === "postgres") {
    test("a hold past its time is given back while partitions wait for a table that somebody reads", async () => {
      const old = await hold(mine, 100n);
      await database.query("UPDATE usage_holds SET expires_at = now() - interval '1 second'");
      await database.session(async (session) => {
        await session.query("SELECT pg_advisory_lock(7405002)");
        expect(await sweepHolds(database, "mine")).toBeGreaterThan(0);
      });
      expect(await stateOf(old)).toBe("expired");
    });
  }

  test("holds of a process that shows no life are given back", async () => {
    await hold(others, 100n);
    expect(await sweepHolds(database, "mine")).toBe(1);
    expect(await heldNow()).toBe(0n);
  });

  if (kind === "postgres") {
    test("holds of another living process are kept until its heart has stopped", async () => {
      await recordHeartbeat(database, "other");
      await hold(others, 100n);
      expect(await countLiveInstances(database)).toBe(1);
      expect(await sweepHolds(database, "mine")).toBe(0);
      await database.query("UPDATE instances SET heartbeat_at = now() - interval '61 seconds'");
      expect(await countLiveInstances(database)).toBe(1);
      expect(await sweepHolds(database, "mine")).toBe(1);
    });
  }

  test("many sweeps at once give each hold back once", async () => {
    for (let index = 0; index < 20; index++) await hold(others, 10n, index % 2);
    await Promise.all(Array.from({ length: 5 }, () => sweepHolds(database, "mine")));
    await sweepHolds(database, "mine");
    expect(await heldNow()).toBe(0n);
    expect(await reconcile(database)).toMatchObject({ ok: true, openHolds: expect.any(Number) });
  });

  test("the reaper beats its heart, reports what it gave back and ends when told", async () => {
    await hold(others, 100n);
    const reports: number[] = [];
    const alive: number[] = [];
    const errors: unknown[] = [];
    const reaper = startReaper({
      database,
      instanceId: "mine",
      onExpired: (count) => reports.push(count),
      onHeartbeat: (live) => alive.push(live),
      onError: (error) => errors.push(error),
      intervalMs: 20,
    });
    await expect.poll(() => reports).toEqual([1]);
    await reaper.stop();
    expect(alive[0]).toBe(1);
    expect(errors).toEqual([]);
    expect(await database.query("SELECT id FROM instances")).toEqual([{ id: "mine" }]);
    await removeInstance(database, "mine");
    expect(await database.query("SELECT id FROM instances")).toEqual([]);
  });

  /** Source: docs/reliability.md#r-159. */
  test("a counter that was changed by hand is reported; only what is held is healed", async () => {
    await recordHeartbeat(database, "mine");
    await hold(mine, 70n);
    const [keyId = ""] = account.keyIds;
    await database.query("UPDATE api_keys SET held_micro_cents = 999 WHERE id = $1", [keyId]);
    await database.query("UPDATE users SET held_micro_cents = 5, used_micro_cents = 12 WHERE id = $1", [
      account.userId,
    ]);
    const found = await reconcile(database);
    expect(found.ok).toBe(false);
    expect(found.mismatches).toEqual([
      { kind: "account_held", id: account.userId, counterMicroCents: 5n, sumMicroCents: 70n },
      { kind: "account_rollups", id: account.userId, counterMicroCents: 12n, sumMicroCents: 0n },
      { kind: "account_used_keys", id: account.userId, counterMicroCents: 12n, sumMicroCents: 0n },
      { kind: "account_used_ledger", id: account.userId, counterMicroCents: 12n, sumMicroCents: 0n },
      { kind: "key_held", id: keyId, counterMicroCents: 999n, sumMicroCents: 70n },
    ]);
    expect(await repairHeldTotals(database)).toContain(keyId);
    expect((await countersOf(database, account)).account).toMatchObject({ held: 70n, used: 12n });
    const left = (await reconcile(database)).mismatches.map((mismatch) => mismatch.kind);
    expect(left).toEqual(["account_rollups", "account_used_keys", "account_used_ledger"]);
    await database.query("UPDATE users SET used_micro_cents = 0 WHERE id = $1", [account.userId]);
  });
});
