import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reconcile } from "@/lib/billing/reconcile";
import { compactRollups } from "@/lib/billing/rollups";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { newRequestId } from "@/lib/kernel/request-id";
import { NO_USAGE } from "@/lib/kernel/usage";
import { readStatementCalendar } from "@/lib/reports/statements/calendar";
import { closeMonths } from "@/lib/reports/statements/close";
import { allLinesSql, monthParams } from "@/lib/reports/statements/lines";
import {
  makeAccount,
  openTestLedger,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

interface Line {
  month: string;
  of_month: string;
  user_id: string;
  key_id: string;
  model: string;
  requests: bigint;
  input_tokens: bigint;
  cache_read_tokens: bigint;
  cache_write_tokens: bigint;
  output_tokens: bigint;
  cost_micro_cents: bigint;
}

const zones = ["UTC", "Asia/Shanghai", "Asia/Kolkata"];
const opened = new Date("2026-08-10T00:00:00Z");

/** Source: docs/budgets.md#statements. */
await forEachDatabaseInAll((_kind, open) => {
  describe.each(zones)("statements in %s", (zone) => {
    let db: Database;
    let ledger: TestLedger;
    let account: TestAccount;
    beforeAll(async () => {
      db = await open();
      await makePartitions(db, opened, new Date("2026-12-31T00:00:00Z"));
      ledger = await openTestLedger(db);
      account = await makeAccount(db, { account: 10_000_000n, keys: [5_000_000n, 5_000_000n] });
      await db.query("UPDATE users SET created_at = $1", [opened]);
    });
    afterAll(() => ledger.drain());

    const settle = (at: string, costMicroCents: bigint, fields: Partial<Settlement> = {}) =>
      ledger.settle(
        settlementOf(account, {
          requestId: newRequestId(),
          createdAt: new Date(at),
          costMicroCents,
          usage: { ...NO_USAGE, inputUncached: 10, cacheRead: 7, cacheWrite: 3, output: 5 },
          ...fields,
        }),
      );
    const storedLines = () =>
      db.query<Line>(
        `SELECT * FROM statement_lines ORDER BY month, user_id, key_id, model COLLATE "C", of_month`,
      );
    const readLines = async (now: string) =>
      db.query<Line>(
        `WITH ${allLinesSql()} SELECT * FROM lines ORDER BY month, user_id, key_id, model COLLATE "C", of_month`,
        monthParams(await readStatementCalendar(db, zone, new Date(now))),
      );
    const close = (now: string) => closeMonths(db, zone, new Date(now));
    const sum = (lines: readonly Line[], of: (line: Line) => bigint = (line) => line.cost_micro_cents) =>
      lines.reduce((all, line) => all + of(line), 0n);
    const used = async () => {
      const [row] = await db.query<{ used: bigint; requests: bigint }>(
        "SELECT used_micro_cents AS used, request_count AS requests FROM users WHERE id = $1",
        [account.userId],
      );
      return row;
    };
    /** What the ledger has of a month of the zone, from the single requests. */
    const chargedIn = async (month: string) => {
      const [row] = await db.query<{ cost: string }>(
        `SELECT coalesce(sum(cost_micro_cents), 0)::text AS cost FROM request_log
         WHERE to_char(created_at AT TIME ZONE $1::text, 'YYYY-MM') = $2`,
        [zone, month],
      );
      return BigInt(row?.cost ?? "");
    };
    const expectBooks = async (now: string) => {
      const lines = await readLines(now);
      expect({ used: sum(lines), requests: sum(lines, (line) => line.requests) }).toEqual(await used());
      expect((await reconcile(db)).ok).toBe(true);
    };

    test("a month with a price change and a deleted key closes to the micro-cent of the ledger", async () => {
      await settle("2026-08-31T15:59:00Z", 101n);
      await settle("2026-08-31T16:01:00Z", 103n);
      await settle("2026-08-31T18:29:00Z", 107n);
      await settle("2026-08-31T18:31:00Z", 109n, { keyId: account.keyIds[1] ?? "" });
      await settle("2026-09-10T10:00:00Z", 1_000_003n);
      await settle("2026-09-20T10:00:00Z", 2_000_005n, { priceVersion: 2, model: 'Émile, "b"' });
      await settle("2026-09-20T10:00:00Z", 0n, {
        status: "error",
        httpStatus: 429,
        errorCode: "RATE_LIMITED",
        billingSource: "none",
      });
      await settle("2026-09-30T16:01:00Z", 11n);
      await settle("2026-09-30T23:59:00Z", 13n);
      await db.query("UPDATE api_keys SET deleted_at = now() WHERE id = $1", [account.keyIds[1] ?? ""]);
      await expectBooks("2026-10-01T23:00:00Z");
      expect(await close("2026-10-01T12:00:00Z")).toEqual(["2026-08"]);
      expect(await close("2026-10-02T01:00:00Z")).toEqual(["2026-09"]);
      await expectBooks("2026-10-02T01:00:00Z");
      const lines = await storedLines();
      for (const month of ["2026-08", "2026-09"]) {
        const cost = sum(lines.filter((line) => line.month === month));
        expect(cost).toBe(await chargedIn(month));
        expect(cost).not.toBe(0n);
      }
      expect(lines.every((line) => line.month === line.of_month)).toBe(true);
      const [line] = lines;
      expect(line).toMatchObject({ cache_read_tokens: 7n * (line?.requests ?? 0n) });
    });

    test("the checksum is that of its lines in order", async () => {
      const closed = await db.query<{ month: string; sha256: Uint8Array }>(
        "SELECT month, sha256 FROM statements",
      );
      expect(closed).toHaveLength(2);
      for (const { month, sha256 } of closed) {
        const text = (await storedLines())
          .filter((line) => line.month === month)
          .map((line) =>
            [
              month,
              line.of_month,
              line.user_id,
              line.key_id,
              line.model,
              line.requests,
              line.input_tokens,
              line.cache_read_tokens,
              line.cache_write_tokens,
              line.output_tokens,
              line.cost_micro_cents,
            ].join(","),
          );
        const expected = createHash("sha256")
          .update(text.map((one) => `${one}\n`).join(""))
          .digest("hex");
        expect(Buffer.from(sha256).toString("hex")).toBe(expected);
      }
    });

    test("what settles late stands in the next month under its own, and the closed one stays as it was", async () => {
      const before = await storedLines();
      const statements = await db.query("SELECT * FROM statements ORDER BY month");
      await settle("2026-09-10T11:00:00Z", 17n);
      await settle("2026-08-15T11:00:00Z", 19n, { model: "late-model" });
      await settle("2026-10-05T11:00:00Z", 23n);
      await expectBooks("2026-10-06T00:00:00Z");
      const open = (await readLines("2026-10-06T00:00:00Z")).filter((line) => line.month === "2026-10");
      const late = open.filter((line) => line.of_month !== "2026-10");
      expect(late.map((line) => [line.of_month, line.model, line.requests, line.cost_micro_cents])).toEqual(
        expect.arrayContaining([
          ["2026-09", "gpt-main", 1n, 17n],
          ["2026-08", "late-model", 1n, 19n],
        ]),
      );
      expect(late).toHaveLength(2);
      // Between the end of a month and its closing two months are open; what is late belongs to the first.
      await settle("2026-11-01T12:00:00Z", 29n);
      const both = await readLines("2026-11-01T13:00:00Z");
      expect(sum(both.filter((line) => line.month === "2026-11"))).toBe(29n);
      expect(both.filter((line) => line.of_month < line.month).map((line) => line.month)).toEqual([
        "2026-10",
        "2026-10",
      ]);
      const shown = both.filter((line) => line.month === "2026-10");
      expect(await close("2026-11-03T00:00:00Z")).toEqual(["2026-10"]);
      const after = await storedLines();
      expect(after.filter((line) => line.month === "2026-10")).toEqual(shown);
      expect(after.filter((line) => line.month < "2026-10")).toEqual(before);
      expect((await db.query("SELECT * FROM statements ORDER BY month")).slice(0, 2)).toEqual(statements);
      await expectBooks("2026-11-03T00:00:00Z");
    });

    test("is the same from the roll-ups of four hours", async () => {
      await settle("2026-11-03T01:00:00Z", 37n);
      const before = await readLines("2026-11-04T00:00:00Z");
      const lateBefore = await compactRollups(db);
      expect(lateBefore.getTime()).toBeGreaterThan(opened.getTime());
      expect(await readLines("2026-11-04T00:00:00Z")).toEqual(before);
      // A settlement into what is folded.
      await settle("2026-09-30T18:31:00Z", 41n);
      await settle("2026-09-30T18:29:00Z", 43n);
      await expectBooks("2026-11-04T00:00:00Z");
      const late = (await readLines("2026-11-04T00:00:00Z")).filter(
        (line) => line.month === "2026-11" && line.of_month < line.month,
      );
      expect(sum(late)).toBe(84n);
      const months =
        zone === "UTC" ? ["2026-09"] : zone === "Asia/Kolkata" ? ["2026-09", "2026-10"] : ["2026-10"];
      expect(late.map((line) => line.of_month)).toEqual(months);
    });

    test("closings at the same time make each month once, in their order", async () => {
      const now = "2026-12-31T00:00:00Z";
      const all = await Promise.all(Array.from({ length: 4 }, () => close(now)));
      expect(all.flat().sort()).toEqual(["2026-11"]);
      expect(await close(now)).toEqual([]);
      await expectBooks(now);
      await expect(db.query("DELETE FROM statement_lines")).rejects.toThrow();
      await expect(db.query("UPDATE statements SET month = 'x'")).rejects.toThrow();
    });

    test("after a change of the zone months have no gap", async () => {
      const other = zone === "UTC" ? "Asia/Shanghai" : "UTC";
      expect(await closeMonths(db, other, new Date("2027-01-03T00:00:00Z"))).toEqual(["2026-12"]);
      const rows = await db.query<{ starts_at: Date; ends_at: Date }>(
        "SELECT starts_at, ends_at FROM statements ORDER BY month",
      );
      for (const [index, { starts_at }] of rows.entries())
        if (index > 0) expect(starts_at).toEqual(rows[index - 1]?.ends_at);
      expect((await reconcile(db)).ok).toBe(true);
    });

    test("a stored line that has more than was used is reported", async () => {
      await db.query(
        `INSERT INTO statement_lines SELECT month, of_month, user_id, key_id, 'never-used', 1, 0, 0, 0, 0, 5
         FROM statement_lines LIMIT 1`,
      );
      const { mismatches } = await reconcile(db);
      const counter = (await used())?.used ?? 0n;
      expect(mismatches).toEqual([
        {
          kind: "account_statements",
          id: account.userId,
          counterMicroCents: counter,
          sumMicroCents: counter + 5n,
        },
      ]);
    });
  });
});
