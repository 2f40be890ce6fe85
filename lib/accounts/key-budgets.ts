import type { BudgetSet } from "@/lib/billing/budget-sets";
import type { Session } from "@/lib/db/database";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
import type {
  BudgetEach,
  BudgetMode,
  BudgetPeriod,
  BudgetScope,
  BudgetUnit,
} from "@/lib/shared/budget-words";

/** A rule that a key meets. Units: micro-cents, tokens or requests. Source: docs/budgets.md#rule. */
export interface KeyBudget {
  readonly id: string;
  readonly name: string;
  readonly scope: BudgetScope;
  readonly each: BudgetEach;
  /** Null: every alias. */
  readonly models: readonly string[] | null;
  readonly unit: BudgetUnit;
  readonly period: BudgetPeriod;
  readonly timeZone: string;
  readonly limit: bigint;
  readonly mode: BudgetMode;
  /** Made by an admin on an account, project or key. */
  readonly locked: boolean;
  /** Whose counter it is. */
  readonly member: string;
}

/** The rules of a key as the database gives them; null: it meets none. */
export type BudgetRows = readonly (Omit<KeyBudget, "limit"> & { limit: string })[] | null;

/**
 * The live rules that a key meets, the oldest first, as JSON, each with its member. Expects the key's row as `k` and its
 * account's as `u`. A rule of a plan with a counter for each key is about keys on the plan, any other about accounts on
 * it. Each subject has an index, and a key looks into all of them.
 * Source: docs/budgets.md#scopes, #batch.
 */
export const KEY_BUDGETS = `(SELECT json_agg(json_build_object('id', b.id, 'name', b.name, 'scope', b.scope, 'each', b.each,
    'models', b.models, 'unit', b.unit, 'period', b.period, 'timeZone', b.time_zone, 'limit', b.limit_amount::text,
    'mode', b.mode, 'locked', b.locked, 'member', CASE b.each WHEN 'none' THEN '${NO_MEMBER}' WHEN 'account' THEN k.user_id
    WHEN 'key' THEN k.id ELSE coalesce(k.created_by, k.user_id) END) ORDER BY b.created_at, b.id)
  FROM budgets b WHERE b.enabled AND b.ended_at IS NULL AND (b.scope = 'platform' OR b.user_id = k.user_id OR b.key_id = k.id
    OR b.project_id = k.project_id OR (b.plan_id = k.plan_id AND b.each = 'key')
    OR (b.plan_id = u.plan_id AND b.each <> 'key')))`;

/** The rules of a key. */
export function keyBudgetsOf(rows: BudgetRows): readonly KeyBudget[] {
  return (rows ?? []).map(({ limit, ...rule }) => ({ ...rule, limit: BigInt(limit) }));
}

/** The rules that a key meets now; none for a key that does not exist. Throws: the driver's error. */
export async function findKeyBudgets(db: Session, keyId: string): Promise<readonly KeyBudget[]> {
  const [row] = await db.query<{ budgets: BudgetRows }>(
    `SELECT ${KEY_BUDGETS} AS budgets FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.id = $1`,
    [keyId],
  );
  return keyBudgetsOf(row?.budgets ?? null);
}

/** True when others than the caller use the counter: what they use is not told. Source: docs/budgets.md#refusal. */
export function isShared({ scope, each }: Pick<KeyBudget, "scope" | "each">): boolean {
  return (scope === "platform" || scope === "plan") && each === "none";
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
