import { type SQL, sql } from "drizzle-orm";
import type { Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { QUARTER_HOUR_MS } from "./calendar";

/** The roll-ups that make up a range, by their starts. Units: milliseconds since 1970. */
export interface Cover {
  fourHours: number[];
  quarters: number[];
}

const FOUR_HOURS_MS = 16 * QUARTER_HOUR_MS;

/**
 * Covers the buckets that begin at `starts` and end at `to` with as many 4-hour roll-ups as possible that are complete
 * before `foldedUntil`. Every start is on the grid of 15 minutes; `to` may be inside a roll-up, which then counts.
 * Units: milliseconds since 1970.
 */
export function coverOf(starts: readonly number[], to: number, foldedUntil: number): Cover {
  const cover: Cover = { fourHours: [], quarters: [] };
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? to;
    const complete = Math.min(end, foldedUntil);
    for (let moment = start; moment < end; ) {
      const isWhole = moment % FOUR_HOURS_MS === 0 && moment + FOUR_HOURS_MS <= complete;
      (isWhole ? cover.fourHours : cover.quarters).push(moment);
      moment += isWhole ? FOUR_HOURS_MS : QUARTER_HOUR_MS;
    }
  }
  return cover;
}

/** The roll-ups of a range as a table to select from. */
export interface CoveringRollups {
  /** The parameters $1 and $2 of every query that selects from it. */
  params: [fourHours: string, quarters: string];
  /** The table; `where` narrows it, as ` AND ...`. */
  table(where: string): string;
}

/**
 * The fewest roll-ups that make up the buckets that begin at `starts` and end at `to` (not included). Units: milliseconds
 * since 1970.
 */
export async function coveringRollups(
  db: Session,
  starts: readonly number[],
  to: number,
): Promise<CoveringRollups> {
  const { done } = onlyRow(
    await db.query<{ done: Date }>("SELECT folded_until AS done FROM rollup_progress"),
  );
  const cover = coverOf(starts, to, done.getTime());
  return {
    params: [momentsText(cover.fourHours), momentsText(cover.quarters)],
    table: (where) => `(
      SELECT * FROM usage_rollups_4h WHERE bucket = ANY(${momentsOf("$1")})${where}
      UNION ALL SELECT * FROM usage_rollups WHERE bucket = ANY(${momentsOf("$2")})${where}
    )`,
  };
}

/** The table of roll-ups with its parameters, for a query that drizzle writes. */
export function boundRollups({ params: [fourHours, quarters], table }: CoveringRollups): SQL {
  const [begin = "", middle = "", end = ""] = table("").split(/\$[12]/);
  return sql`${sql.raw(begin)}${fourHours}${sql.raw(middle)}${quarters}${sql.raw(end)}`;
}

/** Moments as a parameter; arrays are sent as text, because the drivers treat arrays of timestamps differently. */
export function momentsText(moments: readonly number[]): string {
  return moments.map((moment) => new Date(moment).toISOString()).join(",");
}

/** The array of moments that such a parameter stands for, in SQL. */
export function momentsOf(parameter: string): string {
  return `string_to_array(${parameter}::text, ',')::timestamptz[]`;
}
