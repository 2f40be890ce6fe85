import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { reconcile } from "@/lib/billing/reconcile";
import type { Database } from "@/lib/db/database";
import {
  countersOf,
  makeAccount,
  openTestLedger,
  requestId,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "@/tests/support/billing";
import { forEachDatabase } from "@/tests/support/database";
import { anyStep, ComparedAccount } from "@/tests/support/ledger-steps";

const KEYS = 3;
/** Requests of one history. */
const REQUESTS = 16;
const RUNS = Number(process.env.LEDGER_MODEL_RUNS ?? 60);
const WORKERS = 40;
/** Rounds of a worker, each a hold and its settlement; the accounts' quotas grow with them. */
const ROUNDS = Math.ceil(RUNS / 4);
const ACCOUNT_QUOTA = BigInt(ROUNDS) * 333n;

await forEachDatabase((_kind, open) => {
  let database: Database;
  let ledger: TestLedger;
  beforeAll(async () => {
    database = await open();
    ledger = await openTestLedger(database);
    return () => ledger.drain();
  });

  /** Source: docs/reliability.md#r-157. */
  test(`${RUNS} random histories of one account end and answer as in a single-threaded model`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep(REQUESTS), { maxLength: 60 }), async (steps) => {
        const account = await ComparedAccount.make(database, ledger, REQUESTS);
        for (const step of steps) await account.act(step);
        await account.expectSame();
      }),
      { numRuns: RUNS },
    );
  });

  test(`random work of ${WORKERS * ROUNDS} requests on eight accounts at once keeps every sum, and never goes beyond a quota`, async () => {
    const accounts = await Promise.all(
      Array.from({ length: 8 }, () =>
        makeAccount(database, { account: ACCOUNT_QUOTA, keys: Array(KEYS).fill((ACCOUNT_QUOTA * 2n) / 5n) }),
      ),
    );
    const random = seeded(20261121);
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const account = accounts[Math.floor(random() * accounts.length)];
          if (account) await oneRequest(account, random);
        }
      }),
    );
    for (const account of accounts) {
      const counters = await countersOf(database, account);
      expect(counters.account.held).toBe(0n);
      expect(counters.account.used <= ACCOUNT_QUOTA).toBe(true);
      expect(counters.keys.reduce((sum, one) => sum + (one?.used ?? 0n), 0n)).toBe(counters.account.used);
    }
    expect(await reconcile(database)).toMatchObject({ mismatches: [] });
  });

  async function oneRequest(account: TestAccount, random: () => number): Promise<void> {
    const id = requestId();
    const keyId = account.keyIds[Math.floor(random() * KEYS)] ?? "";
    const amount = BigInt(1 + Math.floor(random() * 90));
    const outcome = await ledger.hold({
      requestId: id,
      keyId,
      userId: account.userId,
      amountMicroCents: amount,
    });
    if (!outcome.held) return;
    const cost = (outcome.heldMicroCents * BigInt(Math.floor(random() * 101))) / 100n;
    const settlement = settlementOf(account, { requestId: id, keyId, costMicroCents: cost });
    await ledger.settle(settlement);
    if (random() < 0.1) expect(await ledger.settle(settlement)).toBe("duplicate");
  }
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
