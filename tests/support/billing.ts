import { mkdtempSync } from "node:fs";
import path from "node:path";
import { Ledger, type LedgerOptions } from "@/lib/billing/ledger";
import type { HoldOutcome, HoldRequest, Settlement, SettleOutcome } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { newRequestId } from "@/lib/kernel/request-id";
import { runDirectory } from "./run-directory";
import { settlementFields } from "./settlement-fields";

/** An account with keys, for tests of money. Units: micro-cents. */
export interface TestAccount {
  userId: string;
  keyIds: string[];
}

let serial = 0;

/** Makes an account and its keys. */
export async function makeAccount(
  database: Database,
  quotas: { account: bigint; keys: bigint[] },
): Promise<TestAccount> {
  const name = `user-${process.pid}-${serial++}`;
  await database.query(
    "INSERT INTO plans (id, name, key_quota_micro_cents) VALUES (1, 'Free', 0) ON CONFLICT DO NOTHING",
  );
  const [user] = await database.query<{ id: string }>(
    `INSERT INTO users (username, username_key, password_hash, plan_id, quota_micro_cents, invite_code)
     VALUES ($1, $1, '', 1, $2, $1) RETURNING id`,
    [name, quotas.account],
  );
  if (!user) throw new Error("no account was made");
  const keyIds: string[] = [];
  for (const [index, quota] of quotas.keys.entries()) {
    const [key] = await database.query<{ id: string }>(
      `INSERT INTO api_keys (user_id, key_hash, key_prefix, name, plan_id, quota_micro_cents)
       VALUES ($1, sha256(convert_to($2, 'UTF8')), 'tgw-test', $2, 1, $3) RETURNING id`,
      [user.id, `${name}-${index}`, quota],
    );
    if (key) keyIds.push(key.id);
  }
  return { userId: user.id, keyIds };
}

/** A complete, billed request of one key; fields that a test does not set have defaults. */
export function settlementOf(
  account: TestAccount,
  fields: Partial<Settlement> & { requestId: string },
): Settlement {
  return {
    keyId: account.keyIds[0] ?? "",
    userId: account.userId,
    createdAt: new Date(),
    ...settlementFields,
    ...fields,
  };
}

/** A fresh request id. */
export function requestId(): string {
  return newRequestId();
}

/** A ledger with a small spool and long timeouts, because test machines are slow. */
export async function openTestLedger(
  database: Database,
  options: Partial<LedgerOptions> = {},
): Promise<TestLedger> {
  const ledger = await Ledger.open({
    database,
    instanceId: "test",
    quotaStrict: false,
    spoolDirectory: mkdtempSync(path.join(runDirectory(), "spool-")),
    spoolBytes: 256 * 1024,
    holdBudgetMs: 20_000,
    settleBudgetMs: 20_000,
    onEvent: () => {},
    ...options,
  });
  return new TestLedger(ledger);
}

/** A ledger whose outcomes are promises. */
export class TestLedger {
  constructor(readonly ledger: Ledger) {}

  get atCapacity(): boolean {
    return this.ledger.atCapacity;
  }

  hold(hold: HoldRequest): Promise<HoldOutcome> {
    return new Promise((resolve, reject) => this.ledger.hold(hold, { resolve, reject }));
  }

  settle(settlement: Settlement): Promise<SettleOutcome> {
    return new Promise((resolve, reject) => this.ledger.settle(settlement, { resolve, reject }));
  }

  recover(): Promise<boolean> {
    return this.ledger.recover();
  }

  status(): ReturnType<Ledger["status"]> {
    return this.ledger.status();
  }

  drain(): Promise<void> {
    return this.ledger.drain();
  }
}

/** The used and held totals of an account and its keys in the database. Units: micro-cents. */
export async function countersOf(database: Database, account: TestAccount) {
  const [user] = await database.query<{ used: bigint; held: bigint; requests: bigint }>(
    "SELECT used_micro_cents AS used, held_micro_cents AS held, request_count AS requests FROM users WHERE id = $1",
    [account.userId],
  );
  const keys = await database.query<{ id: string; used: bigint; held: bigint }>(
    "SELECT id, used_micro_cents AS used, held_micro_cents AS held FROM api_keys WHERE user_id = $1",
    [account.userId],
  );
  const byId = new Map(keys.map(({ id, used, held }) => [id, { used, held }]));
  if (!user) throw new Error("the account is gone");
  return { account: user, keys: account.keyIds.map((id) => byId.get(id)) };
}

/** Cents in decimal text as micro-cents; nothing is 0. */
export function microCentsOf(cents: string | undefined): bigint {
  const [, sign = "", units = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(cents ?? "") ?? [];
  const micro = BigInt(units) * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
  return sign === "-" ? -micro : micro;
}
