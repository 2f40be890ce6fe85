import { and, asc, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Orm } from "@/lib/db/database";
import { auditLog } from "@/lib/db/schema/accounts";
import { modelPrices, models } from "@/lib/db/schema/catalog";
import type { Prices } from "@/lib/shared/prices/price-version";
import { pricesOf, pricesOfDeclared } from "@/lib/shared/prices/stored-price";
import { priceEntry } from "./price-entry";

/** The prices that the audit keeps of a deleted model. */
const keptPrices = z.object({ priceHistory: z.array(priceEntry.loose().safeExtend({ version: z.int() })) });

/**
 * The price version by which a request was billed, with the prices per call of tools; null when it is not known. The
 * audit has that of a model that was deleted since; a newer model of the same name is another one.
 * Source: docs/contract.md#deleted-prices.
 */
export async function priceAt(
  orm: Orm,
  request: { model: string; priceVersion: number; createdAt: Date },
): Promise<Prices | null> {
  const { model: alias, priceVersion: version, createdAt } = request;
  const [deleted] = await orm
    .select({ before: auditLog.before })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.action, "model.delete"),
        gt(auditLog.createdAt, createdAt),
        sql`${auditLog.before} ->> 'alias' = ${alias}`,
      ),
    )
    .orderBy(asc(auditLog.createdAt))
    .limit(1);
  if (deleted !== undefined) {
    const history = keptPrices.safeParse(deleted.before).data?.priceHistory;
    const kept = history?.find((one) => one.version === version);
    return kept === undefined ? null : pricesOfDeclared(kept);
  }
  const [row] = await orm
    .select({ price: modelPrices })
    .from(modelPrices)
    .innerJoin(models, eq(models.id, modelPrices.modelId))
    .where(and(eq(models.alias, alias), eq(modelPrices.version, version)));
  return row === undefined ? null : pricesOf(row.price);
}
