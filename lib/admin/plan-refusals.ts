import { type SQL, sql } from "drizzle-orm";
import type { Session } from "@/lib/db/database";
import { apiKeys } from "@/lib/db/schema/accounts";
import { errorCodeOrder } from "@/lib/kernel/errors";

/** For each plan: the number of accounts with a key of which a request was rate limited in the time of the roll-ups. */
export async function refusalsByPlan(db: Session, rollups: SQL) {
  const rateLimited = sql.raw(String(errorCodeOrder.indexOf("RATE_LIMITED") + 1));
  return db.orm
    .select({
      planId: apiKeys.planId,
      refusedUserCount: sql<number>`count(DISTINCT ${apiKeys.userId})::int`,
    })
    .from(sql`${rollups} found`)
    .innerJoin(apiKeys, sql`${apiKeys.id} = found.key_id`)
    .where(sql`found.error_counts[${rateLimited}] > 0`)
    .groupBy(apiKeys.planId);
}
