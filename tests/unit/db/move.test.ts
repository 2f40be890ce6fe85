import { expect, test } from "vitest";
import { reconcile } from "@/lib/billing/reconcile";
import type { Database } from "@/lib/db/database";
import { MoveMismatchError, type MoveProgress, moveDatabase, TargetNotEmptyError } from "@/lib/db/move";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
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
    const [rule] = await source.query<{ id: string }>(
      `INSERT INTO budgets (name, scope, user_id, unit, period, time_zone, limit_amount)
       VALUES ('r', 'account', $1, 'money', 'total', 'UTC', 100) RETURNING id`,
      [account.userId],
    );
    const set = [{ budgetId: rule?.id ?? "", member: NO_MEMBER }];
    const budgets = { set, expectedMicroCents: 7n, mostTokens: 1, expectedTokens: 1 };
    const hold = { keyId: account.keyIds[0] ?? "", userId: account.userId, amountMicroCents: 7n, budgets };
    await ledger.hold({ ...hold, requestId: requestId() });
    await ledger.drain();
    await source.query(
      "INSERT INTO nodes (name, protocol, provider, base_url, credential) VALUES ('n', 'chat', 'vllm', 'http://x', $1)",
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
    expect(await target.query("SELECT provider, encode(credential, 'hex') AS hex FROM nodes")).toEqual([
      { provider: "vllm", hex: "0001feff" },
    ]);
    const next =
      "INSERT INTO budget_windows (budget_id, starts_at, ends_at) VALUES ($1, now(), now() + interval '1 day') RETURNING id";
    expect(await target.query("SELECT id, held FROM budget_windows")).toEqual([{ id: 1n, held: 7n }]);
    expect(await target.query(next, [rule?.id ?? ""])).toEqual([{ id: 2n }]);
    const inDefault = await target.query("SELECT count(*) AS rows FROM request_log_default");
    expect(inDefault).toEqual([{ rows: 0n }]);

    await expect(moveDatabase(source, target, () => {})).rejects.toBeInstanceOf(TargetNotEmptyError);
    await source.close();
    await target.close();
  },
);

/** Runs a move that is interrupted when the request log has been copied. */
async function interrupted(source: Database, target: Database): Promise<void> {
  const interrupt = (progress: MoveProgress): void => {
    if (progress.table === "usage_rollups") throw new Error("interrupted");
  };
  await expect(moveDatabase(source, target, interrupt)).rejects.toThrow("interrupted");
}

test.skipIf(without !== "")(
  `what was changed between an interrupted move and the next one is moved as it is now${without}`,
  async () => {
    const source = await openEmbeddedTestDatabase();
    const target = await openPostgresTestDatabase();
    const account = await makeAccount(source, { account: 10_000_000n, keys: [1_000_000n, 1_000_000n] });
    await source.query(
      "INSERT INTO nodes (name, protocol, base_url) VALUES ('gone', 'chat', 'http://x'), ('kept', 'chat', 'http://x')",
    );
    await interrupted(source, target);

    const [revoked, disabled] = account.keyIds;
    await source.query("UPDATE api_keys SET deleted_at = now(), key_hash = $2 WHERE id = $1::uuid", [
      revoked ?? "",
      Buffer.from("revoked"),
    ]);
    await source.query("UPDATE api_keys SET status = 'disabled' WHERE id = $1::uuid", [disabled ?? ""]);
    await source.query("DELETE FROM nodes WHERE name = 'gone'");
    const ledger = await openTestLedger(source);
    await ledger.settle(settlementOf({ ...account, keyIds: [disabled ?? ""] }, { requestId: requestId() }));
    await ledger.drain();
    await moveDatabase(source, target, () => {});

    const everything =
      "SELECT id, status, deleted_at IS NULL AS there, encode(key_hash, 'hex') AS hash FROM api_keys ORDER BY id";
    expect(await target.query(everything)).toEqual(await source.query(everything));
    expect(await target.query("SELECT name FROM nodes")).toEqual([{ name: "kept" }]);
    expect(await reconcile(target)).toEqual(await reconcile(source));
    expect(await target.query("SELECT name FROM settings")).toEqual(
      await source.query("SELECT name FROM settings"),
    );
    await source.close();
    await target.close();
  },
);

test.skipIf(without !== "")(
  `a row that is another on the other side ends the move, however often it is tried${without}`,
  async () => {
    const source = await openEmbeddedTestDatabase();
    const target = await openPostgresTestDatabase();
    const { userId } = await makeAccount(source, { account: 10_000_000n, keys: [1_000_000n] });
    const grant =
      "INSERT INTO quota_grants (user_id, kind, amount_micro_cents, reason) VALUES ($1::uuid, 'grant', 5, $2)";
    await source.query(grant, [userId, "asked for"]);
    await interrupted(source, target);
    await target.query("ALTER TABLE quota_grants DISABLE TRIGGER USER");
    await target.query("UPDATE quota_grants SET reason = 'another' WHERE reason = 'asked for'");
    for (let tries = 0; tries < 2; tries += 1)
      await expect(moveDatabase(source, target, () => {})).rejects.toBeInstanceOf(MoveMismatchError);
    await source.close();
    await target.close();
  },
);
