import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { reconcile } from "@/lib/billing/reconcile";
import { openDatabase } from "@/lib/db/client";
import { bundle } from "@/scripts/bundle.mjs";
import { makeAccount, openTestLedger, requestId, settlementOf } from "@/tests/support/billing";
import { embeddedDirectory } from "@/tests/support/database";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** Runs the bundled command, as npm does. */
function run(dataDir: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const source = `import("./dist/db-move.js")
    .then(({ moveTo }) => moveTo(process.argv[1], console.log))
    .then(console.log, (error) => { console.log(error.message); process.exitCode = 1; });`;
  const child = spawn(process.execPath, ["-e", source, ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}

test.skipIf(without !== "")(
  `db:move refuses what would lose data, and moves the rest with its sums${without}`,
  { timeout: 120_000 },
  async () => {
    await bundle();
    const dataDir = await embeddedDirectory();
    const url = await createTestDatabase();
    const nowhere = await run(`${dataDir}-nothing`, [url]);
    expect([nowhere.code, nowhere.output]).toEqual([1, expect.stringContaining("no embedded database in")]);
    const refused = await run(dataDir, ["postgres://nobody@127.0.0.1:1/nothing"]);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining("cannot be opened: ")]);

    const source = await openDatabase({ url: null, dataDir });
    const account = await makeAccount(source, { account: 10_000_000n, keys: [1_000_000n] });
    const ledger = await openTestLedger(source);
    await ledger.settle(settlementOf(account, { requestId: requestId() }));
    await ledger.drain();
    const running = await run(dataDir, [url]);
    expect(running.output).toContain(`in use by process ${process.pid}`);
    expect(running.code).toBe(1);
    const before = await reconcile(source);
    await source.close();

    const moved = await run(dataDir, [url]);
    expect([moved.code, moved.output]).toEqual([0, expect.stringContaining("every row and sum agrees")]);
    expect(moved.output).toMatch(/usage_ledger +1 of 1\n/);
    const tables = moved.output.split("\n").filter((line) => / of \d+$/.test(line));
    expect(tables.length).toBeGreaterThan(10);
    expect(tables, "each table once").toEqual([...new Set(tables)]);
    const target = await openDatabase({ url, dataDir });
    expect(await reconcile(target)).toEqual(before);
    await target.close();
    const again = await run(dataDir, [url]);
    expect([again.code, again.output]).toEqual([1, expect.stringContaining("already holds accounts")]);
    await dropTestDatabase(url);
    rmSync(dataDir, { recursive: true, force: true });
  },
);
