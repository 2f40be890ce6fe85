import type { Database } from "@/lib/db/database";
import { maintainStoredResponses } from "@/lib/db/partitions";

/** Maintains stored responses until no other user of the table, such as autovacuum, holds it up. Returns all that was done. */
export async function maintainUnblocked(
  database: Database,
  hours: number,
  at: Date,
): Promise<{ made: number; dropped: number }> {
  const sum = { made: 0, dropped: 0 };
  for (;;) {
    const { made, dropped, blocked } = await maintainStoredResponses(database, hours, at);
    sum.made += made;
    sum.dropped += dropped;
    if (!blocked) return sum;
  }
}
