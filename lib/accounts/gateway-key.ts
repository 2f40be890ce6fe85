import { and, eq, isNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Session } from "@/lib/db/database";
import { apiKeys, type LimitValues, plans, users } from "@/lib/db/schema/accounts";
import { type AccountLevel, accountLevelOf, accountLimitsOf, keyLimitsOf } from "./account-limits";
import { balanceOf, type KeyBalance } from "./key-balance";

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
  userRole: "user" | "admin";
  /** The console's own key: its responses are never stored. Source: docs/reliability.md#s3-1b. */
  isConsoleKey: boolean;
  balance: KeyBalance;
}

const accountPlans = alias(plans, "account_plan");

const isOfCurrentSessions = or(
  isNull(apiKeys.consoleNumber),
  eq(apiKeys.consoleTokenVersion, users.tokenVersion),
);

/**
 * The key with this hash, or null when there is none, it was deleted, or it is a console key whose sessions have ended.
 * Shape: `hash` is the SHA-256 of the key, as bytes or hexadecimal. Source: docs/reliability.md#a4, #s3-1.
 */
export async function findKeyByHash(db: Session, hash: Buffer | string): Promise<GatewayKey | null> {
  const bytes = typeof hash === "string" ? Buffer.from(hash, "hex") : hash;
  const [row] = await db.orm
    .select({
      key: apiKeys,
      plan: plans,
      user: users,
      accountLimits: accountPlans.accountLimits,
      remainingMs: sql<number | null>`(extract(epoch from ${apiKeys.expiresAt} - now()) * 1000)::float8`,
    })
    .from(apiKeys)
    .innerJoin(plans, eq(plans.id, apiKeys.planId))
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .innerJoin(accountPlans, eq(accountPlans.id, users.planId))
    .where(and(eq(apiKeys.keyHash, bytes), isNull(apiKeys.deletedAt), isOfCurrentSessions))
    .limit(1);
  if (row === undefined) return null;
  const { key, plan, user, remainingMs } = row;
  const accountLimits = accountLimitsOf(row, user);
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
    limits: keyLimitsOf(plan, user),
    account: accountLevelOf(user.id, accountLimits),
    maxKeys: accountLimits.keys,
    userStatus: user.status,
    userRole: user.role,
    isConsoleKey: key.consoleNumber !== null,
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

/** One text for all unusable keys, so that it does not reveal which keys exist. */
export const UNUSABLE_KEY =
  "The API key is unknown, disabled, expired or revoked. It may also be cut: compare it with the key that you copied.";
