import { allLimits } from "@/lib/config/account-limits";
import type { AccountLimits, LimitValues } from "@/lib/db/schema/accounts";

/** The level of a limit: one key, or all keys of an account together. */
export type LimitLevel = "key" | "account";

/** The limits on the calls of an account, over all its keys together. */
export interface AccountLevel {
  /** Identifies the account's windows beside those of keys. */
  id: string;
  limits: LimitValues;
}

/**
 * The limits of an account; null: no limit. An own limit, also "none", replaces that of the plan.
 * Source: docs/contract.md#account-limits.
 */
export function accountLimitsOf(
  plan: { accountLimits: Partial<AccountLimits> | null },
  user: { limitOverrides: Partial<AccountLimits> | null },
): AccountLimits {
  return allLimits({ ...plan.accountLimits, ...user.limitOverrides });
}

/** The limits on calls of an account, besides those of its keys; null when the account limits no calls. */
export function accountLevelOf(userId: string, limits: AccountLimits): AccountLevel | null {
  const { qps, rpm, tpm, concurrent } = limits;
  if (qps === null && rpm === null && tpm === null && concurrent === null) return null;
  return { id: `account:${userId}`, limits: { qps, rpm, tpm, concurrent } };
}

/**
 * The limits of a key on a plan. An account's own limits replace those of its own plan only: a key that is bound to
 * another plan keeps that plan's limits. The account's limits apply too, over all its keys together.
 */
export function keyLimitsOf(
  plan: LimitValues & { id: number },
  user: { planId: number; limitOverrides: Partial<AccountLimits> | null },
): LimitValues {
  const { qps, rpm, tpm, concurrent = null } = plan;
  const limits = { qps, rpm, tpm, concurrent };
  if (user.planId !== plan.id) return limits;
  const { keys: _, ...own } = user.limitOverrides ?? {};
  return { ...limits, ...own };
}
