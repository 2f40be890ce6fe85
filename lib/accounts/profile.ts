import type { Session } from "@/lib/db/database";
import { accountLimitsOf } from "./account-limits";
import { planOfAccount } from "./keys";
import { profileOf } from "./profile-of";
import type { UserRow } from "./session";

/** The account as its owner sees it, with its limits. Source: docs/contract.md#s5, #account-limits. */
export async function ownProfileOf(db: Session, user: UserRow) {
  return { ...profileOf(user), accountLimits: accountLimitsOf(await planOfAccount(db, user), user) };
}
