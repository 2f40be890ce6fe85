/** Whose requests a rule counts. Source: docs/budgets.md#rule. */
export const budgetScopes = ["platform", "plan", "account", "project", "key"] as const;
export type BudgetScope = (typeof budgetScopes)[number];

/** A counter for all requests together, or one for each account, key or creator of a key. */
export const budgetEach = ["none", "account", "key", "member"] as const;
export type BudgetEach = (typeof budgetEach)[number];

/** What is counted. */
export const budgetUnits = ["money", "tokens", "requests"] as const;
export type BudgetUnit = (typeof budgetUnits)[number];

/** After which time the counter begins anew. */
export const budgetPeriods = ["day", "week", "month", "quarter", "year", "total"] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** What happens at the limit. */
export const budgetModes = ["stop", "hard", "warn"] as const;
export type BudgetMode = (typeof budgetModes)[number];

/** The counters that a rule of a scope may have. Source: docs/budgets.md#rule. */
export const eachOfScope: Readonly<Record<BudgetScope, readonly BudgetEach[]>> = {
  platform: ["none", "account", "key"],
  plan: ["account", "key"],
  account: ["none", "key"],
  project: ["none", "key", "member"],
  key: ["none"],
};

/** The most live rules of one subject. */
export const liveRulesOf = (scope: BudgetScope): number => (scope === "platform" ? 8 : 4);
