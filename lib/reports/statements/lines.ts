import type { StatementCalendar } from "./calendar";

/** The sums of a line. Units: requests, tokens, micro-cents. */
export interface LineSums {
  requests: bigint;
  input_tokens: bigint;
  cache_read_tokens: bigint;
  cache_write_tokens: bigint;
  output_tokens: bigint;
  cost_micro_cents: bigint;
}

/** The columns of the sums. */
export const SUMS = [
  "requests",
  "input_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "output_tokens",
  "cost_micro_cents",
] as const satisfies readonly (keyof LineSums)[];

/** The columns of the sums, each made by `expression`. */
export function sumColumns(expression: (column: string) => string): string {
  return SUMS.map((column) => `${expression(column)} AS ${column}`).join(", ");
}

const ROLLUP_SUMS = `request_count AS requests, prompt_tokens - cache_read_tokens - cache_write_tokens AS input_tokens,
  cache_read_tokens, cache_write_tokens, completion_tokens AS output_tokens, cost_micro_cents`;

/**
 * `asked`: the months that are not closed; the first begins where the last closed one ends, so that months have no gap
 * also after a change of the zone. `bounds`: the starts of all months. What lies before the first month counts in it,
 * what lies after the last one in that.
 */
const months = (
  closed: string,
) => `last AS (SELECT max(month) AS month, max(ends_at) AS ends_at FROM statements),
asked AS (
  SELECT m.month, CASE row_number() OVER (ORDER BY m.month) WHEN 1 THEN coalesce(last.ends_at, m.starts_at)
    ELSE m.starts_at END AS starts_at
  FROM (SELECT unnest(string_to_array($1::text, ',')) AS month,
    unnest(string_to_array($2::text, ',')::timestamptz[]) AS starts_at) m CROSS JOIN last
  WHERE last.month IS NULL OR m.month > last.month
),
months AS (SELECT month, starts_at FROM ${closed} UNION ALL SELECT month, starts_at FROM asked),
bounds AS (SELECT array_agg(starts_at ORDER BY month) AS starts, array_agg(month ORDER BY month) AS names FROM months)`;

/** The month of a roll-up. */
const MONTH_OF = "(SELECT names FROM bounds)[greatest(1, width_bucket(bucket, (SELECT starts FROM bounds)))]";

const CUT = `cut AS (
  SELECT DISTINCT four_hours_of(starts_at) AS begin FROM months WHERE four_hours_of(starts_at) < starts_at
)`;

/** Each roll-up once: those of four hours, and those of 15 minutes where these are not made or a month begins in one. */
function rollups(columns: string, where: string): string {
  return `SELECT ${columns} FROM usage_rollups_4h
  WHERE bucket < (SELECT folded_until FROM rollup_progress) AND bucket NOT IN (SELECT begin FROM cut)${where}
  UNION ALL SELECT ${columns} FROM usage_rollups
  WHERE bucket >= (SELECT folded_until FROM rollup_progress)${where}
  UNION ALL SELECT ${columns} FROM cut JOIN usage_rollups
    ON bucket >= cut.begin AND bucket < cut.begin + interval '4 hours'
  WHERE cut.begin < (SELECT folded_until FROM rollup_progress)${where}`;
}

/**
 * `since`: the oldest month with a line that is not stored. Each settlement adds a request, so the number of requests
 * tells of which closed months some are missing; lines are then summed from the oldest of these on, usually from the
 * first open month.
 */
const since = (where: string, range: typeof EVER) => `late AS (
  SELECT month FROM (
    SELECT ${MONTH_OF} AS month, request_count AS requests
    FROM (${rollups("bucket, request_count", where + range.rollups)}) counted
    UNION ALL SELECT of_month, -requests FROM statement_lines WHERE true${where}${range.lines}
  ) each WHERE month <= (SELECT month FROM last) GROUP BY month HAVING sum(requests) <> 0
),
since AS (
  SELECT month, CASE WHEN EXISTS (SELECT FROM statements WHERE statements.month < months.month) THEN starts_at
    ELSE '-infinity' END AS starts_at
  FROM months WHERE month = coalesce((SELECT min(month) FROM late), (SELECT min(month) FROM asked))
)`;

/** What a reader of lines wants. */
interface LinesOptions {
  /** Narrows roll-ups and lines, as ` AND ...`. */
  where?: string;
  /** Looks for what has settled late in the last twelve closed months only. */
  recent?: boolean;
}

const RECENT = {
  closed: "(SELECT month, starts_at FROM statements ORDER BY month DESC LIMIT 12) recent",
  /** What lies before the first month of all counts in it. */
  rollups: ` AND bucket >= CASE WHEN (SELECT count(*) FROM statements) > 12
    THEN (SELECT min(starts_at) FROM months) ELSE '-infinity' END`,
  lines: " AND of_month >= (SELECT min(month) FROM months)",
};
const EVER = { closed: "statements", rollups: "", lines: "" };

/**
 * The tables `asked` and `open_lines`, for a WITH: what roll-ups have more than all stored lines of the same month.
 * That is all of a month that is not closed, and what has settled in closed ones since. Parameters: $1 and $2 of
 * `monthParams`.
 */
export function openLinesSql({ where = "", recent = false }: LinesOptions = {}): string {
  const range = recent ? RECENT : EVER;
  const columns = `bucket, user_id, key_id, model, ${ROLLUP_SUMS}`;
  return `${months(range.closed)},
${CUT},
${since(where, range)},
open_lines AS (
  SELECT of_month, user_id, key_id, model, ${sumColumns((column) => `sum(${column})::bigint`)} FROM (
    SELECT ${MONTH_OF} AS of_month, user_id, key_id, model, ${SUMS.join(", ")}
    FROM (${rollups(columns, `${where} AND bucket >= (SELECT starts_at FROM since)`)}) rollups
    UNION ALL SELECT of_month, user_id, key_id, model, ${sumColumns((column) => `-${column}`)}
    FROM statement_lines WHERE of_month >= (SELECT month FROM since)${where}
  ) each GROUP BY 1, 2, 3, 4 HAVING ${SUMS.map((column) => `sum(${column}) <> 0`).join(" OR ")}
)`;
}

/**
 * The table `lines`, for a WITH: the stored lines, and the open ones under the month that will store them.
 * Parameters: as `openLinesSql`. Source: docs/budgets.md#statements.
 */
export function allLinesSql(options: LinesOptions = {}): string {
  const columns = `of_month, user_id, key_id, model, ${SUMS.join(", ")}`;
  return `${openLinesSql(options)},
lines AS (
  SELECT month, ${columns} FROM statement_lines WHERE true${options.where ?? ""}
  UNION ALL SELECT greatest(of_month, (SELECT min(month) FROM asked)), ${columns} FROM open_lines
)`;
}

/** The same for months that are closed: only stored lines. Takes the parameters $1 and $2 without use. */
export function closedLinesSql({ where = "" }: LinesOptions = {}): string {
  return `unused AS (SELECT $1::text, $2::text),
lines AS (SELECT * FROM statement_lines WHERE true${where})`;
}

/** The parameters $1 and $2 of the tables: the months with their starts. */
export function monthParams({ months }: StatementCalendar): [months: string, starts: string] {
  return [
    months.map(({ month }) => month).join(","),
    months.map(({ startsAt }) => startsAt.toISOString()).join(","),
  ];
}
