import { beforeAll, expect, test } from "vitest";
import type { Ledger } from "@/lib/billing/ledger";
import type { Database } from "@/lib/db/client";
import { makeAccount, openTestLedger, requestId, settlementOf } from "@/tests/support/billing";
import { forEachDatabase } from "@/tests/support/database";

await forEachDatabase((_kind, open) => {
  let database: Database;
  let ledger: Ledger;
  beforeAll(async () => {
    database = await open();
    ledger = await openTestLedger(database);
  });

  test("a quota of seven holds admits exactly seven of 200 parallel requests", async () => {
    const account = await makeAccount(database, { account: 10_000n, keys: [700n] });
    const [keyId = ""] = account.keyIds;
    const ids = Array.from({ length: 200 }, requestId);
    const outcomes = await Promise.all(
      ids.map((id) => ledger.hold({ requestId: id, keyId, userId: account.userId, amountMicroCents: 100n })),
    );
    expect(outcomes.filter((outcome) => outcome.held)).toHaveLength(7);
    expect(outcomes.filter((outcome) => !outcome.held && outcome.reason === "quota")).toHaveLength(193);
    await Promise.all(
      ids
        .slice(0, 7)
        .map((id) => ledger.settle(settlementOf(account, { requestId: id, costMicroCents: 100n }))),
    );
    expect(
      await database.query("SELECT used_micro_cents, held_micro_cents FROM api_keys WHERE id=$1", [keyId]),
    ).toEqual([{ used_micro_cents: 700n, held_micro_cents: 0n }]);
    expect(await ledger.settle(settlementOf(account, { requestId: ids[0] ?? "" }))).toBe("duplicate");
  });
});
