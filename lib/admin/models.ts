import { and, arrayOverlaps, asc, eq, inArray, ne, or, sql } from "drizzle-orm";
import type { ModelEntry } from "@/lib/config/file-schema";
import type { Orm, Session } from "@/lib/db/database";
import { modelPrices, models, nodes, routes } from "@/lib/db/schema/catalog";
import { badField, GatewayError, isGatewayError } from "@/lib/kernel/errors";
import { embeddingNodes } from "@/lib/protocols/embeddings/adapter";
import {
  type Actor,
  type AuditEvent,
  changeConfig,
  refuseManagedByFile,
  requireFound,
  takenName,
  uuidOf,
} from "./audit";
import { carryNames } from "./model-names";
import { insertPrice, priceRecordOf } from "./prices";

type ModelRow = typeof models.$inferSelect;

/** A model with its routes and current price, with the field names of `tollgate.yaml`. */
export type ModelRecord = Awaited<ReturnType<typeof recordsOf>>[number];

/** Every model in order of alias. */
export async function listModels(db: Session): Promise<ModelRecord[]> {
  return recordsOf(db.orm, await db.orm.select().from(models).orderBy(asc(models.alias)));
}

/** One model. Throws: NOT_FOUND. */
export async function findModel(db: Session, id: string): Promise<ModelRecord> {
  return recordOf(db.orm, await modelById(db.orm, id));
}

/**
 * Creates a model; without price or route it is not live. Throws: INVALID_REQUEST, CONFLICT.
 * Source: docs/contract.md#s3.
 */
export async function createModel(db: Session, actor: Actor, input: ModelEntry): Promise<ModelRecord> {
  return changeConfig(db, actor, async (tx) => {
    const result = await insertModel(tx, actor, input);
    return { result, audit: creationOf(result) };
  });
}

/** Creates several models, or none. Throws: as `createModel`; fields are named `models.<index>`. */
export async function createModels(
  db: Session,
  actor: Actor,
  inputs: readonly ModelEntry[],
): Promise<ModelRecord[]> {
  return changeConfig(db, actor, async (tx) => {
    const result: ModelRecord[] = [];
    for (const [index, input] of inputs.entries())
      result.push(await insertModel(tx, actor, input).catch(throwFor(`models.${index}`, input)));
    return { result, audit: result.map(creationOf) };
  });
}

/** Throws the error of a refused model with its name and index. */
function throwFor(path: string, { alias }: ModelEntry): (error: unknown) => never {
  return (error) => {
    if (!isGatewayError(error)) throw error;
    const { code, message, details } = error;
    const own = details.fields ?? { alias: [message] };
    const fields = Object.fromEntries(Object.entries(own).map(([name, told]) => [`${path}.${name}`, told]));
    throw new GatewayError(code, `${alias}: ${message}`, { fields });
  };
}

async function insertModel(tx: Orm, actor: Actor, input: ModelEntry): Promise<ModelRecord> {
  const { prices, routes: wanted, ...columns } = input;
  await refuseTakenNames(tx, input, null);
  const [row] = await tx.insert(models).values(columns).returning();
  const model = requireFound(row, "model");
  await writeRoutes(tx, model.id, wanted);
  if (prices) await insertPrice(tx, model.id, prices, { actorId: actor.id });
  const result = await recordOf(tx, model);
  refuseUnableNodes(result, wanted);
  return result;
}

function creationOf(model: ModelRecord): AuditEvent {
  return { action: "model.create", targetType: "model", targetId: model.id, after: model };
}

/**
 * Changes a model; `routes` replaces them all, `prices` adds a version. Throws: NOT_FOUND, INVALID_REQUEST, CONFLICT.
 */
export async function updateModel(
  db: Session,
  actor: Actor,
  id: string,
  change: Partial<ModelEntry>,
): Promise<ModelRecord> {
  return changeConfig(db, actor, async (tx) => {
    const model = await modelById(tx, id);
    refuseManagedByFile(model);
    const before = await recordOf(tx, model);
    const { prices, routes: wanted, ...columns } = change;
    await refuseTakenNames(tx, change, model.id);
    const [row] = await tx
      .update(models)
      .set({ ...columns, leftFileAt: null, updatedAt: new Date() })
      .where(eq(models.id, model.id))
      .returning();
    const changed = requireFound(row, "model");
    await carryNames(tx, model, changed);
    if (wanted) await writeRoutes(tx, model.id, wanted);
    if (prices) await insertPrice(tx, model.id, prices, { actorId: actor.id });
    const result = await recordOf(tx, changed);
    if (wanted || change.kind) refuseUnableNodes(result, wanted);
    return {
      result,
      audit: { action: "model.update", targetType: "model", targetId: model.id, before, after: result },
    };
  });
}

/**
 * Removes a model with its routes; requests it served stay in ledger and log, and the audit keeps its prices for their
 * receipts. Throws: NOT_FOUND, CONFLICT. Source: docs/contract.md#deleted-prices.
 */
export async function deleteModel(db: Session, actor: Actor, id: string): Promise<void> {
  await changeConfig(db, actor, async (tx) => {
    const model = await modelById(tx, id);
    refuseManagedByFile(model);
    const prices = await tx
      .select()
      .from(modelPrices)
      .where(eq(modelPrices.modelId, model.id))
      .orderBy(asc(modelPrices.version));
    // Receipts of the model's requests are still computed from these prices.
    const before = { ...(await recordOf(tx, model)), priceHistory: prices.map(priceRecordOf) };
    await tx.delete(models).where(eq(models.id, model.id));
    return {
      result: undefined,
      audit: { action: "model.delete", targetType: "model", targetId: model.id, before },
    };
  });
}

async function modelById(orm: Orm, id: string): Promise<ModelRow> {
  const [row] = await orm
    .select()
    .from(models)
    .where(eq(models.id, uuidOf(id, "model")))
    .limit(1);
  return requireFound(row, "model");
}

/** Refuses names that already belong to another model; the error names the field with the name. */
async function refuseTakenNames(
  tx: Orm,
  { alias, alsoKnownAs = [] }: Partial<Pick<ModelEntry, "alias" | "alsoKnownAs">>,
  ownId: string | null,
): Promise<void> {
  const names = [...(alias === undefined ? [] : [alias]), ...alsoKnownAs];
  if (names.length === 0) return;
  const [taken] = await tx
    .select({ alias: models.alias, alsoKnownAs: models.alsoKnownAs })
    .from(models)
    .where(
      and(
        ownId === null ? undefined : ne(models.id, ownId),
        or(inArray(models.alias, names), arrayOverlaps(models.alsoKnownAs, names)),
      ),
    )
    .limit(1);
  if (taken === undefined) return;
  const its = [taken.alias, ...taken.alsoKnownAs];
  const field = alias !== undefined && its.includes(alias) ? "alias" : "alsoKnownAs";
  throw takenName(field, `${field === "alias" ? "is" : "has"} a name of ${taken.alias} already`);
}

async function writeRoutes(tx: Orm, modelId: string, wanted: ModelEntry["routes"]): Promise<void> {
  await tx.delete(routes).where(eq(routes.modelId, modelId));
  if (wanted.length === 0) return;
  const rows = await tx.select({ id: nodes.id, name: nodes.name }).from(nodes);
  const ids = new Map(rows.map((row) => [row.name, row.id]));
  await tx.insert(routes).values(
    wanted.map(({ node, model, priority, weight, cost }, index) => {
      const nodeId = ids.get(node);
      if (nodeId === undefined) throw badField(`routes.${index}.node`, "is not the name of a node");
      return { modelId, nodeId, upstreamModel: model, priority, weight, cost };
    }),
  );
}

/** Throws: INVALID_REQUEST for a model that makes embeddings with a node whose protocol has none. */
function refuseUnableNodes({ kind, routes }: ModelRecord, wanted: ModelEntry["routes"] | undefined): void {
  const unable = kind === "embedding" ? routes.find(({ protocol }) => !embeddingNodes[protocol]) : undefined;
  if (unable === undefined) return;
  const index = wanted?.findIndex(({ node }) => node === unable.node);
  throw badField(
    index === undefined ? "kind" : `routes.${index}.node`,
    `must not be \`${index === undefined ? kind : unable.node}\`: ${unable.node} speaks ${unable.protocol}, which has no embeddings`,
  );
}

async function recordOf(orm: Orm, row: ModelRow): Promise<ModelRecord> {
  const [record] = await recordsOf(orm, [row]);
  return requireFound(record, "model");
}

async function recordsOf(orm: Orm, rows: readonly ModelRow[]) {
  const routeRows = await orm
    .select({ route: routes, node: { name: nodes.name, protocol: nodes.protocol, enabled: nodes.enabled } })
    .from(routes)
    .innerJoin(nodes, eq(nodes.id, routes.nodeId))
    .orderBy(asc(routes.priority), asc(nodes.name));
  const prices = await orm
    .select({ price: modelPrices, inForce: sql<boolean>`${modelPrices.validFrom} <= now()` })
    .from(modelPrices)
    .orderBy(asc(modelPrices.validFrom), asc(modelPrices.version));
  const priceOf = new Map<string, ReturnType<typeof priceRecordOf>>();
  const plannedOf = new Map<string, ReturnType<typeof priceRecordOf>>();
  const newestOf = new Map<string, number>();
  for (const { price, inForce } of prices) {
    if (inForce) priceOf.set(price.modelId, priceRecordOf(price));
    else if (!plannedOf.has(price.modelId)) plannedOf.set(price.modelId, priceRecordOf(price));
    newestOf.set(price.modelId, Math.max(newestOf.get(price.modelId) ?? 0, price.version));
  }
  return rows.map((row) => {
    const own = routeRows.filter(({ route }) => route.modelId === row.id);
    const price = priceOf.get(row.id) ?? null;
    const { leftFileAt, createdAt, updatedAt, ...columns } = row;
    return {
      ...columns,
      prices: price,
      plannedPrices: plannedOf.get(row.id) ?? null,
      newestPriceVersion: newestOf.get(row.id) ?? null,
      routes: own.map(({ route, node }) => ({
        node: node.name,
        nodeId: route.nodeId,
        protocol: node.protocol,
        model: route.upstreamModel,
        priority: route.priority,
        weight: route.weight,
        cost: route.cost,
      })),
      live: row.enabled && price !== null && own.some(({ node }) => node.enabled),
      leftFileAt: leftFileAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  });
}
