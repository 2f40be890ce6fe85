import type { Database, Session } from "@/lib/db/database";
import { closesAt, readStatementCalendar, type StatementCalendar } from "./calendar";
import { monthParams, openLinesSql, sumColumns } from "./lines";

/** A line as the checksum reads it: its columns, separated by commas, and a line feed. */
const LINE = `concat_ws(',', $3::text, of_month, user_id, key_id, model, requests, input_tokens, cache_read_tokens,
  cache_write_tokens, output_tokens, cost_micro_cents) || E'\\n'`;

/**
 * Closes the month $3 in one statement, when all before it are closed. The unique month decides between two processes:
 * the second waits for the first and writes nothing.
 */
const CLOSE = `WITH ${openLinesSql()},
due AS (SELECT * FROM open_lines WHERE of_month <= $3),
closed AS (
  INSERT INTO statements (month, starts_at, ends_at, closed_at, sha256)
  SELECT month, starts_at, (SELECT min(starts_at) FROM asked WHERE month > $3), $4::timestamptz,
    (SELECT sha256(convert_to(coalesce(string_agg(${LINE}, '' ORDER BY user_id, key_id, model COLLATE "C", of_month), ''),
      'UTF8')) FROM due)
  FROM asked WHERE month = $3 AND month = (SELECT min(month) FROM asked)
  ON CONFLICT DO NOTHING RETURNING month
),
written AS (
  INSERT INTO statement_lines
  SELECT closed.month, of_month, user_id, key_id, model, ${sumColumns((column) => column)} FROM closed CROSS JOIN due
)
SELECT month FROM closed`;

/**
 * Closes every month that may be closed at a moment, oldest first, each in one transaction. Returns the months that
 * this call closed. Several processes may run it at once. Source: docs/budgets.md#statements.
 */
export function closeMonths(database: Database, timeZone: string, now: Date): Promise<string[]> {
  return database.session(async (session) => {
    const calendar = await readStatementCalendar(session, timeZone, now);
    const closed: string[] = [];
    for (const { month } of calendar.months) {
      if (calendar.lastClosed !== null && month <= calendar.lastClosed) continue;
      if (now < closesAt(month, timeZone)) break;
      if (await closeMonth(session, calendar, month)) closed.push(month);
    }
    return closed;
  });
}

async function closeMonth(session: Session, calendar: StatementCalendar, month: string): Promise<boolean> {
  const rows = await session.query(CLOSE, [...monthParams(calendar), month, calendar.now]);
  return rows.length > 0;
}
