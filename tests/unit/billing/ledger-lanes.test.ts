import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { reconcile } from "@/lib/billing/reconcile";
import type { Database } from "@/lib/db/database";
import { countersOf, makeAccount, openTestLedger, requestId, settlementOf } from "@/tests/support/billing";
import { forEachDatabase } from "@/tests/support/database";

/** Records which keys and accounts the batches lock that run at the same time on different connections. */
function watched(database: Database) {
  const running = new Set<{ lane: number; locked: string[] }>();
  const seen = { together: 0, shared: [] as string[] };
  const batchQuery: Database["batchQuery"] = async (sql, params, lane = 0) => {
    const locked = [params[0], params[1]].flatMap((ids) => String(ids).slice(1, -1).split(","));
    for (const other of running) {
      if (other.lane !== lane) seen.shared.push(...other.locked.filter((id) => locked.includes(id)));
    }
    const batch = { lane, locked };
    running.add(batch);
    seen.together = Math.max(seen.together, new Set([...running].map((each) => each.lane)).size);
    try {
      return await database.batchQuery(sql, params, lane);
    } finally {
      running.delete(batch);
    }
  };
  return { seen, database: { ...database, batchQuery } };
}

await forEachDatabase((kind, open) => {
  test("batches overlap, on different connections never two for one key or account, and the books stay exact", async () => {
    const database = await open();
    const overlapping = watched(database);
    const ledger = await openTestLedger(overlapping.database);
    const accounts = await Promise.all(
      Array.from({ length: 6 }, () =>
        makeAccount(database, { account: 1_000_000n, keys: [500_000n, 500_000n] }),
      ),
    );
    const runs = accounts.flatMap((account) =>
      account.keyIds.map(async (keyId) => {
        for (let turn = 0; turn < 25; turn++) {
          const id = requestId();
          const { userId } = account;
          const hold = await ledger.hold({ requestId: id, keyId, userId, amountMicroCents: 100n });
          expect(hold).toEqual({ held: true, heldMicroCents: 100n });
          await sleep(Math.random() * 5); // nodes take different times to answer
          const settlement = settlementOf(account, { requestId: id, keyId, costMicroCents: 7n });
          expect(await ledger.settle(settlement)).toBe("settled");
        }
      }),
    );
    await Promise.all(runs);
    await ledger.drain();
    expect(overlapping.seen.shared).toEqual([]);
    expect(overlapping.seen.together).toBe(kind === "embedded" ? 1 : 2);
    for (const account of accounts) {
      const { account: counters } = await countersOf(database, account);
      expect(counters).toEqual({ used: 350n, held: 0n, requests: 50n });
    }
    expect((await reconcile(database)).mismatches).toEqual([]);
  });
});
