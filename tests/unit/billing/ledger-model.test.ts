import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Ledger } from "@/lib/billing/ledger";
import { reconcile } from "@/lib/billing/reconcile";
import type { Database } from "@/lib/db/client";
import {
  countersOf,
  makeAccount,
  openTestLedger,
  requestId,
  settlementOf,
  type TestAccount,
} from "@/tests/support/billing";
import { forEachDatabase } from "@/tests/support/database";
import { LedgerModel } from "@/tests/support/ledger-model";

const KEYS = 3;
const RUNS = Number(process.env.LEDGER_MODEL_RUNS ?? 60);
const WORKERS = 40;
/** Rounds of a worker, each a hold and its settlement; the accounts' quotas grow with them. */
const ROUNDS = Math.ceil(RUNS / 4);
const ACCOUNT_QUOTA = BigInt(ROUNDS) * 333n;

type Step =
  | { do: "hold"; request: number; key: number; amount: number }
  | { do: "settle"; request: number; cost: number }
  | { do: "release"; request: number }
  | { do: "expire"; request: number }
  | { do: "quota"; key: number | null; quota: number }
  | { do: "status"; key: number | null; active: boolean };

const request = fc.nat(15);
const key = fc.nat(KEYS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("hold" as const), request, key, amount: fc.nat(120) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("settle" as const), request, cost: fc.nat(150) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("release" as const), request }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("expire" as const), request }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("quota" as const), key: fc.option(key), quota: fc.nat(600) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("status" as const), key: fc.option(key), active: fc.boolean() }),
  },
);

await forEachDatabase((_kind, open) => {
  let database: Database;
  let ledger: Ledger;
  beforeAll(async () => {
    database = await open();
    ledger = await openTestLedger(database);
    return () => ledger.drain();
  });

  /** Does one step in the database and in the model; both must give the same answer. */
  async function act(account: TestAccount, ids: string[], model: LedgerModel, next: Step): Promise<void> {
    switch (next.do) {
      case "hold": {
        const id = ids[next.request] ?? "";
        if (model.knows(next.request)) return;
        const outcome = await ledger.hold({
          requestId: id,
          keyId: account.keyIds[next.key] ?? "",
          userId: account.userId,
          amountMicroCents: BigInt(next.amount),
        });
        expect(outcome).toEqual(model.hold(next.request, next.key, BigInt(next.amount)));
        return;
      }
      case "settle": {
        const keyIndex = model.keyOf(next.request);
        const settlement = settlementOf(account, {
          requestId: ids[next.request] ?? "",
          keyId: account.keyIds[keyIndex] ?? "",
          costMicroCents: BigInt(next.cost),
        });
        expect(await ledger.settle(settlement)).toBe(model.settle(next.request, BigInt(next.cost)));
        return;
      }
      case "release": {
        const keyId = account.keyIds[model.keyOf(next.request)] ?? "";
        await database.query("SELECT quota_release($1, $2, $3)", [
          ids[next.request] ?? "",
          keyId,
          account.userId,
        ]);
        model.release(next.request);
        return;
      }
      case "expire":
        await database.query("SELECT quota_expire($1)", [ids[next.request] ?? ""]);
        model.expire(next.request);
        return;
      case "quota":
        await change(account, next.key, "quota_micro_cents = $2", BigInt(next.quota));
        model.setQuota(next.key, BigInt(next.quota));
        return;
      case "status":
        await change(account, next.key, "status = $2", statusText(next));
        model.setActive(next.key, next.active);
        return;
    }
  }

  async function change(account: TestAccount, keyIndex: number | null, set: string, value: bigint | string) {
    const table = keyIndex === null ? "users" : "api_keys";
    const id = keyIndex === null ? account.userId : (account.keyIds[keyIndex] ?? "");
    await database.query(`UPDATE ${table} SET ${set} WHERE id = $1`, [id, value]);
  }

  test(`${RUNS} random histories of one account end and answer as in a single-threaded model`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const account = await makeAccount(database, { account: 400n, keys: [150n, 300n, 500n] });
        const model = new LedgerModel(400n, [150n, 300n, 500n]);
        const ids = Array.from({ length: 16 }, requestId);
        for (const next of steps) await act(account, ids, model, next);
        expect(await countersOf(database, account)).toEqual(model.counters());
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

function statusText(next: { key: number | null; active: boolean }): string {
  if (next.active) return "active";
  return next.key === null ? "suspended" : "disabled";
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
