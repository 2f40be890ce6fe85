import { allLimits } from "@/lib/config/account-limits";
import type { AccountLimits, LimitValues } from "@/lib/db/schema/accounts";

/** Whose limit it is: the key's, or the one of all keys of its account. */
export type LimitLevel = "key" | "account";

/** The limits of an account that its calls meet, over all its keys together. */
export interface AccountLevel {
  /** Names the account's windows among those of keys. */
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

/** What calls of an account meet besides the limits of their key; null when no limit of the account is about calls. */
export function accountLevelOf(userId: string, limits: AccountLimits): AccountLevel | null {
  const { qps, rpm, tpm, concurrent } = limits;
  if (qps === null && rpm === null && tpm === null && concurrent === null) return null;
  return { id: `account:${userId}`, limits: { qps, rpm, tpm, concurrent } };
}

/**
 * The limits of a key on a plan. An account's own limits replace those of its own plan only: a key that is bound to
 * another plan keeps that plan's limits, beside the account's, which hold for all its keys together.
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
