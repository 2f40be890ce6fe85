import { type BudgetState, roomOf } from "@/lib/accounts/budget-states";
import { shownAmount } from "@/lib/accounts/budgets/budget-amounts";
import { isShared, type KeyBudget } from "@/lib/accounts/key-budgets";
import type { KnownBudgets } from "@/lib/accounts/known-budgets";
import type { Session } from "@/lib/db/database";
import type { Clock } from "@/lib/kernel/clock";
import { zonedIso } from "@/lib/shared/zoned-time";

/** A rule of a key and what is used of it. Units: cents, tokens or requests. Source: docs/budgets.md#told. */
export interface BudgetUse extends Pick<KeyBudget, "name" | "scope" | "unit" | "period" | "mode"> {
  /** Null: every alias. */
  models: string[] | null;
  /** Null: none for this member. */
  limit: number | null;
  /** Absent, as `held` and `remaining`, where others use the counter too. */
  used?: number;
  held?: number;
  remaining?: number | null;
  /** ISO form with the offset of the rule's zone; null: never. */
  resetsAt: string | null;
}

interface BudgetParts {
  db: Session;
  knownBudgets: KnownBudgets;
  clock: Pick<Clock, "date">;
}

/** A rule with its running period. */
export type RuleState = readonly [rule: KeyBudget, state: BudgetState];

/** Rules with their running periods, as the database has them now; without those that cannot be read. */
export async function ruleStatesOf(
  { db, knownBudgets, clock }: BudgetParts,
  rules: readonly KeyBudget[],
): Promise<RuleState[]> {
  await knownBudgets.refresh(db, rules);
  const nowMs = clock.date().getTime();
  return rules.flatMap((rule) => {
    const state = knownBudgets.stateOf(rule, nowMs);
    return state === null ? [] : [[rule, state] as const];
  });
}

/** A rule as its caller may see it. */
export function budgetUseOf([rule, state]: RuleState): BudgetUse {
  const { name, scope, unit, period, mode, models } = rule;
  const { limit, used, held } = state;
  const shown = (amount: bigint) => shownAmount(unit, amount);
  const room = roomOf(state);
  return {
    name,
    scope,
    unit,
    period,
    mode,
    models: models === null ? null : [...models],
    limit: limit === null ? null : shown(limit),
    ...(!isShared(rule) && {
      used: shown(used),
      held: shown(held),
      remaining: room === null ? null : shown(room),
    }),
    resetsAt: state.endsAtMs === null ? null : zonedIso(new Date(state.endsAtMs), rule.timeZone),
  };
}
