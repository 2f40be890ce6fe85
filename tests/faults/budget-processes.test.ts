import { spawn } from "node:child_process";
import path from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reconcile } from "@/lib/billing/reconcile";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { makeAccount } from "@/tests/support/billing";
import type { WorkerReport } from "@/tests/support/budget-worker";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";

const PROCESSES = 8;
const OPERATIONS = 12_500;
const KEYS = 8;
const PLENTY = 10n ** 15n;
/** The limit is raised by so much whenever it is reached, so that every process is always at it. */
const STEP = 100n;
const postgres = await postgresServer();
const without = "unavailable" in postgres ? ` (${postgres.unavailable})` : "";

/** Source: docs/budgets.md#batch. */
describe.skipIf(without !== "")(`a hard rule that ${PROCESSES} processes share${without}`, () => {
  const script = path.join("dist", "tests", "budget-worker.mjs");
  let url: string;
  let database: Database;
  beforeAll(async () => {
    url = await createTestDatabase();
    database = await openDatabase({ url, dataDir: runDirectory() });
    buildSync({
      entryPoints: ["tests/support/budget-worker.ts"],
      outfile: script,
      bundle: true,
      packages: "external",
      alias: { "@": process.cwd() },
      platform: "node",
      format: "esm",
      logLevel: "warning",
    });
  });
  afterAll(async () => {
    await database.close();
    await dropTestDatabase(url);
  });

  test(`is passed by nothing in ${PROCESSES * OPERATIONS} operations at its limit, which rises`, async () => {
    const account = await makeAccount(database, {
      account: PLENTY,
      keys: Array.from({ length: KEYS }, () => PLENTY),
    });
    const [rule] = await database.query<{ id: string }>(
      `INSERT INTO budgets (name, scope, user_id, unit, period, time_zone, limit_amount, mode)
       VALUES ('shared', 'account', $1, 'money', 'month', 'Asia/Shanghai', $2, 'hard') RETURNING id`,
      [account.userId, STEP],
    );
    const budgetId = rule?.id ?? "";
    let running = true;
    const args = [url, budgetId, account.userId, account.keyIds.join(","), String(OPERATIONS)];
    const ended = Promise.all(Array.from({ length: PROCESSES }, () => runWorker(args))).finally(() => {
      running = false;
    });
    const seen = { samples: 0, above: 0, raised: 0 };
    while (running) {
      const found = await taken(budgetId);
      seen.samples += 1;
      if (found.taken > found.most) seen.above += 1;
      if (found.most - found.taken > STEP / 10n) continue;
      await database.query("UPDATE budgets SET limit_amount = limit_amount + $2 WHERE id = $1", [
        budgetId,
        STEP,
      ]);
      seen.raised += 1;
    }
    const reports = await ended;
    const sum = (of: (report: WorkerReport) => number) =>
      reports.reduce((total, report) => total + of(report), 0);

    expect(seen.above).toBe(0);
    expect(seen.raised).toBeGreaterThan(10);
    expect(sum(({ operations }) => operations)).toBeGreaterThanOrEqual(PROCESSES * OPERATIONS);
    for (const { held, refused } of reports) {
      expect(held).toBeGreaterThan(0);
      expect(refused).toBeGreaterThan(0);
    }
    const { taken: used, most, held } = await taken(budgetId);
    expect({ used, held }).toEqual({ used: BigInt(sum((report) => report.used)), held: 0n });
    expect(used).toBeLessThanOrEqual(most);
    expect(await reconcile(database)).toMatchObject({ ok: true, openHolds: 0 });
    const made = sum((report) => report.held);
    process.stdout.write(
      `${made} holds made, ${sum(({ refused }) => refused)} refused, ${seen.samples} samples, limit raised ${seen.raised} times: never passed\n`,
    );
  });

  /** What is used and held of the rule, and its limit, in one snapshot. */
  async function taken(budgetId: string): Promise<{ taken: bigint; most: bigint; held: bigint }> {
    const [row] = await database.query<{ taken: bigint; most: bigint; held: bigint }>(
      `SELECT coalesce(w.used + w.held, 0) AS taken, b.limit_amount AS most, coalesce(w.held, 0) AS held
       FROM budgets b LEFT JOIN budget_windows w ON w.budget_id = b.id WHERE b.id = $1`,
      [budgetId],
    );
    return row ?? { taken: 0n, most: 0n, held: 0n };
  }

  async function runWorker(args: string[]): Promise<WorkerReport> {
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, TMPDIR: runDirectory() },
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (bytes) => {
      output += bytes;
    });
    child.stderr.on("data", (bytes) => {
      errors += bytes;
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    if (code !== 0) throw new Error(`a process ended with ${code}: ${errors}`);
    return JSON.parse(output);
  }
});
