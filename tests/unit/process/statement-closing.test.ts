import { beforeAll, expect, test } from "vitest";
import type { Database } from "@/lib/db/database";
import { recordHeartbeat } from "@/lib/db/replicas";
import type { Runtime } from "@/lib/gateway/runtime";
import { closeStatements } from "@/lib/process/statement-closing";
import { monthAfter } from "@/lib/reports/statements/calendar";
import { makeAccount } from "@/tests/support/billing";
import { forEachDatabaseInAll } from "@/tests/support/database";

/** Source: docs/budgets.md#statements. */
await forEachDatabaseInAll((kind, open) => {
  let db: Database;
  const said: unknown[][] = [];
  beforeAll(async () => {
    db = await open();
    await makeAccount(db, { account: 1n, keys: [1n] });
    await db.query("UPDATE users SET created_at = now() - interval '70 days'");
  });

  /** The parts of a runtime that the job uses. */
  const parts = (database: Database = db) =>
    ({
      db: database,
      settings: { reportTimezone: "UTC" },
      log: { info: (...all: unknown[]) => said.push(all), error: (...all: unknown[]) => said.push(all) },
    }) as unknown as Runtime;
  const closed = () => db.query<{ month: string }>("SELECT month FROM statements ORDER BY month");

  test.skipIf(kind === "embedded")("a process that is not the oldest closes nothing", async () => {
    await recordHeartbeat(db, "older");
    await closeStatements(parts(), "younger");
    expect(await closed()).toEqual([]);
    await db.query("DELETE FROM instances");
  });

  test("the oldest process closes what may be closed by the clock of the database", async () => {
    await recordHeartbeat(db, "mine");
    await closeStatements(parts(), "mine");
    const months = (await closed()).map(({ month }) => month);
    const thisMonth = new Date().toISOString().slice(0, 7);
    expect(months).toContain(monthAfter(thisMonth, -2));
    expect(months).not.toContain(thisMonth);
    expect(said).toEqual([[{ months }, expect.stringContaining("closed")]]);
    await closeStatements(parts(), "mine");
    expect(said).toHaveLength(1);
  });

  test("a failure is logged and tried again", async () => {
    const broken = { ...db, kind: "embedded" as const, query: () => Promise.reject(new Error("cut")) };
    await closeStatements(parts(broken), "mine");
    expect(said.at(-1)?.[1]).toContain("failed");
  });
});
