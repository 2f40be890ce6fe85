// A process that holds, settles and releases on one shared rule until it has done so many operations, and prints what
// became of them. Arguments: the database's URL, the rule, the account, its keys with commas between them, operations.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Ledger } from "@/lib/billing/ledger";
import { openDatabase } from "@/lib/db/client";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
import { newRequestId } from "@/lib/kernel/request-id";
import { TestLedger } from "./billing";
import { settlementFields } from "./settlement-fields";

/** What became of the operations of a process. Units: `used` in micro-cents. */
export interface WorkerReport {
  operations: number;
  held: number;
  refused: number;
  used: number;
}

const AT_ONCE = 48;
const MOST = 9;

const [, , url = "", budgetId = "", userId = "", keys = "", operations = "0"] = process.argv;
const keyIds = keys.split(",");
const database = await openDatabase({ url, dataDir: "unused", poolSize: 4 });
const spoolDirectory = mkdtempSync(path.join(process.env.TMPDIR ?? tmpdir(), "spool-"));
const ledger = new TestLedger(
  await Ledger.open({
    database,
    instanceId: `worker-${process.pid}`,
    quotaStrict: false,
    spoolDirectory,
    spoolBytes: 256 * 1024,
    holdBudgetMs: 60_000,
    maxHoldMs: 60_000,
    settleBudgetMs: 60_000,
    onEvent: () => {},
  }),
);
const set = [{ budgetId, member: NO_MEMBER }];
const report: WorkerReport = { operations: 0, held: 0, refused: 0, used: 0 };
const upTo = (most: number) => Math.floor(Math.random() * (most + 1));

async function work(): Promise<void> {
  while (report.operations < Number(operations)) {
    const requestId = newRequestId();
    const keyId = keyIds[upTo(keyIds.length - 1)] ?? "";
    const amount = 1 + upTo(MOST - 1);
    const amountMicroCents = BigInt(amount);
    const budgets = { set, expectedMicroCents: amountMicroCents, mostTokens: 1, expectedTokens: 1 };
    report.operations += 1;
    const { held } = await ledger.hold({ requestId, keyId, userId, amountMicroCents, budgets });
    if (held) await end(requestId, keyId, amount);
    report[held ? "held" : "refused"] += 1;
  }
}

/** One in eight is released; the others cost no more than they hold. */
async function end(requestId: string, keyId: string, amount: number): Promise<void> {
  report.operations += 1;
  if (upTo(7) === 0) {
    await database.query("SELECT quota_release($1, $2, $3)", [requestId, keyId, userId]);
    return;
  }
  const cost = upTo(amount);
  report.used += cost;
  const createdAt = new Date();
  await ledger.settle({
    ...settlementFields,
    requestId,
    keyId,
    userId,
    createdAt,
    costMicroCents: BigInt(cost),
  });
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
await ledger.drain();
await database.close();
process.stdout.write(JSON.stringify(report));
