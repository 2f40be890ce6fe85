import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { reconcile } from "@/lib/billing/reconcile";
import { openDatabase } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import {
  countersOf,
  makeAccount,
  openTestLedger,
  requestId,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";
import { startTcpProxy } from "@/tests/support/tcp-proxy";

const COST = 7n;
const CUTS = 12;

/** Requests of one key until the end; counts those whose settlement was accepted. */
async function load(ledger: TestLedger, account: TestAccount, keyId: string, ended: () => boolean) {
  const count = { settled: 0, refused: 0 };
  const { userId } = account;
  while (!ended()) {
    const id = requestId();
    const held = await ledger
      .hold({ requestId: id, keyId, userId, amountMicroCents: 100n })
      .catch(() => null);
    if (held === null) {
      count.refused++;
      continue;
    }
    expect(held).toEqual({ held: true, heldMicroCents: 100n });
    await sleep(Math.random() * 4); // nodes take different times to answer
    await ledger.settle(settlementOf(account, { requestId: id, keyId, costMicroCents: COST }));
    count.settled++;
  }
  return count;
}

const server = await postgresServer();
const reason = "unavailable" in server ? server.unavailable : "a ledger with two batches under way";

describe.skipIf("unavailable" in server)(reason, () => {
  test("whose connections are cut again and again bills each settlement once and gives every hold back", async () => {
    const url = await createTestDatabase();
    const direct = await openDatabase({ url, dataDir: runDirectory() });
    await migrate(direct);
    const target = new URL(url);
    const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
    target.port = String(proxy.port);
    const database = await openDatabase({ url: target.href, dataDir: runDirectory() });
    const ledger = await openTestLedger(database, { holdBudgetMs: 500, settleBudgetMs: 500 });
    const accounts = await Promise.all(
      Array.from({ length: 6 }, () =>
        makeAccount(direct, { account: 10n ** 12n, keys: [10n ** 11n, 10n ** 11n] }),
      ),
    );
    let ended = false;
    const loads = accounts.map((account) =>
      Promise.all(account.keyIds.map((keyId) => load(ledger, account, keyId, () => ended))),
    );
    for (let cut = 0; cut < CUTS; cut++) {
      await sleep(60);
      const { cuts } = proxy;
      if (cut % 2 === 0) proxy.heal();
      else {
        proxy.cutAfter(accounts[cut % accounts.length]?.userId ?? "");
        await expect.poll(() => proxy.cuts).toBe(cuts + 1);
      }
    }
    ended = true;
    proxy.heal();
    const counts = await Promise.all(loads);
    await expect
      .poll(
        async () =>
          (await Promise.all(accounts.map((each) => countersOf(direct, each)))).map(
            ({ account }) => account.held,
          ),
        {
          timeout: 15_000,
        },
      )
      .toEqual(accounts.map(() => 0n));
    await ledger.drain();
    const settled = counts.map((ofAccount) => ofAccount.reduce((sum, { settled }) => sum + settled, 0));
    expect(counts.flat().some(({ refused }) => refused > 0)).toBe(true);
    const used = await Promise.all(accounts.map((each) => countersOf(direct, each)));
    expect(used.map(({ account }) => account.used)).toEqual(settled.map((count) => BigInt(count) * COST));
    expect((await reconcile(direct)).mismatches).toEqual([]);
    await database.close();
    await proxy.close();
    await direct.close();
    await dropTestDatabase(url);
  });
});
