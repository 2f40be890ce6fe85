import { asc, desc, eq } from "drizzle-orm";
import { centsPerMillion } from "@/lib/billing/price";
import { type PriceEntry, priceColumns } from "@/lib/config/file-schema";
import type { Orm, Session } from "@/lib/db/database";
import { modelPrices, models } from "@/lib/db/schema/catalog";
import { badField } from "@/lib/kernel/errors";
import { callPriceRecord, callPricesOf } from "@/lib/kernel/usage";
import { type Actor, changeConfig, found, refuseManagedByFile } from "./audit";

type PriceRow = typeof modelPrices.$inferSelect;

/** Price versions, newest first; of one alias or of all. */
export async function listPrices(db: Session, alias: string | undefined) {
  const rows = await db.orm
    .select({ alias: models.alias, price: modelPrices })
    .from(modelPrices)
    .innerJoin(models, eq(models.id, modelPrices.modelId))
    .where(alias === undefined ? undefined : eq(models.alias, alias))
    .orderBy(asc(models.alias), desc(modelPrices.version));
  return rows.map((row) => ({ model: row.alias, ...priceRecordOf(row.price) }));
}

/**
 * Adds a price version; older ones never change. Without `validFrom` it takes effect at once. The version that took
 * effect last is in force: a future version takes effect even when another was added after it.
 * Throws: INVALID_REQUEST (unknown model, a moment in the past), CONFLICT (managed by file).
 * Source: docs/reliability.md#s2-1.
 */
export async function addPrice(
  db: Session,
  actor: Actor,
  input: PriceEntry & { model: string; validFrom?: Date | undefined },
  now: Date,
) {
  const { model: alias, validFrom, ...prices } = input;
  if (validFrom !== undefined && validFrom < now) throw badField("validFrom", "must not be in the past");
  return changeConfig(db, actor, async (tx) => {
    const [model] = await tx.select().from(models).where(eq(models.alias, alias)).limit(1).for("update");
    if (model === undefined) throw badField("model", "is not the alias of a model");
    refuseManagedByFile(model);
    const before = await newestPrice(tx, model.id);
    const row = await insertPrice(tx, model.id, prices, { actorId: actor.id, validFrom });
    const result = { model: alias, ...priceRecordOf(row) };
    return {
      result,
      audit: {
        action: "price.create",
        targetType: "price",
        targetId: alias,
        before: before && priceRecordOf(before),
        after: result,
      },
    };
  });
}

/** The price version with the highest number, or null. */
async function newestPrice(orm: Orm, modelId: string): Promise<PriceRow | null> {
  const [row] = await orm
    .select()
    .from(modelPrices)
    .where(eq(modelPrices.modelId, modelId))
    .orderBy(desc(modelPrices.version))
    .limit(1);
  return row ?? null;
}

/** Appends a price version. The caller has locked the model's row, so version numbers are unique. */
export async function insertPrice(
  tx: Orm,
  modelId: string,
  prices: PriceEntry,
  origin: { actorId: string; validFrom?: Date | undefined },
): Promise<PriceRow> {
  const newest = await newestPrice(tx, modelId);
  const [row] = await tx
    .insert(modelPrices)
    .values({
      modelId,
      version: (newest?.version ?? 0) + 1,
      ...priceColumns(prices),
      createdBy: origin.actorId,
      ...(origin.validFrom ? { validFrom: origin.validFrom } : {}),
    })
    .returning();
  return found(row, "price");
}

/** A price version in cents per 1M tokens and micro-cents per call. */
export function priceRecordOf(row: PriceRow) {
  return {
    version: row.version,
    input: centsPerMillion(row.inputNanoCents),
    output: centsPerMillion(row.outputNanoCents),
    cacheRead: centsPerMillion(row.cacheReadNanoCents ?? row.inputNanoCents),
    cacheWrite: centsPerMillion(row.cacheWriteNanoCents ?? row.inputNanoCents),
    perCall: callPriceRecord(callPricesOf(row)),
    validFrom: row.validFrom.toISOString(),
  };
}
