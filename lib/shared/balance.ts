import { fromScaled, ratio, toScaled } from "./decimal";

/** What an account was granted, and what of it was used. Units: cents as exact decimal text. */
interface Balance {
  quota: string;
  usedExact: string;
}

/** What an admin gives, or takes away. Units: cents. */
export interface Grant {
  direction: "give" | "take";
  cents: number;
}

/** What is left of the quota. Units: cents as exact decimal text. */
export function remainingOf({ quota, usedExact }: Balance): string {
  return fromScaled(toScaled(quota) - toScaled(usedExact));
}

/** Whether there is something of which a part can be used or left. */
export function hasQuotaOrUse({ quota, usedExact }: Balance): boolean {
  return Number(quota) !== 0 || Number(usedExact) !== 0;
}

/** The quota after a grant, and what is left of it. Units: cents as exact decimal text. */
export function balanceAfter(balance: Balance, { direction, cents }: Grant): { quota: string; left: string } {
  const change = direction === "give" ? cents : -cents;
  return { quota: quotaAfter(balance.quota, change), left: quotaAfter(remainingOf(balance), change) };
}

/** An amount after a change of it. Units: cents as exact decimal text. */
export function quotaAfter(amount: string, change: number): string {
  return fromScaled(toScaled(amount) + toScaled(change));
}

/** The used part of the quota; without a quota all of it is used as soon as anything is. */
export function usedShare({ quota, usedExact }: Balance): number {
  return Number(quota) === 0 ? Number(toScaled(usedExact) > 0n) : ratio(usedExact, quota);
}

/** Whether an amount is below zero. */
export function isBelowZero(cents: string): boolean {
  return toScaled(cents) < 0n;
}

/** How many accounts have been granted less than would be taken from them: they stay as they are. */
export function countShort(users: readonly Balance[], grant: Grant): number {
  return users.filter((user) => isBelowZero(balanceAfter(user, grant).quota)).length;
}

/** How many accounts would have used more than they have been granted; who has been granted less keeps it. */
export function countOverdrawn(users: readonly Balance[], grant: Grant): number {
  return users.filter((user) => {
    const { quota, left } = balanceAfter(user, grant);
    return !isBelowZero(quota) && isBelowZero(left);
  }).length;
}
