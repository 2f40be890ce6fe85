import type { Session } from "@/lib/db/database";
import { centsDecimal } from "@/lib/kernel/money";
import { readStatementBalances } from "./balances";
import type { StatementCalendar } from "./calendar";
import { headRecordOf, type StatementHead } from "./heads";
import { addSums, noSums } from "./line-sums";
import type { LineSums } from "./lines";
import { sumRecordOf } from "./sum-record";
import { type StatementLine, walkStatementLines } from "./walk-lines";

const MAX_ROWS = 200;

/**
 * The statement of an account, or of one project with its opening and closing balances null. Money in cents as exact
 * decimal text. Source: docs/budgets.md#statements.
 */
export async function readAccountStatement(
  db: Pick<Session, "query">,
  calendar: StatementCalendar,
  head: StatementHead,
  of: { userId: string; projectId?: string | undefined },
) {
  const balances =
    of.projectId === undefined ? await readStatementBalances(db, calendar, head, of.userId) : null;
  const sums = new StatementSums();
  const lines = walkStatementLines(db, calendar, head, { ...of, maxRows: Number.MAX_SAFE_INTEGER });
  for await (const batch of lines) for (const line of batch) sums.add(line);
  const added = balances?.grants.reduce((sum, { amount }) => sum + amount, balances.otherGrants) ?? 0n;
  return {
    ...headRecordOf(head),
    timezone: calendar.timeZone,
    opening: balances && centsDecimal(balances.opening),
    closing: balances && centsDecimal(balances.opening + added - sums.all.cost_micro_cents),
    grants: (balances?.grants ?? []).map(({ id, type, at, amount, reason }) => ({
      id,
      type,
      createdAt: at.toISOString(),
      amount: centsDecimal(amount),
      reason,
    })),
    otherGrants: centsDecimal(balances?.otherGrants ?? 0n),
    totals: sumRecordOf(sums.all),
    models: topRows(sums.models),
    keys: topRows(sums.keys),
    late: topRows(sums.late),
  };
}

interface SumRow extends LineSums {
  id: string;
  name: string;
  keyPrefix: string | null;
  ofMonth: string | null;
}

/** Sums of the month itself by model and by key, and of what came late by month, key and model. */
class StatementSums {
  readonly all = noSums();
  readonly models = new Map<string, SumRow>();
  readonly keys = new Map<string, SumRow>();
  readonly late = new Map<string, SumRow>();

  add(line: StatementLine): void {
    const { model, key_id: id, key_name: name, key_prefix: keyPrefix, of_month: ofMonth } = line;
    addSums(this.all, line);
    if (ofMonth !== line.month) {
      const row = { id: `${ofMonth} ${id} ${model}`, name: model, keyPrefix, ofMonth };
      addSums(rowOf(this.late, row), line);
      return;
    }
    addSums(rowOf(this.models, { id: model, name: model, keyPrefix: null, ofMonth: null }), line);
    addSums(rowOf(this.keys, { id, name: name ?? "", keyPrefix, ofMonth: null }), line);
  }
}

function rowOf(rows: Map<string, SumRow>, row: Omit<SumRow, keyof LineSums>): SumRow {
  const found = rows.get(row.id) ?? { ...row, ...noSums() };
  rows.set(row.id, found);
  return found;
}

/** The 200 rows of the highest cost, and the sum of the others. */
function topRows(all: ReadonlyMap<string, SumRow>) {
  const sorted = [...all.values()].sort((a, b) => Number(b.cost_micro_cents - a.cost_micro_cents));
  const rest = sorted.slice(MAX_ROWS);
  const others = noSums();
  for (const row of rest) addSums(others, row);
  return {
    rows: sorted.slice(0, MAX_ROWS).map((row) => ({
      id: row.id,
      name: row.name,
      keyPrefix: row.keyPrefix,
      ofMonth: row.ofMonth,
      ...sumRecordOf(row),
    })),
    others: rest.length === 0 ? null : { count: rest.length, ...sumRecordOf(others) },
  };
}
