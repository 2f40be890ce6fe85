import { mkdtempSync } from "node:fs";
import path from "node:path";
import { Ledger, type LedgerOptions } from "@/lib/billing/ledger";
import type { Settlement } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/client";
import { newRequestId } from "@/lib/request-id";
import { NO_USAGE } from "@/lib/usage";
import { runDirectory } from "./run-directory";

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

/** A complete, billed request of one key; what a test does not care about has a plain value. */
export function settlementOf(
  account: TestAccount,
  fields: Partial<Settlement> & { requestId: string },
): Settlement {
  return {
    keyId: account.keyIds[0] ?? "",
    userId: account.userId,
    model: "gpt-main",
    protocol: "chat",
    stream: false,
    status: "success",
    httpStatus: 200,
    errorCode: null,
    errorMessage: null,
    usage: { ...NO_USAGE, inputUncached: 10, output: 5 },
    usageSource: "upstream",
    billingSource: "upstream",
    costMicroCents: 100n,
    wouldHaveCostMicroCents: null,
    priceVersion: 1,
    heldMicroCents: 0n,
    latencyMs: 120,
    ttftMs: null,
    attempts: [],
    nodeId: null,
    warnings: [],
    timeline: {},
    createdAt: new Date(),
    clientRequestId: null,
    userAgent: null,
    ...fields,
  };
}

/** A fresh request id. */
export function requestId(): string {
  return newRequestId();
}

/** A ledger with a small spool of its own. */
export function openTestLedger(database: Database, options: Partial<LedgerOptions> = {}): Promise<Ledger> {
  return Ledger.open({
    database,
    instanceId: "test",
    quotaStrict: false,
    spoolDirectory: mkdtempSync(path.join(runDirectory(), "spool-")),
    spoolBytes: 256 * 1024,
    onEvent: () => {},
    ...options,
  });
}
