import { arrayOverlaps, sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { apiKeys, logViews } from "@/lib/db/schema/accounts";

/** The names of a model. */
interface ModelNames {
  alias: string;
  alsoKnownAs: readonly string[];
}

/**
 * Puts the alias of a model where names that it no longer has stand: in the lists of keys, and in the filters of saved
 * views. What was recorded keeps the name of its time. Source: docs/contract.md#key-models.
 */
export async function carryNames(tx: Orm, before: ModelNames, after: ModelNames): Promise<void> {
  const kept = new Set([after.alias, ...after.alsoKnownAs]);
  const gone = [before.alias, ...before.alsoKnownAs].filter((name) => !kept.has(name) && !name.endsWith("*"));
  if (gone.length === 0) return;
  const names = sql`ARRAY[${sql.join(
    gone.map((name) => sql`${name}::text`),
    sql`, `,
  )}]`;
  // The order stays, and no name stands twice.
  await tx
    .update(apiKeys)
    .set({
      models: sql`(SELECT array_agg(name ORDER BY place) FROM (
        SELECT name, min(place) AS place FROM (
          SELECT CASE WHEN old = ANY(${names}) THEN ${after.alias}::text ELSE old END AS name, place
          FROM unnest(${apiKeys.models}) WITH ORDINALITY AS listed(old, place)
        ) renamed GROUP BY name
      ) once)`,
    })
    .where(arrayOverlaps(apiKeys.models, gone));
  await tx
    .update(logViews)
    .set({
      views: sql`(SELECT jsonb_agg(
        CASE WHEN view #>> '{filters,model}' = ANY(${names})
          THEN jsonb_set(view, '{filters,model}', to_jsonb(${after.alias}::text)) ELSE view END ORDER BY place
      ) FROM jsonb_array_elements(${logViews.views}) WITH ORDINALITY AS kept(view, place))`,
    })
    .where(
      sql`EXISTS (SELECT FROM jsonb_array_elements(${logViews.views}) view WHERE view #>> '{filters,model}' = ANY(${names}))`,
    );
}
