import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BudgetSet } from "@/lib/billing/budget-sets";
import { reconcile } from "@/lib/billing/reconcile";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { migrate } from "@/lib/db/migrate";
import { makeDuePartitions } from "@/lib/db/partitions";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
import { isLockTimeout } from "@/lib/db/table-lock";
import { GatewayError } from "@/lib/kernel/errors";
import {
  makeAccount,
  openTestLedger,
  requestId,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { migrateTo } from "@/tests/support/earlier-schema";
import { createEmptyTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";

/** The last migration of the version that knows no rules. */
const LAST = 30;
const PLENTY = 10n ** 12n;
const ACCOUNTS = 4;
const COST = 3n;
/** Requests of each process in each part of the test. */
const ENOUGH = 60;

/** A process: its own connections and ledger, and what it has done. */
interface Process {
  database: Database;
  ledger: TestLedger;
  settled: number;
}

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/**
 * The version before calls the functions of the ledger as a request without rules does: `ledger_batch` with 15 parameters,
 * `quota_release`, `quota_expire`. Source: docs/budgets.md#versions.
 */
describe.skipIf(without !== "")(`a process that knows no rules${without}`, () => {
  let url: string;
  let direct: Database;
  let accounts: TestAccount[];
  const processes: Process[] = [];
  beforeAll(async () => {
    url = await createEmptyTestDatabase();
    direct = await openDatabase({ url, dataDir: runDirectory() });
    await migrateTo(direct, LAST);
    await direct.session((session) => makeDuePartitions(session, new Date()));
    accounts = await Promise.all(
      Array.from({ length: ACCOUNTS }, () => makeAccount(direct, { account: PLENTY, keys: [PLENTY] })),
    );
  });
  afterAll(async () => {
    for (const { database, ledger } of processes) {
      await ledger.drain();
      await database.close();
    }
    await direct.close();
    await dropTestDatabase(url);
  });

  async function begin(instanceId: string): Promise<Process> {
    const database = await openDatabase({ url, dataDir: runDirectory() });
    const made = { database, ledger: await openTestLedger(database, { instanceId }), settled: 0 };
    processes.push(made);
    return made;
  }

  /** On a slow machine a migration takes longer than a call waits: it is told to come again. Throws: all else. */
  function isShed(error: unknown): "shed" {
    if (error instanceof GatewayError && error.code === "NO_AVAILABLE_NODE") return "shed";
    throw error;
  }

  function holdOf({ userId, keyIds }: TestAccount, id: string, set: BudgetSet | null) {
    const hold = { requestId: id, keyId: keyIds[0] ?? "", userId, amountMicroCents: 5n };
    if (set === null) return hold;
    return { ...hold, budgets: { set, expectedMicroCents: 5n, mostTokens: 1, expectedTokens: 1 } };
  }

  const release = ({ database }: Process, { keyIds, userId }: TestAccount, id: string) =>
    persistently(() => database.query("SELECT quota_release($1, $2, $3)", [id, keyIds[0] ?? "", userId]));

  const expire = ({ database }: Process, id: string) =>
    persistently(() => database.query("SELECT quota_expire($1)", [id]));

  /** Releases and the reaper's work are tried again while somebody has the lock. */
  async function persistently(run: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await run();
        return;
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
      }
    }
  }

  /** One request after the other on an account; each seventh is released, each eleventh given back as the reaper does. */
  async function work(process: Process, account: TestAccount, set: BudgetSet | null, isOver: () => boolean) {
    for (let turn = 1; !isOver(); turn += 1) {
      const id = requestId();
      const outcome = await process.ledger.hold(holdOf(account, id, set)).catch(isShed);
      if (outcome === "shed") continue;
      expect(outcome).toMatchObject({ held: true });
      if (turn % 7 === 0) {
        await release(process, account, id);
      } else if (turn % 11 === 0) await expire(process, id);
      else {
        const fields = { requestId: id, costMicroCents: COST, budgeted: set !== null };
        const settlement = settlementOf(account, fields);
        expect(["settled", "spooled"]).toContain(await process.ledger.settle(settlement));
        process.settled += 1;
      }
    }
  }

  const untilSettled = (process: Process, more: number) => {
    const enough = process.settled + more;
    return expect.poll(() => process.settled, { timeout: 60_000 }).toBeGreaterThanOrEqual(enough);
  };

  test("fails no call while the database is migrated and another counts by rules, and ends holds of that one with their windows", async () => {
    let over = false;
    const isOver = () => over;
    const old = await begin("old");
    const working = accounts.map((account) => work(old, account, null, isOver));
    await untilSettled(old, ENOUGH);
    const { applied, known } = await migrate(direct);
    expect(applied).toBe(known);
    await untilSettled(old, ENOUGH);

    const sets = await Promise.all(accounts.map(ruleOf));
    const young = await begin("young");
    working.push(...accounts.map((account, index) => work(young, account, sets[index] ?? null, isOver)));
    await Promise.all([untilSettled(old, ENOUGH), untilSettled(young, ENOUGH)]);
    // What this one holds, the other one ends.
    for (const [index, account] of accounts.entries()) {
      const ids = [requestId(), requestId()];
      for (const id of ids) await young.ledger.hold(holdOf(account, id, sets[index] ?? null));
      await expire(old, ids[0] ?? "");
      await release(old, account, ids[1] ?? "");
    }
    over = true;
    await Promise.all(working);
    for (const { ledger } of processes)
      await expect.poll(() => ledger.status().spooled, { timeout: 20_000 }).toBe(0);

    const windows = await direct.query(
      "SELECT sum(used)::int AS used, sum(held)::int AS held FROM budget_windows",
    );
    expect(windows).toEqual([{ used: young.settled * Number(COST), held: 0 }]);
    expect(await reconcile(direct)).toMatchObject({
      ok: true,
      openHolds: 0,
      usedMicroCents: BigInt(old.settled + young.settled) * COST,
    });
  });

  async function ruleOf({ userId }: TestAccount): Promise<BudgetSet> {
    const [row] = await direct.query<{ id: string }>(
      `INSERT INTO budgets (name, scope, user_id, unit, period, time_zone, limit_amount, mode)
       VALUES ('r', 'account', $1, 'money', 'total', 'UTC', $2, 'hard') RETURNING id`,
      [userId, PLENTY],
    );
    return [{ budgetId: row?.id ?? "", member: NO_MEMBER }];
  }
});
