// A process that settles on an embedded database and prints each settlement, until it is killed. Arguments: the data
// directory, an account, its key and a rule of it.
import path from "node:path";
import { Ledger } from "@/lib/billing/ledger";
import { openDatabase } from "@/lib/db/client";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
import { newRequestId } from "@/lib/kernel/request-id";
import { TestLedger } from "./billing";
import { settlementFields } from "./settlement-fields";

const [, , dataDir = "", userId = "", keyId = "", budgetId = ""] = process.argv;
const database = await openDatabase({ url: null, dataDir });
const opened = await Ledger.open({
  database,
  instanceId: "writer",
  quotaStrict: false,
  spoolDirectory: path.join(dataDir, "spool"),
  spoolBytes: 256 * 1024,
  onEvent: () => {},
});
const ledger = new TestLedger(opened);
const set = [{ budgetId, member: NO_MEMBER }];
const budgets = { set, expectedMicroCents: 50n, mostTokens: 1, expectedTokens: 1 };

async function work(): Promise<never> {
  for (;;) {
    const requestId = newRequestId();
    await ledger.hold({ requestId, keyId, userId, amountMicroCents: 100n, budgets });
    await ledger.settle({ ...settlementFields, requestId, keyId, userId, createdAt: new Date() });
    process.stdout.write(`${requestId}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, work));
