import { sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { sqlState } from "@/lib/db/database-error";
import { badField } from "@/lib/kernel/errors";
import type { BudgetPeriod } from "@/lib/shared/budget-words";

/** A period; null: it has no beginning or no end. Units: milliseconds since 1970. */
export interface Period {
  startsMs: number | null;
  endsMs: number | null;
}

/** The period that the database's present moment lies in. Throws: INVALID_REQUEST for a zone that the database does not know. */
export async function runningPeriod(orm: Orm, period: BudgetPeriod, timeZone: string): Promise<Period> {
  const milliseconds = (moment: "starts" | "ends") =>
    sql<
      string | null
    >`CASE WHEN isfinite(t.${sql.raw(moment)}) THEN floor(1000 * extract(epoch FROM t.${sql.raw(moment)}))::bigint::text END`;
  try {
    const [found] = await orm
      .select({ starts: milliseconds("starts"), ends: milliseconds("ends") })
      .from(sql`budget_period(${period}::text, ${timeZone}::text, now()) AS t`);
    return { startsMs: numberOf(found?.starts), endsMs: numberOf(found?.ends) };
  } catch (error) {
    if (sqlState(error) !== "22023") throw error;
    throw badField("timeZone", "is a time zone that the database does not know");
  }
}

function numberOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Number(text);
}
