import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { quotaGrants } from "@/lib/db/schema/accounts";
import { HOUR_MS } from "@/lib/kernel/durations";
import { newRequestId } from "@/lib/kernel/request-id";
import { type LedgerEntry, listLedger, readLedgerMonths, walkLedger } from "@/lib/reports/ledger";
import {
  makeAccount,
  microCentsOf,
  openTestLedger,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

const now = new Date("2026-11-21T10:07:30.000Z");
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);

await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let ledger: TestLedger;
  let account: TestAccount;
  const written: Settlement[] = [];

  beforeAll(async () => {
    db = await open();
    await makePartitions(db, ago(24 * 70), now);
    ledger = await openTestLedger(db);
    account = await makeAccount(db, { account: 10_000_000n, keys: [5_000_000n, 5_000_000n] });
    const settle = async (hours: number, costMicroCents: bigint, keyId = account.keyIds[0]) => {
      const fields = { requestId: newRequestId(), createdAt: ago(hours), costMicroCents, keyId };
      const settlement = settlementOf(account, fields);
      await ledger.settle(settlement);
      written.push(settlement);
    };
    await settle(0.01, 250n);
    await settle(1, 1_000_000n, account.keyIds[1]);
    await settle(30, 70n);
    await settle(24 * 2, 40n);
    await settle(24 * 6 + 9, 30n);
    await settle(24 * 25, 5n);
  });
  afterAll(() => ledger.drain());

  describe("the account's ledger", () => {
    test("lists grants one by one, charges per key and day, and ends at the true balance", async () => {
      await db.orm.insert(quotaGrants).values([
        { userId: account.userId, kind: "signup", amountMicroCents: 10_000_000n, createdAt: ago(24 * 40) },
        { userId: account.userId, kind: "grant", amountMicroCents: 0n, reason: "thanks", createdAt: ago(20) },
      ]);
      const { data, total } = await listLedger(db, account, { page: 1, pageSize: 100 });
      const used = written.reduce((sumSoFar, settlement) => sumSoFar + settlement.costMicroCents, 0n);
      expect(total).toBe(data.length);
      expect(microCentsOf(data[0]?.balanceAfter)).toBe(10_000_000n - used);
      expect(data.at(-1)).toMatchObject({ type: "signup", amount: "10", balanceAfter: "10" });
      for (const [index, entry] of data.entries()) {
        const before = data[index + 1];
        if (before)
          expect(microCentsOf(entry.balanceAfter)).toBe(
            microCentsOf(before.balanceAfter) + microCentsOf(entry.amount),
          );
      }
      const today = data.filter((entry) => entry.date === "2026-11-21");
      expect(today.map(({ tokenId }) => tokenId).sort()).toEqual([...account.keyIds].sort());
    });

    test("walks by cursor", async () => {
      const all = await listLedger(db, account, { page: 1, pageSize: 100 });
      const first = await listLedger(db, account, { page: 1, pageSize: 2 });
      const rest = await listLedger(db, account, {
        page: 1,
        pageSize: 100,
        cursor: first.nextCursor ?? "",
      });
      expect([...first.data, ...rest.data]).toEqual(all.data);
      await expect(
        listLedger(db, account, { page: 1, pageSize: 2, cursor: "nonsense" }),
      ).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    });

    test("entries of one type keep the balances of the whole ledger, on every page and in the export", async () => {
      const all = await listLedger(db, account, { page: 1, pageSize: 100 });
      const charges = all.data.filter(({ type }) => type === "charge");
      expect(charges.length).toBeGreaterThan(2);
      const filter = { userId: account.userId, type: "charge" as const };
      const first = await listLedger(db, filter, { page: 1, pageSize: 2 });
      expect([first.data, first.total]).toEqual([charges.slice(0, 2), charges.length]);
      const cursor = first.nextCursor ?? "";
      const rest = await listLedger(db, filter, { page: 1, pageSize: 100, cursor });
      expect(rest.data).toEqual(charges.slice(2));
      const walked = [];
      for await (const entries of walkLedger(db, filter, 100, 2)) walked.push(...entries);
      expect(walked).toEqual(charges);
      const bounded = [];
      for await (const entries of walkLedger(db, account, 3, 2)) bounded.push(...entries);
      expect(bounded).toEqual(all.data.slice(0, 3));
    });

    test("is narrowed to days in UTC, whose entries keep their balances, on every page and in the export", async () => {
      const all = (await listLedger(db, account, { page: 1, pageSize: 100 })).data;
      const dayOf = (entry: LedgerEntry) => entry.date ?? entry.createdAt.slice(0, 10);
      const days = { from: "2026-11-15", to: "2026-11-20" };
      const expected = all.filter((entry) => dayOf(entry) >= days.from && dayOf(entry) <= days.to);
      expect(expected.map(({ type }) => type)).toEqual(["grant", "charge", "charge", "charge"]);
      const filter = { userId: account.userId, ...days };
      expect(await listLedger(db, filter, { page: 1, pageSize: 100 })).toMatchObject({
        data: expected,
        total: expected.length,
      });
      const walked = [];
      for await (const entries of walkLedger(db, filter, 100, 2)) walked.push(...entries);
      expect(walked).toEqual(expected);
      const since = await listLedger(
        db,
        { userId: account.userId, from: "2026-11-21" },
        { page: 1, pageSize: 9 },
      );
      expect(since.data).toEqual(all.filter((entry) => dayOf(entry) >= "2026-11-21"));
    });

    test("is summed up by month, with what was added and charged and the balance at its end", async () => {
      const all = (await listLedger(db, account, { page: 1, pageSize: 100 })).data;
      const months = await readLedgerMonths(db, account);
      expect(months.map(({ month }) => month)).toEqual(["2026-11", "2026-10"]);
      for (const month of months) {
        const entries = all.filter(({ date, createdAt }) => (date ?? createdAt).startsWith(month.month));
        const charges = entries.filter(({ type }) => type === "charge");
        const sumOf = (list: LedgerEntry[]) =>
          list.reduce((sum, { amount }) => sum + microCentsOf(amount), 0n);
        expect(microCentsOf(month.charged)).toBe(-sumOf(charges));
        expect(microCentsOf(month.added)).toBe(sumOf(entries) - sumOf(charges));
        expect(month.balanceAfter).toBe(entries[0]?.balanceAfter);
        expect(month.requestCount).toBe(
          charges.reduce((sum, { requestCount }) => sum + (requestCount ?? 0), 0),
        );
      }
      const day = { userId: account.userId, from: "2026-11-21", to: "2026-11-21" };
      const [today] = await readLedgerMonths(db, day);
      expect(today).toMatchObject({ month: "2026-11", added: "0", requestCount: 2 });
    });
  });
});
