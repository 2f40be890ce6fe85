import { arrayOverlaps, asc, inArray, or, sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { models } from "@/lib/db/schema/catalog";
import { badField } from "@/lib/kernel/errors";

const MAX_TOLD = 10;

/**
 * Refuses names in a key's list that match no model: no alias, no further name and no pattern of further names. `kept`:
 * names that the key has already, which are not checked. Named models cannot be renamed until the transaction ends.
 * Throws: INVALID_REQUEST. Source: docs/contract.md#key-models.
 */
export async function requireKnownModels(
  orm: Orm,
  names: readonly string[],
  kept: readonly string[] = [],
): Promise<void> {
  const added = names.filter((name) => !kept.includes(name));
  if (added.length === 0) return;
  const hasPattern = sql`EXISTS (SELECT FROM unnest(${models.alsoKnownAs}) own WHERE own LIKE '%*')`;
  const rows = await orm
    .select({ alias: models.alias, alsoKnownAs: models.alsoKnownAs })
    .from(models)
    .where(or(inArray(models.alias, added), arrayOverlaps(models.alsoKnownAs, added), hasPattern))
    .orderBy(asc(models.id)) // every transaction locks them in the same order
    .for("share");
  const own = rows.flatMap(({ alias, alsoKnownAs }) => [alias, ...alsoKnownAs]);
  const exact = new Set(own.filter((name) => !name.endsWith("*")));
  const prefixes = own.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  const isKnown = (name: string) =>
    exact.has(name) || (!name.includes("*") && prefixes.some((prefix) => name.startsWith(prefix)));
  const unknown = [...new Set(added)].filter((name) => !isKnown(name));
  if (unknown.length === 0) return;
  const more = unknown.length > MAX_TOLD ? ` and ${unknown.length - MAX_TOLD} more` : "";
  throw badField("models", `has names of no model: ${unknown.slice(0, MAX_TOLD).join(", ")}${more}`);
}
