import type { Session } from "@/lib/db/database";
import type { AccountLimits, LimitValues } from "@/lib/db/schema/accounts";
import type { UserRole } from "@/lib/shared/user-roles";
import { type AccountLevel, accountLevelOf, accountLimitsOf, keyLimitsOf } from "./account-limits";
import type { KeyBalance } from "./key-balance";
import { type BudgetRows, KEY_BUDGETS, type KeyBudget, keyBudgetsOf } from "./key-budgets";

/** A key with the data of the request path. Its balance may be stale; the hold reads it again, under a lock. */
export interface GatewayKey {
  keyId: string;
  userId: string;
  name: string;
  keyPrefix: string;
  status: "active" | "disabled" | "blocked";
  /** The expiry by the database's clock, converted to this process's monotonic milliseconds; null: never. */
  expiresAtMs: number | null;
  /** Null: every alias. */
  models: readonly string[] | null;
  planId: number;
  planName: string;
  /** The plan's limits, or the account's own in place of those of its own plan. */
  limits: LimitValues;
  /** The account's limits over all its keys; null: there are none. */
  account: AccountLevel | null;
  /** The most keys of the account; null: neither its own limits nor its plan's have such a limit. */
  maxKeys: number | null;
  userStatus: "active" | "suspended" | "deleted";
  userRole: UserRole;
  /** The console's own key: its responses are never stored. Source: docs/reliability.md#s3-1b. */
  isConsoleKey: boolean;
  /** The rules by period that the key meets, for some aliases or for all. */
  budgets: readonly KeyBudget[];
  balance: KeyBalance;
}

/** The columns of a key that the request path needs, with those of its plan, its account and the account's plan. */
interface KeyRow {
  hash: string;
  id: string;
  user_id: string;
  name: string;
  key_prefix: string;
  status: GatewayKey["status"];
  remaining_ms: number | null;
  models: string[] | null;
  is_console: boolean;
  quota: bigint;
  used: bigint;
  held: bigint;
  plan_id: number;
  plan_name: string;
  qps: number | null;
  rpm: number | null;
  tpm: number | null;
  concurrent: number | null;
  user_status: GatewayKey["userStatus"];
  user_role: GatewayKey["userRole"];
  user_plan_id: number;
  limit_overrides: Partial<AccountLimits> | null;
  user_quota: bigint;
  user_used: bigint;
  user_held: bigint;
  account_limits: Partial<AccountLimits> | null;
  budgets: BudgetRows;
}

/** Text of its own, which stays prepared: building the statement anew would take longer than a look-up. */
const FIND_KEYS = `SELECT encode(k.key_hash, 'hex') AS hash, k.id, k.user_id, k.name, k.key_prefix, k.status,
    (extract(epoch FROM k.expires_at - now()) * 1000)::float8 AS remaining_ms, k.models,
    k.console_number IS NOT NULL AS is_console,
    k.quota_micro_cents AS quota, k.used_micro_cents AS used, k.held_micro_cents AS held,
    p.id AS plan_id, p.name AS plan_name, p.qps, p.rpm, p.tpm, p.concurrent,
    u.status AS user_status, u.role AS user_role, u.plan_id AS user_plan_id, u.limit_overrides,
    u.quota_micro_cents AS user_quota, u.used_micro_cents AS user_used, u.held_micro_cents AS user_held,
    a.account_limits, ${KEY_BUDGETS} AS budgets
  FROM unnest($1::text[]) AS asked(hash)
  JOIN api_keys k ON k.key_hash = decode(asked.hash, 'hex')
  JOIN plans p ON p.id = k.plan_id
  JOIN users u ON u.id = k.user_id
  JOIN plans a ON a.id = u.plan_id
  WHERE k.deleted_at IS NULL AND (k.console_number IS NULL OR k.console_token_version = u.token_version)`;

/**
 * The keys with these hashes, by hash; without those that do not exist, were deleted, or are console keys whose sessions
 * have ended. Shape: a hash is the SHA-256 of the key, hexadecimal. Source: docs/reliability.md#a4, #s3-1.
 */
export async function findKeysByHash(
  db: Session,
  hashes: readonly string[],
): Promise<Map<string, GatewayKey>> {
  const rows = await db.query<KeyRow>(FIND_KEYS, [hashes]);
  return new Map(rows.map((row) => [row.hash, keyOf(row)]));
}

function keyOf(row: KeyRow): GatewayKey {
  const { qps, rpm, tpm, concurrent, limit_overrides: limitOverrides } = row;
  const accountLimits = accountLimitsOf({ accountLimits: row.account_limits }, { limitOverrides });
  const plan = { id: row.plan_id, qps, rpm, tpm, concurrent };
  return {
    keyId: row.id,
    userId: row.user_id,
    name: row.name,
    keyPrefix: row.key_prefix,
    status: row.status,
    expiresAtMs: row.remaining_ms === null ? null : performance.now() + row.remaining_ms,
    models: row.models,
    planId: row.plan_id,
    planName: row.plan_name,
    limits: keyLimitsOf(plan, { planId: row.user_plan_id, limitOverrides }),
    account: accountLevelOf(row.user_id, accountLimits),
    maxKeys: accountLimits.keys,
    userStatus: row.user_status,
    userRole: row.user_role,
    isConsoleKey: row.is_console,
    budgets: keyBudgetsOf(row.budgets),
    balance: {
      quotaMicroCents: row.quota,
      usedMicroCents: row.used,
      heldMicroCents: row.held,
      account: {
        quotaMicroCents: row.user_quota,
        usedMicroCents: row.user_used,
        heldMicroCents: row.user_held,
      },
    },
  };
}

/**
 * True when requests may be made with the key; `nowMs` is monotonic, because the wall clock may be wrong.
 * Source: docs/reliability.md#r-51.
 */
export function isKeyUsable(key: GatewayKey, nowMs: number): boolean {
  if (key.status !== "active" || key.userStatus !== "active") return false;
  return key.expiresAtMs === null || key.expiresAtMs > nowMs;
}

/** One text for all unusable keys, so that it does not reveal which keys exist. */
export const UNUSABLE_KEY =
  "The API key is unknown, disabled, expired or revoked. It may also be cut: compare it with the key that you copied.";
