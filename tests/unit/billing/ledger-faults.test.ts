import { mkdtempSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { LedgerEvent } from "@/lib/billing/ledger-event";
import { reconcile } from "@/lib/billing/reconcile";
import { Spool } from "@/lib/billing/spool";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
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
import { endsWithin } from "@/tests/support/deadlines";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";
import { startTcpProxy, type TcpProxy } from "@/tests/support/tcp-proxy";

const server = await postgresServer();
const reason = "unavailable" in server ? server.unavailable : "a ledger whose database fails";

describe.skipIf("unavailable" in server)(reason, () => {
  let url: string;
  let proxy: TcpProxy;
  let direct: Database;
  let database: Database;
  let ledger: TestLedger;
  let account: TestAccount;
  let events: LedgerEvent[];

  beforeAll(async () => {
    url = await createTestDatabase();
    direct = await openDatabase({ url, dataDir: runDirectory() });
    await migrate(direct);
    const { hostname, port } = new URL(url);
    proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const proxied = new URL(url);
    proxied.port = String(proxy.port);
    database = await openDatabase({ url: proxied.href, dataDir: runDirectory() });
  });
  afterAll(async () => {
    proxy.heal();
    await database.close();
    await proxy.close();
    await direct.close();
    await dropTestDatabase(url);
  });
  beforeEach(async () => {
    proxy.heal();
    events = [];
    ledger = await openTestLedger(database, {
      onEvent: (event) => events.push(event),
      holdBudgetMs: 500,
      settleBudgetMs: 500,
    });
    account = await makeAccount(direct, { account: 100_000n, keys: [100_000n] });
    await hold(requestId());
  });

  const holdRequest = (id: string, amount: bigint) => ({
    requestId: id,
    keyId: account.keyIds[0] ?? "",
    userId: account.userId,
    amountMicroCents: amount,
  });
  const hold = (id: string, amount = 0n) => ledger.hold(holdRequest(id, amount));
  const eventually = async (check: () => Promise<boolean>): Promise<void> => {
    const end = performance.now() + 15_000;
    while (!(await check())) {
      if (performance.now() > end) throw new Error("it did not become true in 15 s");
      await sleep(50);
    }
  };
  const used = async () => (await countersOf(direct, account)).account.used;

  test.each(["refuse", "hang"] as const)(
    "with a database that does %s, a hold ends within a second, settlements are spooled, and all of them arrive later",
    async (how) => {
      const held = requestId();
      await hold(held, 1_000n);
      proxy.fail(how);
      const refused = hold(requestId(), 10n);
      const within = endsWithin(refused, 1_000);
      await expect(refused).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
      expect(await within).toBe(true);
      const ids = [held, ...Array.from({ length: 20 }, requestId)];
      const outcomes = await Promise.all(
        ids.map((id) => ledger.settle(settlementOf(account, { requestId: id, costMicroCents: 10n }))),
      );
      expect(new Set(outcomes)).toEqual(new Set(["spooled"]));
      expect(ledger.status().spooled).toBe(21);
      expect(await used()).toBe(0n);
      proxy.heal();
      await eventually(async () => ledger.status().spooled === 0);
      expect(await countersOf(direct, account)).toMatchObject({
        account: { used: 210n, held: 0n, requests: 21n },
      });
      await ledger.drain();
    },
  );

  test("that is crowded by holds for seconds says so until they are gone, and not because of a few that are slow", async () => {
    proxy.fail("hang");
    const crowdedDuring = async (holds: number, waves: number) => {
      const said: boolean[] = [];
      const ends: Promise<unknown>[] = [];
      for (let wave = 0; wave < waves; wave += 1) {
        for (let one = 0; one < holds; one += 1) ends.push(hold(requestId()).catch(() => null));
        await sleep(250);
        said.push(ledger.atCapacity);
      }
      await Promise.all(ends);
      return said;
    };
    expect(await crowdedDuring(20, 4)).toEqual([false, false, false, false]);
    expect(await crowdedDuring(1_000, 1)).toEqual([false]);
    const said = await crowdedDuring(100, 12);
    expect(said.slice(0, 4)).toEqual([false, false, false, false]);
    expect(said.at(-1)).toBe(true);
    expect(ledger.atCapacity).toBe(false);
    proxy.heal();
    await ledger.drain();
  });

  /** What a refusal for too much to do looks like. */
  const tooMuch = {
    code: "NO_AVAILABLE_NODE",
    details: { overload: true, retryAfterSeconds: expect.toSatisfy((wait) => [1, 2, 3].includes(wait)) },
  };

  const batchLeft = (of: TestLedger) => eventually(async () => of.status().waiting === 0);

  test("a hold whose turn comes late is made as long as those before it are answered", async () => {
    proxy.delay(350);
    const first = hold(requestId());
    await batchLeft(ledger);
    const begun = performance.now();
    expect(await hold(requestId(), 500n)).toMatchObject({ held: true });
    expect(performance.now() - begun).toBeGreaterThan(500);
    expect(await first).toMatchObject({ held: true });
    proxy.heal();
    await ledger.drain();
  });

  test("a hold that waits too long behind others' says that there is too much to do, and is not made", async () => {
    const hasty = await openTestLedger(database, { holdBudgetMs: 500, maxHoldMs: 500 });
    proxy.delay(350);
    const first = hasty.hold(holdRequest(requestId(), 0n));
    await batchLeft(hasty);
    await expect(hasty.hold(holdRequest(requestId(), 500n))).rejects.toMatchObject(tooMuch);
    expect(await first).toMatchObject({ held: true });
    proxy.heal();
    await eventually(async () => (await countersOf(direct, account)).account.held === 0n);
    await hasty.drain();
    await ledger.drain();
  });

  /** Runs work while another transaction has the key's row, as a report or a repair by hand may. */
  async function withLockedKey<T>(work: () => Promise<T>): Promise<T> {
    return direct.orm.transaction(async (tx) => {
      await tx.execute(sql`SELECT 1 FROM api_keys WHERE id = ${account.keyIds[0]} FOR UPDATE`);
      return work();
    });
  }

  test("a database that is slow but answers is told from one that does not: too much to do, not a malfunction", async () => {
    const slow = await withLockedKey(() => hold(requestId(), 500n).catch((error: unknown) => error));
    expect(slow).toMatchObject(tooMuch);
    await eventually(async () => (await countersOf(direct, account)).account.held === 0n);
    await ledger.drain();
  });

  test("a hold that the database gave up for want of a lock says that there is too much to do", async () => {
    const patient = await openTestLedger(database);
    const given = withLockedKey(() =>
      patient.hold(holdRequest(requestId(), 500n)).catch((error: unknown) => error),
    );
    expect(await given).toMatchObject(tooMuch);
    expect((await countersOf(direct, account)).account.held).toBe(0n);
    await patient.drain();
    await ledger.drain();
  });

  test("a connection that is cut just after the hold was sent gives an error, and the hold is given back", async () => {
    const id = requestId();
    proxy.cutAfter(id);
    await expect(hold(id, 500n)).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
    await eventually(async () => {
      const rows = await direct.query<{ state: string }>(
        "SELECT state FROM usage_holds WHERE request_id = $1",
        [id],
      );
      return rows[0]?.state === "released";
    });
    expect((await countersOf(direct, account)).account.held).toBe(0n);
    expect(events.some((event) => event.kind === "release_queued" && event.requestId === id)).toBe(true);
    await ledger.drain();
  });

  test("a release that overtakes its hold refuses it", async () => {
    const id = requestId();
    await direct.query("SELECT quota_release($1, $2, $3)", [id, account.keyIds[0] ?? "", account.userId]);
    await expect(hold(id, 500n)).rejects.toThrow();
    expect((await countersOf(direct, account)).account.held).toBe(0n);
    await ledger.drain();
  });

  test("a connection that is cut just after the settlement was sent charges once, at once", async () => {
    const id = requestId();
    await hold(id, 500n);
    proxy.cutAfter(id);
    const outcome = await ledger.settle(settlementOf(account, { requestId: id, costMicroCents: 120n }));
    expect(["settled", "duplicate"]).toContain(outcome);
    expect(await countersOf(direct, account)).toMatchObject({
      account: { used: 120n, held: 0n, requests: 1n },
    });
    await ledger.drain();
  });

  test("a settlement that the database refuses for good is set aside, and those behind it arrive", async () => {
    proxy.fail("refuse");
    const good = requestId();
    expect(await ledger.settle(settlementOf(account, { requestId: "not a uuid" }))).toBe("spooled");
    expect(await ledger.settle(settlementOf(account, { requestId: good, costMicroCents: 33n }))).toBe(
      "spooled",
    );
    proxy.heal();
    await eventually(async () => ledger.status().spooled === 0);
    expect(await used()).toBe(33n);
    expect(events.filter((event) => event.kind === "spool_refused")).toMatchObject([
      { requestId: "not a uuid" },
    ]);
    await ledger.drain();
  });

  test("what a process left in its spool is in the database before the next one is ready, charged once", async () => {
    const spoolDirectory = mkdtempSync(path.join(runDirectory(), "spool-"));
    const [twice, once] = [requestId(), requestId()];
    const settlements = [twice, once].map((id) =>
      settlementOf(account, { requestId: id, costMicroCents: 40n }),
    );
    const left = await Spool.open(spoolDirectory, 64 * 1024);
    for (const settlement of settlements) await left.append(settlement);
    await left.close();
    await ledger.settle(settlementOf(account, { requestId: twice, costMicroCents: 40n }));
    await ledger.drain();
    const next = await openTestLedger(database, { spoolDirectory });
    expect(await next.recover()).toBe(true);
    expect(next.status()).toEqual({ waiting: 0, spooled: 0, spoolProblem: null });
    expect(await countersOf(direct, account)).toMatchObject({ account: { used: 80n, requests: 2n } });
    await next.drain();
  });

  test("a database that never answers is left after three seconds, and a new connection is made", async () => {
    const patient = await openTestLedger(database);
    proxy.fail("hang");
    const before = performance.now();
    await expect(patient.hold(holdRequest(requestId(), 1n))).rejects.toMatchObject({
      code: "INTERNAL_ERROR",
    });
    expect(performance.now() - before).toBeGreaterThan(2_900);
    proxy.fail("through");
    expect((await patient.hold(holdRequest(requestId(), 1n))).held).toBe(true);
    await patient.drain();
    await ledger.drain();
  });

  test("at the end every counter agrees with the records behind it", async () => {
    expect(await reconcile(direct)).toMatchObject({ ok: true, mismatches: [] });
  });
});
