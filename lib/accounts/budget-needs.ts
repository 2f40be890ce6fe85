import type { BudgetNeeds } from "@/lib/billing/budget-sets";
import type { KeyBudget } from "./key-budgets";

/** What a hold asks of the rules that it meets. Units: micro-cents, tokens. */
export interface AskedBudgets extends BudgetNeeds {
  readonly rules: readonly KeyBudget[];
  readonly mostMicroCents: bigint;
  readonly now: Date;
}

/** What a running request counts for in a rule. Units: those of the rule. Source: docs/budgets.md#expected. */
export function needOf({ unit, mode }: Pick<KeyBudget, "unit" | "mode">, asked: AskedBudgets): bigint {
  if (unit === "requests") return 1n;
  if (unit === "money") return mode === "hard" ? asked.mostMicroCents : asked.expectedMicroCents;
  return BigInt(mode === "hard" ? asked.mostTokens : asked.expectedTokens);
}
