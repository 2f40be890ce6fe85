import { and, asc, desc, eq, gt, lte, sql } from "drizzle-orm";
import { type PriceEntry, priceEntry } from "@/lib/config/price-entry";
import type { Orm, Session } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { modelPrices, models } from "@/lib/db/schema/catalog";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { priceFieldsOf } from "@/lib/shared/prices/price-fields";
import { scaledPrices } from "@/lib/shared/prices/scaled-prices";
import { declaredPriceOf, pricesOf, storedPriceOf } from "@/lib/shared/prices/stored-price";
import { type Actor, changeConfig, refuseManagedByFile, requireFound, uuidOf } from "./audit";

type PriceRow = typeof modelPrices.$inferSelect;

/** Price versions with the account that added them, the latest effective date first; of one alias or of all. */
export async function listPrices(db: Session, alias: string | undefined) {
  const rows = await db.orm
    .select({ alias: models.alias, price: modelPrices, createdBy: users.username })
    .from(modelPrices)
    .innerJoin(models, eq(models.id, modelPrices.modelId))
    .leftJoin(users, eq(users.id, modelPrices.createdBy))
    .where(alias === undefined ? undefined : eq(models.alias, alias))
    .orderBy(asc(models.alias), desc(modelPrices.validFrom), desc(modelPrices.version));
  return rows.map((row) => ({
    model: row.alias,
    ...priceRecordOf(row.price),
    createdBy: row.createdBy,
  }));
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
  refusePast(validFrom, now);
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

/** Throws: INVALID_REQUEST for a moment in the past. */
export function refusePast(validFrom: Date | undefined, now: Date): void {
  if (validFrom !== undefined && validFrom < now) throw badField("validFrom", "must not be in the past");
}

/**
 * Adds a version whose prices are those in force times a factor, rounded to the nearest; a price that is not yet in force
 * stays as it is. Without `validFrom` it takes effect at once. Units: the factor has at most 4 decimals.
 * Throws: NOT_FOUND, CONFLICT (managed by file), INVALID_REQUEST (no price, too high a price).
 */
export async function scalePrices(
  db: Session,
  actor: Actor,
  modelId: string,
  { factor, validFrom }: { factor: number; validFrom: Date | undefined },
): Promise<void> {
  await changeConfig(db, actor, async (tx) => {
    const id = uuidOf(modelId, "model");
    const [row] = await tx.select().from(models).where(eq(models.id, id)).limit(1).for("update");
    const model = requireFound(row, "model");
    refuseManagedByFile(model);
    const [inForce] = await tx
      .select()
      .from(modelPrices)
      .where(and(eq(modelPrices.modelId, id), lte(modelPrices.validFrom, sql`now()`)))
      .orderBy(desc(modelPrices.validFrom), desc(modelPrices.version))
      .limit(1);
    if (inForce === undefined) throw badField("priceFactor", "needs a price in force, and there is none");
    const made = await insertPrice(tx, id, scaledEntry(inForce, factor), { actorId: actor.id, validFrom });
    return {
      result: undefined,
      audit: {
        action: "price.create",
        targetType: "price",
        targetId: model.alias,
        before: priceRecordOf(inForce),
        after: { model: model.alias, ...priceRecordOf(made) },
      },
    };
  });
}

/** Throws: INVALID_REQUEST for a price above the highest one. */
function scaledEntry(row: PriceRow, factor: number): PriceEntry {
  const read = priceEntry.safeParse(scaledPrices(declaredPriceOf(row), factor));
  if (!read.success) throw badField("priceFactor", "would make a price higher than prices can be");
  return read.data;
}

/**
 * Withdraws a price version before it takes effect. Throws: NOT_FOUND, CONFLICT (in force already, managed by file).
 */
export async function withdrawPrice(
  db: Session,
  actor: Actor,
  target: { modelId: string; version: string },
): Promise<void> {
  await changeConfig(db, actor, async (tx) => {
    const id = uuidOf(target.modelId, "model");
    const [row] = await tx.select().from(models).where(eq(models.id, id)).limit(1).for("update");
    const model = requireFound(row, "model");
    refuseManagedByFile(model);
    const version = /^\d{1,9}$/.test(target.version) ? Number(target.version) : 0;
    const one = and(eq(modelPrices.modelId, id), eq(modelPrices.version, version));
    const [withdrawn] = await tx
      .delete(modelPrices)
      .where(and(one, gt(modelPrices.validFrom, sql`now()`)))
      .returning();
    if (withdrawn === undefined) {
      requireFound((await tx.select().from(modelPrices).where(one).limit(1))[0], "price version");
      throw new GatewayError("CONFLICT", "This price is in force, or has been: it can only be replaced.");
    }
    const before = { model: model.alias, ...priceRecordOf(withdrawn) };
    const { alias } = model;
    return {
      result: undefined,
      audit: { action: "price.delete", targetType: "price", targetId: alias, before },
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
      ...storedPriceOf(prices),
      createdBy: origin.actorId,
      ...(origin.validFrom ? { validFrom: origin.validFrom } : {}),
    })
    .returning();
  return requireFound(row, "price");
}

/** A price version in cents per 1M tokens and micro-cents per call. */
export function priceRecordOf(row: PriceRow) {
  return { version: row.version, ...priceFieldsOf(pricesOf(row)), validFrom: row.validFrom.toISOString() };
}
