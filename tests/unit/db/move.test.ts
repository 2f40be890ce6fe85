import { expect, test } from "vitest";
import { reconcile } from "@/lib/billing/reconcile";
import { type MoveProgress, moveDatabase, TargetNotEmptyError } from "@/lib/db/move";
import { countersOf, makeAccount, openTestLedger, requestId, settlementOf } from "@/tests/support/billing";
import { openEmbeddedTestDatabase, openPostgresTestDatabase } from "@/tests/support/database";
import { postgresServer } from "@/tests/support/postgres";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

test.skipIf(without !== "")(
  `an embedded database moves into PostgreSQL with every row and sum, also when it is interrupted${without}`,
  async () => {
    const source = await openEmbeddedTestDatabase();
    const target = await openPostgresTestDatabase();
    const account = await makeAccount(source, { account: 10_000_000n, keys: [1_000_000n, 1_000_000n] });
    const ledger = await openTestLedger(source);
    const old = Date.now() - 60 * 86_400_000;
    await Promise.all(
      Array.from({ length: 1_500 }, (_, index) =>
        ledger.settle(
          settlementOf(account, {
            requestId: requestId(),
            createdAt: new Date(old + index * 60_000),
            warnings: ['a "quoted", one'],
            userAgent: "漢 \\ x",
          }),
        ),
      ),
    );
    await ledger.drain();
    await source.query(
      "INSERT INTO nodes (name, protocol, base_url, credential) VALUES ('n', 'chat', 'http://x', $1)",
      [Buffer.from([0, 1, 254, 255])],
    );

    const interrupt = (progress: MoveProgress): void => {
      if (progress.table === "request_log" && progress.rows >= 1_000) throw new Error("interrupted");
    };
    await expect(moveDatabase(source, target, interrupt)).rejects.toThrow("interrupted");
    const last = new Map<string, MoveProgress>();
    await moveDatabase(source, target, (progress) => last.set(progress.table, progress));
    expect(last.get("request_log")).toEqual({ table: "request_log", rows: 1_500, total: 1_500 });

    expect(await countersOf(target, account)).toEqual(await countersOf(source, account));
    expect(await reconcile(target)).toEqual(await reconcile(source));
    const texts = "SELECT DISTINCT warnings, user_agent FROM request_log";
    expect(await target.query(texts)).toEqual(await source.query(texts));
    expect(await target.query("SELECT encode(credential, 'hex') AS hex FROM nodes")).toEqual([
      { hex: "0001feff" },
    ]);
    const inDefault = await target.query("SELECT count(*) AS rows FROM request_log_default");
    expect(inDefault).toEqual([{ rows: 0n }]);

    await expect(moveDatabase(source, target, () => {})).rejects.toBeInstanceOf(TargetNotEmptyError);
    await source.close();
    await target.close();
  },
);
