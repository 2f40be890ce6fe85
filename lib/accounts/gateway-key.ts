import { and, eq, isNull, sql } from "drizzle-orm";
import type { Session } from "@/lib/db/database";
import { apiKeys, type LimitValues, plans, users } from "@/lib/db/schema/accounts";
import type { Balance } from "./balances";

/** A key with the data of the request path. Its balance may be stale; the hold reads it again, under a lock. */
export interface GatewayKey {
  keyId: string;
  userId: string;
  name: string;
  keyPrefix: string;
  status: "active" | "disabled";
  /** The expiry by the database's clock, in this process's monotonic milliseconds; null: never. */
  expiresAtMs: number | null;
  /** Null: every alias. */
  models: readonly string[] | null;
  planId: number;
  planName: string;
  /** The plan's limits with the account's overrides. */
  limits: LimitValues;
  userStatus: "active" | "suspended" | "deleted";
  userRole: "user" | "admin";
  balance: KeyBalance;
}

/**
 * The key with this hash, or null when there is none or it was deleted.
 * Shape: `hash` is the SHA-256 of the key, as bytes or hexadecimal. Source: docs/reliability.md#a4, #s3-1.
 */
export async function findKeyByHash(db: Session, hash: Buffer | string): Promise<GatewayKey | null> {
  const bytes = typeof hash === "string" ? Buffer.from(hash, "hex") : hash;
  const [row] = await db.orm
    .select({
      key: apiKeys,
      plan: plans,
      user: users,
      remainingMs: sql<number | null>`(extract(epoch from ${apiKeys.expiresAt} - now()) * 1000)::float8`,
    })
    .from(apiKeys)
    .innerJoin(plans, eq(plans.id, apiKeys.planId))
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(and(eq(apiKeys.keyHash, bytes), isNull(apiKeys.deletedAt)))
    .limit(1);
  if (row === undefined) return null;
  const { key, plan, user, remainingMs } = row;
  return {
    keyId: key.id,
    userId: key.userId,
    name: key.name,
    keyPrefix: key.keyPrefix,
    status: key.status,
    expiresAtMs: remainingMs === null ? null : performance.now() + remainingMs,
    models: key.models,
    planId: key.planId,
    planName: plan.name,
    limits: effectiveLimits(plan, user),
    userStatus: user.status,
    userRole: user.role,
    balance: { ...balanceOf(key), account: balanceOf(user) },
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

/**
 * The limits of a key on a plan. An account's overrides replace its own plan only: a key that is bound to
 * another plan keeps that plan's limits.
 */
export function effectiveLimits(
  plan: LimitValues & { id: number },
  user: { planId: number; limitOverrides: Partial<LimitValues> | null },
): LimitValues {
  const limits = { qps: plan.qps, rpm: plan.rpm, tpm: plan.tpm };
  return user.planId === plan.id ? { ...limits, ...user.limitOverrides } : limits;
}

/** The balances that limit a key. */
export interface KeyBalance extends Balance {
  /** The account's balance, which also limits the key. */
  account: Balance;
}

/** The current balance of a key and its account; null when there is no such key. */
export async function findKeyBalance(db: Session, keyId: string): Promise<KeyBalance | null> {
  const [row] = await db.orm
    .select({ key: apiKeys, user: users })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.deletedAt)))
    .limit(1);
  if (row === undefined) return null;
  return { ...balanceOf(row.key), account: balanceOf(row.user) };
}

function balanceOf(row: Balance): Balance {
  const { quotaMicroCents, usedMicroCents, heldMicroCents } = row;
  return { quotaMicroCents, usedMicroCents, heldMicroCents };
}
