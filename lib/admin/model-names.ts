import { arrayContains, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Orm } from "@/lib/db/database";
import { apiKeys, logViews } from "@/lib/db/schema/accounts";
import { budgets } from "@/lib/db/schema/budgets";

/** The names of a model. */
interface ModelNames {
  alias: string;
  alsoKnownAs: readonly string[];
}

/**
 * Replaces the former alias of a model by its new one in the lists of keys and budgets and in the filters of saved views. Removed
 * further names stay there, because another model may get them. Recorded requests keep the name that they had.
 * Source: docs/contract.md#key-models.
 */
export async function carryNames(tx: Orm, before: ModelNames, after: ModelNames): Promise<void> {
  const former = before.alias;
  if (former === after.alias || after.alsoKnownAs.includes(former)) return;
  // Keeps the order, and removes duplicate names.
  const renamed = (names: AnyPgColumn) => sql`(SELECT array_agg(name ORDER BY place) FROM (
      SELECT name, min(place) AS place FROM (
        SELECT CASE WHEN old = ${former} THEN ${after.alias}::text ELSE old END AS name, place
        FROM unnest(${names}) WITH ORDINALITY AS listed(old, place)
      ) renamed GROUP BY name
    ) once)`;
  await tx
    .update(apiKeys)
    .set({ models: renamed(apiKeys.models) })
    .where(arrayContains(apiKeys.models, [former]));
  await tx
    .update(budgets)
    .set({ models: renamed(budgets.models) })
    .where(arrayContains(budgets.models, [former]));
  await tx
    .update(logViews)
    .set({
      views: sql`(SELECT jsonb_agg(
        CASE WHEN view #>> '{filters,model}' = ${former}
          THEN jsonb_set(view, '{filters,model}', to_jsonb(${after.alias}::text)) ELSE view END ORDER BY place
      ) FROM jsonb_array_elements(${logViews.views}) WITH ORDINALITY AS kept(view, place))`,
    })
    .where(
      sql`EXISTS (SELECT FROM jsonb_array_elements(${logViews.views}) view WHERE view #>> '{filters,model}' = ${former})`,
    );
}
