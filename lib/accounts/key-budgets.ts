import type { BudgetSet } from "@/lib/billing/budget-sets";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
import type { BudgetMode, BudgetPeriod, BudgetScope, BudgetUnit } from "@/lib/shared/budget-words";

/** A rule that a key meets. Units: micro-cents, tokens or requests. Source: docs/budgets.md#rule. */
export interface KeyBudget {
  readonly id: string;
  readonly name: string;
  readonly scope: BudgetScope;
  /** Null: every alias. */
  readonly models: readonly string[] | null;
  readonly unit: BudgetUnit;
  readonly period: BudgetPeriod;
  readonly timeZone: string;
  readonly limit: bigint;
  readonly mode: BudgetMode;
  /** Whose counter it is. */
  readonly member: string;
}

/** The rules of a key as the database gives them; null: it meets none. */
export type BudgetRows = readonly (Omit<KeyBudget, "limit" | "member"> & { limit: string })[] | null;

/**
 * The live rules of a key and its account, as JSON. Expects the key's row as `k`. Source: docs/budgets.md#batch.
 */
export const KEY_BUDGETS = `(SELECT json_agg(json_build_object('id', b.id, 'name', b.name, 'scope', b.scope, 'models', b.models,
    'unit', b.unit, 'period', b.period, 'timeZone', b.time_zone, 'limit', b.limit_amount::text, 'mode', b.mode) ORDER BY b.id)
  FROM budgets b WHERE b.enabled AND b.ended_at IS NULL AND (b.key_id = k.id OR b.user_id = k.user_id))`;

/** The rules of a key. */
export function keyBudgetsOf(rows: BudgetRows): readonly KeyBudget[] {
  return (rows ?? []).map(({ limit, ...rule }) => ({ ...rule, limit: BigInt(limit), member: NO_MEMBER }));
}

/** The rules that a request meets, and their counters. */
export interface MetBudgets {
  readonly rules: readonly KeyBudget[];
  readonly set: BudgetSet;
}

interface Budgeted {
  readonly budgets: readonly KeyBudget[];
}

const metByAlias = new WeakMap<Budgeted, Map<string, MetBudgets | null>>();

/** The rules that requests of a key for an alias meet, kept as long as the key's record; null: none. */
export function budgetsFor(key: Budgeted, alias: string): MetBudgets | null {
  if (key.budgets.length === 0) return null;
  const known = metByAlias.get(key) ?? new Map<string, MetBudgets | null>();
  metByAlias.set(key, known);
  const found = known.get(alias);
  if (found !== undefined) return found;
  const met = metBy(key.budgets, alias);
  known.set(alias, met);
  return met;
}

function metBy(budgets: readonly KeyBudget[], alias: string): MetBudgets | null {
  const rules = budgets.filter(({ models }) => models === null || models.includes(alias));
  if (rules.length === 0) return null;
  return { rules, set: rules.map(({ id: budgetId, member }) => ({ budgetId, member })) };
}
