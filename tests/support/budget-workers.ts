import fc from "fast-check";
import { expect } from "vitest";
import type { LedgerWork } from "@/lib/billing/ledger-batch";
import { reconcile } from "@/lib/billing/reconcile";
import type { LedgerOutcome } from "@/lib/billing/settlement";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { openTestLedger, type TestLedger } from "./billing";
import { BudgetHistory } from "./budget-history";
import { anyRules, anyStep, MOST_RULES } from "./budget-steps";
import { CommonRules } from "./common-rules";

/** How many ledgers work, on how many histories each at the same time, and how long. */
export interface Campaign {
  workers: number;
  lanes: number;
  operations: number;
  /** Of one history. */
  steps: number;
}

/** Half of the ledgers let no last request pass. */
interface Worker {
  database: Database;
  ledger: TestLedger;
  strict: boolean;
}

const CHECKED_EVERY = 10;

/**
 * Random histories on their own rules, each as a single-threaded model; beside them all meet common rules, which refuse
 * nothing and whose day ends after a moment. Several histories share the batches of a ledger, all ledgers the windows of
 * the common rules. Throws: for the first difference, and for a dead lock. Returns what was done.
 */
export async function runBudgetWorkers(url: string, campaign: Campaign) {
  const side = await openDatabase({ url, dataDir: "unused" });
  const common = await CommonRules.make(side);
  const workers = await Promise.all(
    Array.from({ length: campaign.workers }, (_, index) => openWorker(url, campaign, index)),
  );
  const done = { operations: 0, histories: 0 };
  const history = async (worker: Worker, seed: number) => {
    const { database, ledger, strict } = worker;
    const shared = await common.current();
    const [declared] = fc.sample(anyRules(1, MOST_RULES - shared.length), { seed, numRuns: 1 });
    if (declared === undefined) throw new Error("there are rules");
    const options = { execute: throughLedger(ledger), strict, shared };
    const account = await BudgetHistory.make(database, options, declared);
    for (const [index, step] of fc.sample(anyStep, { seed, numRuns: campaign.steps }).entries()) {
      const operations = await account.act(step);
      done.operations += operations;
      if (index % CHECKED_EVERY === 0) await account.expectSame();
    }
    await account.expectSame();
    done.histories += 1;
  };
  const healing = common.expectNothingToHeal();
  try {
    const { workers: count, lanes } = campaign;
    await Promise.all(
      workers.flatMap((worker, index) =>
        Array.from({ length: lanes }, async (_, lane) => {
          for (let round = 0; done.operations < campaign.operations; round++)
            await history(worker, (round * count + index) * lanes + lane);
        }),
      ),
    );
  } finally {
    common.stop();
    await healing;
    for (const { database, ledger } of workers) {
      await ledger.drain();
      await database.close();
    }
  }
  const midnights = await common.expectSums();
  expect((await reconcile(side)).mismatches).toEqual([]);
  await side.close();
  return { ...done, midnights };
}

async function openWorker(url: string, { lanes }: Campaign, index: number): Promise<Worker> {
  const database = await openDatabase({ url, dataDir: "unused", poolSize: lanes });
  const strict = index % 2 === 1;
  const options = { instanceId: `worker-${index}`, quotaStrict: strict };
  return { database, ledger: await openTestLedger(database, options), strict };
}

/**
 * One after the other: a batch that repeats a settlement runs once more, behind one that was sent meanwhile, so that what
 * is sent at once keeps no order.
 */
function throughLedger(ledger: TestLedger) {
  return async (items: LedgerWork[]): Promise<LedgerOutcome[]> => {
    const outcomes: LedgerOutcome[] = [];
    for (const item of items) {
      const outcome =
        item.kind === "hold" ? await ledger.hold(item.hold) : await ledger.settle(item.settlement);
      if (outcome === "spooled") throw new Error("a settlement was not made at once");
      outcomes.push(outcome);
    }
    return outcomes;
  };
}
