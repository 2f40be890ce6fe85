import type { Session } from "@/lib/db/database";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
import type {
  BudgetEach,
  BudgetMode,
  BudgetPeriod,
  BudgetScope,
  BudgetUnit,
} from "@/lib/shared/budget-words";
import type { CounterRow } from "./budget-record";
import { COUNTER, memberName } from "./budget-sql";
import { IS_LIVE, RULES } from "./budget-tables";

/** A counter of a rule in the running period. */
export interface BudgetLine {
  id: string;
  name: string;
  scope: BudgetScope;
  /** The plan, account, project or key; null: the platform. */
  subject: string | null;
  costCentre: string;
  each: BudgetEach;
  /** Null: the one counter of the rule. */
  member: string | null;
  unit: BudgetUnit;
  period: BudgetPeriod;
  timeZone: string;
  mode: BudgetMode;
  enabled: boolean;
  counter: CounterRow;
}

interface Line extends Omit<BudgetLine, "costCentre" | "timeZone"> {
  cost_centre: string;
  time_zone: string;
  member_id: string;
}

const BATCH = 1_000;

/**
 * The counters of all live rules in their running periods, by rule and member; a rule with a counter for each has a line for
 * each member that used something. Source: docs/budgets.md#operations.
 */
export async function* walkBudgets(db: Session): AsyncGenerator<BudgetLine[]> {
  let after = { id: NO_MEMBER, member: NO_MEMBER };
  while (true) {
    const rows = await db.query<Line>(
      `SELECT b.id, b.name, b.scope, coalesce(p.name, u.username, j.name, k.name) AS subject,
         coalesce(nullif(j.cost_centre, ''), nullif(u.cost_centre, ''), o.cost_centre, '') AS cost_centre, b.each,
         CASE WHEN b.each <> 'none' THEN coalesce(${memberName("x.member")}, x.member::text) END AS member, x.member AS member_id,
         b.unit, b.period, b.time_zone, b.mode, b.enabled, ${COUNTER} AS counter
       FROM ${RULES}
       CROSS JOIN LATERAL (SELECT '${NO_MEMBER}'::uuid AS member WHERE b.each = 'none'
         UNION ALL SELECT member FROM budget_windows WHERE b.each <> 'none' AND budget_id = b.id AND starts_at <= now()
           AND ends_at > now()) x
       LEFT JOIN LATERAL (SELECT * FROM budget_windows w WHERE w.budget_id = b.id AND w.member = x.member AND w.ends_at > now()
         ORDER BY w.ends_at LIMIT 1) w ON true
       LEFT JOIN budget_exceptions e ON e.budget_id = b.id AND e.member = x.member
       WHERE ${IS_LIVE} AND (b.id, x.member) > ($1::uuid, $2::uuid) ORDER BY b.id, x.member LIMIT ${BATCH}`,
      [after.id, after.member],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ cost_centre: costCentre, time_zone: timeZone, member_id: _, ...line }) => ({
      ...line,
      costCentre,
      timeZone,
    }));
    after = { id: last.id, member: last.member_id };
  }
}
