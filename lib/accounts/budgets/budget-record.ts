import type {
  BudgetEach,
  BudgetMode,
  BudgetPeriod,
  BudgetScope,
  BudgetUnit,
} from "@/lib/shared/budget-words";
import { shownAmount } from "./budget-amounts";
import type { BudgetReader } from "./budget-reader";

/** A counter as the database gives it. Units: those of the rule; milliseconds since 1970, null: infinite. */
export interface CounterRow {
  starts: string | null;
  ends: string | null;
  most: string | null;
  extra: string;
  used: string;
  held: string;
}

/** A counter with whose it is. */
export interface MemberRow {
  member: string;
  name: string | null;
  counter: CounterRow;
}

/** A rule with its counters as the database gives it. */
export interface BudgetRow {
  id: string;
  name: string;
  scope: BudgetScope;
  subject_id: string | null;
  subject_name: string | null;
  owner: string | null;
  each: BudgetEach;
  models: string[] | null;
  unit: BudgetUnit;
  period: BudgetPeriod;
  time_zone: string;
  limit_amount: string;
  mode: BudgetMode;
  enabled: boolean;
  locked: boolean;
  managed_by_file: boolean;
  may_change: boolean;
  created_at: Date;
  ended_at: Date | null;
  ends: string | null;
  exceptions: readonly { member: string; name: string | null; most: string | null }[] | null;
  counter: CounterRow | null;
  member_count: string;
  fullest: readonly MemberRow[] | null;
}

/** A rule as the API shows it. Source: docs/budgets.md#rule. */
export function budgetOf(row: BudgetRow, { readsOnly = false }: BudgetReader) {
  const { unit } = row;
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    subject: subjectOf(row),
    each: row.each,
    models: row.models,
    unit,
    period: row.period,
    timeZone: row.time_zone,
    limit: shownAmount(unit, row.limit_amount),
    mode: row.mode,
    enabled: row.enabled,
    locked: row.locked,
    managedByFile: row.managed_by_file,
    mayChange: row.may_change && !readsOnly,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    exceptions: (row.exceptions ?? []).map(({ member, name, most }) => ({
      member,
      memberName: name,
      limit: most === null ? null : shownAmount(unit, most),
    })),
    resetsAt: momentOf(row.counter?.ends ?? row.ends),
    window: row.counter === null ? null : counterOf(unit, row.counter),
    memberCount: Number(row.member_count),
    fullest: (row.fullest ?? []).map((member) => memberOf(unit, member)),
  };
}

function subjectOf({ subject_id, subject_name, owner }: BudgetRow) {
  return subject_id === null ? null : { id: subject_id, name: subject_name ?? "", owner };
}

/** A counter as the API shows it. Source: docs/budgets.md#windows. */
export function counterOf(unit: BudgetUnit, row: CounterRow) {
  return {
    startsAt: momentOf(row.starts),
    endsAt: momentOf(row.ends),
    limit: row.most === null ? null : shownAmount(unit, row.most),
    extra: shownAmount(unit, row.extra),
    used: shownAmount(unit, row.used),
    held: shownAmount(unit, row.held),
  };
}

/** The counter of a member as the API shows it. */
export function memberOf(unit: BudgetUnit, { member, name, counter }: MemberRow) {
  return { member, memberName: name, ...counterOf(unit, counter) };
}

function momentOf(milliseconds: string | null): string | null {
  return milliseconds === null ? null : new Date(Number(milliseconds)).toISOString();
}
