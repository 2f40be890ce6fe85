import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { HOUR_MS } from "@/lib/kernel/durations";
import { newRequestId } from "@/lib/kernel/request-id";
import { clientOf, type LogFilter } from "@/lib/reports/log-filter";
import { readLogValues } from "@/lib/reports/log-values";
import { readLogVolume } from "@/lib/reports/log-volume";
import { listLogs } from "@/lib/reports/logs";
import {
  makeAccount,
  openTestLedger,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

const now = new Date("2026-11-21T10:07:30.000Z");

const clients: [userAgent: string, client: string | null][] = [
  ["OpenAI/Python 1.109.1", "OpenAI/Python"],
  ["claude-cli/2.0.14 (external, cli)", "claude-cli"],
  ["codex_cli_rs/0.50.0 (Debian 12; x86_64) xterm", "codex_cli_rs"],
  ["ai-sdk/openai/v2.0.1", "ai-sdk/openai"],
  ["node", "node"],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36", "Mozilla"],
  ["(unknown)", null],
  ["", null],
];

await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  let ledger: TestLedger;
  let account: TestAccount;
  const filterOf = (filter: LogFilter): LogFilter => ({ userId: account.userId, ...filter });

  beforeAll(async () => {
    db = await open();
    await makePartitions(db, new Date(now.getTime() - 24 * HOUR_MS), now);
    ledger = await openTestLedger(db);
    account = await makeAccount(db, { account: 10_000_000n, keys: [5_000_000n] });
    const stranger = await makeAccount(db, { account: 10_000_000n, keys: [5_000_000n] });
    const settle = (owner: TestAccount, fields: Partial<Settlement>) =>
      ledger.settle(settlementOf(owner, { requestId: newRequestId(), createdAt: now, ...fields }));
    for (const [userAgent] of clients) await settle(account, { userAgent, protocol: "chat", stream: false });
    const refused = { status: "error", httpStatus: 402, errorCode: "QUOTA_EXCEEDED" } as const;
    const gone = { status: "cancelled", httpStatus: 499 } as const;
    const python = "OpenAI/Python 2.0.0";
    await settle(account, { userAgent: python, protocol: "responses", stream: true, ...refused });
    await settle(account, { userAgent: python, protocol: "messages", stream: true, ...gone });
    await settle(account, { userAgent: null, protocol: "messages", stream: false });
    await settle(stranger, { userAgent: "stranger/1.0", protocol: "messages", stream: true });
  });
  afterAll(() => ledger.drain());

  describe("the log", () => {
    test.each([
      [{ protocol: "messages" }, 2],
      [{ protocol: "responses", stream: true }, 1],
      [{ stream: false }, clients.length + 1],
      [{ httpStatus: 402 }, 1],
      [{ httpStatus: 499 }, 1],
      [{ httpStatus: 200 }, clients.length + 1],
      [{ client: "OpenAI/Python" }, 3],
      [{ client: "OpenAI" }, 0],
      [{ client: "node", protocol: "messages" }, 0],
    ] satisfies [LogFilter, number][])("is narrowed by %j, as its bars are", async (filter, expected) => {
      const { data, total } = await listLogs(db, filterOf(filter), { page: 1, pageSize: 100 });
      expect([data.length, total]).toEqual([expected, expected]);
      const { buckets } = await readLogVolume(db, filterOf(filter), "UTC", now);
      expect(buckets.reduce((sum, { requestCount }) => sum + requestCount, 0)).toBe(expected);
    });

    test.each(clients)("knows the client of the user agent %j", async (userAgent, client) => {
      expect(clientOf(userAgent)).toBe(client);
      const filter = filterOf({ client: client ?? "none" });
      const { data } = await listLogs(db, filter, { page: 1, pageSize: 100 });
      expect(data.length).toBe(client === null ? 0 : client === "OpenAI/Python" ? 3 : 1);
    });
  });

  describe("the values of the log", () => {
    test("are counted over one's own requests, the most frequent first", async () => {
      const values = await readLogValues(db, filterOf({}));
      expect([values.counted, values.complete]).toEqual([clients.length + 3, true]);
      expect(values.protocol).toEqual([
        { value: "chat", count: clients.length },
        { value: "messages", count: 2 },
        { value: "responses", count: 1 },
      ]);
      expect(values.stream).toEqual([
        { value: "false", count: clients.length + 1 },
        { value: "true", count: 2 },
      ]);
      expect(values.client[0]).toEqual({ value: "OpenAI/Python", count: 3 });
      expect(values.client.map(({ value }) => value)).not.toContain("stranger");
      expect(values.errorCode).toEqual([{ value: "QUOTA_EXCEEDED", count: 1 }]);
      expect(values.httpStatus.map(({ value }) => value)).toEqual(["200", "402", "499"]);
    });

    test("are counted over the requests that have the wanted values of the other fields", async () => {
      const values = await readLogValues(db, filterOf({ protocol: "messages", stream: true }));
      expect(values.protocol).toEqual([
        { value: "messages", count: 1 },
        { value: "responses", count: 1 },
      ]);
      expect(values.stream).toEqual([
        { value: "false", count: 1 },
        { value: "true", count: 1 },
      ]);
      expect(values.httpStatus).toEqual([{ value: "499", count: 1 }]);
      expect((await readLogValues(db, filterOf({ model: "no-such-model" }))).counted).toBe(0);
    });
  });
});
