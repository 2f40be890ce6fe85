import type { AccountLevel } from "@/lib/accounts/account-limits";
import { countKeys } from "@/lib/accounts/keys";
import type { Limiter, LimitState } from "@/lib/admission/limiter";
import type { Session } from "@/lib/db/database";

/** The use of the limits that an account has; the others are absent. */
export interface AccountUse extends Partial<LimitState> {
  keys?: { limit: number; used: number };
}

/** The account, its limits over time, and its limit of keys. */
export interface AskedAccount {
  userId: string;
  account: AccountLevel | null;
  maxKeys: number | null;
}

/**
 * The limits of an account over all its keys, and what is used of them now; null: it has none.
 * Source: docs/contract.md#account-limits.
 */
export async function accountUseOf(
  { db, limiter }: { db: Session; limiter: Pick<Limiter, "peekAccount"> },
  { userId, account, maxKeys }: AskedAccount,
): Promise<AccountUse | null> {
  const state = await limiter.peekAccount(account);
  const use: AccountUse = {
    ...(state && state.qps.limit !== null && { qps: state.qps }),
    ...(state && state.rpm.limit !== null && { rpm: state.rpm }),
    ...(state && state.tpm.limit !== null && { tpm: state.tpm }),
    ...(state?.concurrent && { concurrent: state.concurrent }),
    ...(maxKeys != null && { keys: { limit: maxKeys, used: await countKeys(db.orm, userId) } }),
  };
  return Object.keys(use).length === 0 ? null : use;
}
