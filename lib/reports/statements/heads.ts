import type { Session } from "@/lib/db/database";
import { GatewayError } from "@/lib/kernel/errors";
import { closesAt, monthAfter, type StatementCalendar, startOfMonth } from "./calendar";

/** What all statements of a month share. */
export interface StatementHead {
  month: string;
  startsAt: Date;
  /** Not included. */
  endsAt: Date;
  /** From when on it may be closed; null: it is. */
  closesAt: Date | null;
  closedAt: Date | null;
  /** Of the lines of all accounts, in hexadecimal; null: it is open. */
  sha256: string | null;
}

interface Closed {
  month: string;
  starts_at: Date;
  ends_at: Date;
  closed_at: Date;
  sha256: string;
}

/** The months of all statements, newest first. */
export async function readStatementHeads(
  db: Pick<Session, "query">,
  { months, timeZone, lastClosed }: StatementCalendar,
): Promise<StatementHead[]> {
  const closed = await db.query<Closed>(
    `SELECT month, starts_at, ends_at, closed_at, encode(sha256, 'hex') AS sha256 FROM statements
     WHERE month <= $1 ORDER BY month`,
    [lastClosed ?? ""],
  );
  const heads = closed.map(
    (row): StatementHead => ({
      month: row.month,
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      closesAt: null,
      closedAt: row.closed_at,
      sha256: row.sha256,
    }),
  );
  for (const { month, startsAt } of months) {
    if (lastClosed !== null && month <= lastClosed) continue;
    const before = heads.at(-1);
    heads.push({
      month,
      startsAt: before?.endsAt ?? startsAt,
      endsAt: startOfMonth(monthAfter(month), timeZone),
      closesAt: closesAt(month, timeZone),
      closedAt: null,
      sha256: null,
    });
  }
  return heads.reverse();
}

/** The head of a month. Throws: NOT_FOUND for a month without statements. */
export function headOf(heads: readonly StatementHead[], month: string): StatementHead {
  const head = heads.find((one) => one.month === month);
  if (head === undefined) throw new GatewayError("NOT_FOUND", "There is no statement of this month.");
  return head;
}

/** A head as the API shows it. */
export function headRecordOf(head: StatementHead) {
  return {
    month: head.month,
    state: head.closedAt === null ? ("open" as const) : ("closed" as const),
    startsAt: head.startsAt.toISOString(),
    endsAt: head.endsAt.toISOString(),
    closesAt: head.closesAt?.toISOString() ?? null,
    closedAt: head.closedAt?.toISOString() ?? null,
    sha256: head.sha256,
  };
}
