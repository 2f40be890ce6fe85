import { expect, test } from "vitest";
import { executeLedgerBatch, type LedgerWork } from "@/lib/billing/ledger-batch";
import { settlementRow } from "@/lib/billing/settlement";
import type { BatchValue, Database, Session } from "@/lib/db/database";
import { makeAccount, requestId, settlementOf, type TestAccount } from "@/tests/support/billing";
import { forEachDatabase } from "@/tests/support/database";

const SETTINGS = { instanceId: "this", quotaStrict: false, holdSeconds: 60 };
const KEYS = 300;
/** A few rows of each of the six tables. */
const MOST_READ = 60;

function holdOf(
  { userId }: TestAccount,
  keyId: string,
  requestId: string,
  amountMicroCents = 1n,
): LedgerWork {
  return { kind: "hold", hold: { requestId, keyId, userId, amountMicroCents } };
}

function settleOf(account: TestAccount, keyId: string, id: string): LedgerWork {
  const settlement = settlementOf(account, { requestId: id, keyId });
  return { kind: "settle", settlement, row: settlementRow(settlement) };
}

/** Rows that the statements of the open transaction have read, of all tables. */
async function rowsRead(session: Session): Promise<number> {
  const [row] = await session.query<{ rows: number }>(
    `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS rows FROM pg_stat_xact_user_tables`,
  );
  return row?.rows ?? Number.NaN;
}

/** Source: docs/adr/0007-batch-function-in-sql.md#decision. */
await forEachDatabase((_kind, open) => {
  test("a batch reads the rows of its own keys and requests, though the tables have grown since its statements were planned", async () => {
    const database = await open();
    const account = await makeAccount(database, { account: 10n ** 9n, keys: Array(KEYS).fill(10n ** 9n) });
    const [first = "", ...others] = account.keyIds;
    await database.session(async (session) => {
      const batches: Database = {
        ...database,
        batchQuery: <Row>(sql: string, values: readonly BatchValue[]) => session.query<Row>(sql, values),
      };
      const run = (items: LedgerWork[]) => executeLedgerBatch(batches, SETTINGS, items);
      const turn = async (keyIds: readonly string[]) => {
        const requests = keyIds.map((keyId) => ({ keyId, id: requestId() }));
        await run(requests.map(({ keyId, id }) => holdOf(account, keyId, id)));
        await run(requests.map(({ keyId, id }) => settleOf(account, keyId, id)));
        return requests;
      };
      await session.query("ANALYZE");
      await turn([first]);
      for (let times = 0; times < 4; times += 1) await turn(others);
      await run(others.map((keyId) => holdOf(account, keyId, requestId())));
      await session.query("BEGIN");
      const before = await rowsRead(session);
      const [{ id = "" } = {}] = await turn([first]);
      await run([settleOf(account, first, id), holdOf(account, first, requestId(), 10n ** 12n)]); // both are refused
      expect((await rowsRead(session)) - before).toBeLessThan(MOST_READ);
      await session.query("ROLLBACK");
    });
  });
});
