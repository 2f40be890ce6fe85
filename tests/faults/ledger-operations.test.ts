import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reconcile } from "@/lib/billing/reconcile";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { migrate } from "@/lib/db/migrate";
import { openTestLedger, type TestLedger } from "@/tests/support/billing";
import { anyStep, ComparedAccount, type Step } from "@/tests/support/ledger-steps";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";

const OPERATIONS = 100_000;
const WORKERS = 8;
/** Accounts on which a worker works at the same time, as a gateway does: their operations share batches. */
const LANES = 12;
const STEPS = 150;
const REQUESTS = 60;
const postgres = await postgresServer();
const without = "unavailable" in postgres ? ` (${postgres.unavailable})` : "";

interface Worker {
  database: Database;
  ledger: TestLedger;
}

/** Source: docs/reliability.md#r-157. */
describe.skipIf(without !== "")(`the ledger on PostgreSQL${without}`, () => {
  let url: string;
  let workers: Worker[];
  beforeAll(async () => {
    url = await createTestDatabase();
    const first = await openDatabase({ url, dataDir: "unused" });
    await migrate(first);
    await first.close();
    workers = await Promise.all(
      Array.from({ length: WORKERS }, async (_, index) => {
        const database = await openDatabase({ url, dataDir: "unused", poolSize: LANES });
        return { database, ledger: await openTestLedger(database, { instanceId: `worker-${index}` }) };
      }),
    );
  });
  afterAll(async () => {
    for (const { database, ledger } of workers) {
      await ledger.drain();
      await database.close();
    }
    await dropTestDatabase(url);
  });

  test(`does ${OPERATIONS} random operations on ${WORKERS} workers as a single-threaded model does, and every sum agrees`, async () => {
    const begun = performance.now();
    let done = 0;
    let accounts = 0;
    const history = async ({ database, ledger }: Worker, seed: number) => {
      const account = await ComparedAccount.make(database, ledger, REQUESTS);
      accounts += 1;
      for (const step of randomSteps(seed)) if (await account.act(step)) done += 1;
      await account.expectSame();
    };
    await Promise.all(
      workers.flatMap((worker, index) =>
        Array.from({ length: LANES }, async (_, lane) => {
          for (let round = 0; done < OPERATIONS; round++)
            await history(worker, round * WORKERS * LANES + index * LANES + lane);
        }),
      ),
    );
    const { mismatches } = await reconcile(firstOf(workers).database);
    expect(mismatches).toEqual([]);
    expect(done).toBeGreaterThanOrEqual(OPERATIONS);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    process.stdout.write(
      `${done} operations on ${accounts} accounts by ${WORKERS} workers in ${seconds} s: 0 differences from the model\n`,
    );
  });
});

/** The steps of one history, the same for the same seed. */
function randomSteps(seed: number): Step[] {
  return fc.sample(anyStep(REQUESTS), { seed, numRuns: STEPS });
}

function firstOf(workers: Worker[]): Worker {
  const [first] = workers;
  if (!first) throw new Error("there are workers");
  return first;
}
