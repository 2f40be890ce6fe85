import { spawn } from "node:child_process";
import path from "node:path";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";
import { sweepHolds } from "@/lib/billing/reaper";
import { reconcile } from "@/lib/billing/reconcile";
import { openDatabase } from "@/lib/db/client";
import { countersOf, makeAccount } from "@/tests/support/billing";
import { embeddedDirectory } from "@/tests/support/database";

test("an embedded database that was killed under load has every settlement it acknowledged, and sums that agree", async () => {
  const dataDir = await embeddedDirectory();
  const before = await openDatabase({ url: null, dataDir });
  const account = await makeAccount(before, { account: 10n ** 12n, keys: [10n ** 12n] });
  const [rule] = await before.query<{ id: string }>(
    `INSERT INTO budgets (name, scope, user_id, unit, period, time_zone, limit_amount)
     VALUES ('r', 'account', $1, 'money', 'month', 'UTC', 1000000000000) RETURNING id`,
    [account.userId],
  );
  await before.close();

  const acknowledged = await runAndKill([dataDir, account.userId, account.keyIds[0] ?? "", rule?.id ?? ""]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(200);

  const after = await openDatabase({ url: null, dataDir });
  const found = await after.query<{ request_id: string }>(
    "SELECT request_id FROM usage_ledger WHERE request_id = ANY($1)",
    [acknowledged],
  );
  expect(found).toHaveLength(acknowledged.length);
  await sweepHolds(after, "next");
  const { account: counters } = await countersOf(after, account);
  expect(counters.held).toBe(0n);
  expect(await after.query("SELECT used, held FROM budget_windows")).toEqual([
    { used: counters.used, held: 0n },
  ]);
  expect(await reconcile(after)).toMatchObject({ ok: true, openHolds: 0 });
  await after.close();
});

/** Starts the writer, kills it with SIGKILL after 200 acknowledgements, and returns what it acknowledged. */
async function runAndKill(args: string[]): Promise<string[]> {
  const script = path.join("dist", "tests", "embedded-writer.mjs");
  buildSync({
    entryPoints: ["tests/support/embedded-writer.ts"],
    outfile: script,
    bundle: true,
    packages: "external",
    alias: { "@": process.cwd() },
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (bytes) => {
    output += bytes;
    if (output.split("\n").length > 200) child.kill("SIGKILL");
  });
  await new Promise((resolve) => child.on("close", resolve));
  return output.split("\n").slice(0, -1);
}
