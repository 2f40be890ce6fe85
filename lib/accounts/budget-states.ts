import type { Session } from "@/lib/db/database";
import type { KeyBudget } from "./key-budgets";

/** A counter of a rule in its running period. Units: those of the rule; milliseconds since 1970. */
export interface BudgetState {
  /** The rule's limit, or the member's own, with what the window has beside it; null: a member without limit. */
  readonly limit: bigint | null;
  readonly used: bigint;
  readonly held: bigint;
  /** Null: from the beginning. */
  readonly startsAtMs: number | null;
  /** Null: never. */
  readonly endsAtMs: number | null;
}

interface StateRow {
  n: bigint;
  limit: bigint | null;
  used: bigint;
  held: bigint;
  starts_at_ms: number | null;
  ends_at_ms: number | null;
}

/** Times as numbers, because the driver reads no infinite ones. */
const inMs = (time: string) =>
  `CASE WHEN isfinite(${time}) THEN floor(1000 * extract(epoch FROM ${time}))::float8 END`;

/**
 * A window that no request has opened yet begins, as the batch opens it, where the one before it has ended. `OFFSET 0`
 * keeps the period from being computed where there is a window.
 */
const FIND_STATES = `SELECT p.n,
    (CASE WHEN e.budget_id IS NULL THEN b.limit_amount ELSE e.limit_amount END) + coalesce(w.extra, 0) AS "limit",
    coalesce(w.used, 0) AS used, coalesce(w.held, 0) AS held,
    ${inMs("coalesce(w.starts_at, t.starts)")} AS starts_at_ms, ${inMs("coalesce(w.ends_at, t.ends)")} AS ends_at_ms
  FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS p(budget, member, n)
  JOIN budgets b ON b.id = p.budget
  LEFT JOIN budget_exceptions e ON e.budget_id = p.budget AND e.member = p.member
  LEFT JOIN LATERAL (
    SELECT o.* FROM budget_windows o WHERE o.budget_id = p.budget AND o.member = p.member AND o.ends_at > now()
    ORDER BY o.ends_at LIMIT 1
  ) AS w ON true
  LEFT JOIN LATERAL (
    SELECT greatest(a.starts, (SELECT max(o.ends_at) FROM budget_windows o
      WHERE o.budget_id = p.budget AND o.member = p.member AND o.ends_at <= now())) AS starts, a.ends
    FROM budget_period(b.period, b.time_zone, now()) AS a WHERE w.id IS NULL OFFSET 0
  ) AS t ON true`;

/**
 * The running period of each of some rules, by the database's clock; a period without a request yet is all 0. Changes
 * nothing. Shape: one for each rule, in their order; null: there is no such rule. Throws: the driver's error, also for a
 * zone that the database does not know. Source: docs/budgets.md#windows.
 */
export async function budgetStatesOf(
  db: Session,
  rules: readonly Pick<KeyBudget, "id" | "member">[],
): Promise<(BudgetState | null)[]> {
  if (rules.length === 0) return [];
  const parameters = [rules.map(({ id }) => id), rules.map(({ member }) => member)];
  const states: (BudgetState | null)[] = rules.map(() => null);
  for (const row of await db.query<StateRow>(FIND_STATES, parameters))
    states[Number(row.n) - 1] = stateOf(row);
  return states;
}

function stateOf({
  limit,
  used,
  held,
  starts_at_ms: startsAtMs,
  ends_at_ms: endsAtMs,
}: StateRow): BudgetState {
  return { limit, used, held, startsAtMs, endsAtMs };
}

/** What is left of a limit, less than 0 beyond it; null: there is no limit. Units: those of the rule. */
export function roomOf({ limit, used, held }: Pick<BudgetState, "limit" | "used" | "held">): bigint | null {
  return limit === null ? null : limit - used - held;
}

/**
 * The least that is left of the money rules of these modes, less than 0 beyond a limit; null: none of them limits.
 * Units: micro-cents.
 */
export function moneyRoom(
  rules: Iterable<readonly [KeyBudget, BudgetState | null]>,
  modes: readonly KeyBudget["mode"][],
): bigint | null {
  let least: bigint | null = null;
  for (const [{ unit, mode }, state] of rules) {
    if (unit !== "money" || !modes.includes(mode) || state === null) continue;
    const room = roomOf(state);
    if (room !== null && (least === null || room < least)) least = room;
  }
  return least;
}
