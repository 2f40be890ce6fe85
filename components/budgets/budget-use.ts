import { HOUR_MS } from "@/lib/kernel/durations";
import type { Budget, BudgetMember, BudgetWindow } from "../api/types";

/** How a counter stands to its limit. */
export type UseState = "usedUp" | "over" | "reserved" | "near" | "normal";

/** The part of a limit from which a counter is nearly used up. */
export const NEAR = 0.8;

/** The part of its limit that a counter has used; null without a limit, 1 where nothing may pass. */
export function shareOf({ used, limit }: Pick<BudgetWindow, "used" | "limit">): number | null {
  if (limit === null) return null;
  return limit === 0 ? 1 : used / limit;
}

/** How a counter stands to its limit. Source: docs/budgets.md#rule. */
export function stateOfUse(counter: BudgetWindow, mode: Budget["mode"]): UseState {
  const { used, held, limit } = counter;
  const share = shareOf(counter);
  if (limit === null || share === null) return "normal";
  if (mode === "warn") return used > limit ? "over" : share >= NEAR ? "near" : "normal";
  if (used >= limit) return "usedUp";
  if (used + held >= limit) return "reserved";
  return share >= NEAR ? "near" : "normal";
}

/** What a counter has left; never less than nothing, null without a limit. */
export function leftOf({ used, limit }: Pick<BudgetWindow, "used" | "limit">): number | null {
  return limit === null ? null : Math.max(0, limit - used);
}

/** The counter that stands for a budget in a list: its own, or that of the member that has used the largest part. */
export function shownCounter(budget: Budget, ofAll: boolean): BudgetWindow | BudgetMember | null {
  const [fullest] = budget.fullest;
  if (ofAll && budget.each !== "none") return fullest ?? null;
  return budget.window ?? fullest ?? null;
}

const PACE_FROM_MS = 6 * HOUR_MS;
const PACE_FROM_REQUESTS = 20;

/**
 * When a counter is used up if its use goes on as it did in its period so far; "lasts": not before it starts again. Null: it
 * is too early to say, or there is nothing to use up. Unit: ms since 1970.
 */
export function paceOf(
  counter: BudgetWindow,
  { unit, each, createdAt }: Pick<Budget, "unit" | "each" | "createdAt">,
  nowMs: number,
): number | "lasts" | null {
  const { used, limit, startsAt, endsAt } = counter;
  // What one counter for ever had used before it was made has no beginning.
  if (limit === null || used <= 0 || used >= limit || (startsAt === null && each === "none")) return null;
  const period = startsAt === null ? 0 : Date.parse(startsAt);
  // A counter for each begins with nothing when its budget is made.
  const fromMs = each === "none" ? period : Math.max(period, Date.parse(createdAt));
  const passedMs = nowMs - fromMs;
  if (passedMs < PACE_FROM_MS || (unit === "requests" && used < PACE_FROM_REQUESTS)) return null;
  const usedUpMs = nowMs + ((limit - used) / used) * passedMs;
  if (endsAt !== null && usedUpMs >= Date.parse(endsAt)) return "lasts";
  return usedUpMs;
}
