import { isDeepStrictEqual } from "node:util";
import { and, desc, eq, notInArray } from "drizzle-orm";
import type { Orm } from "@/lib/db/client";
import { modelPrices, models, nodes, routes } from "@/lib/db/schema/catalog";
import { nanoCentsFromCents } from "./cents";
import type { ModelEntry, PriceEntry } from "./file-schema";
import { StartupError } from "./startup-error";

type ModelRow = typeof models.$inferSelect;

/** Where an unknown node of a route is declared, for the refusal. */
type RoutePlace = (modelIndex: number, routeIndex: number) => string;

/**
 * Makes the declared models so, with their routes and prices, and lets go of those no longer declared. A price that
 * stays the same gets no new version. Shape: true when anything changed.
 * Throws: StartupError for a route to an unknown node.
 */
export async function declareModels(
  tx: Orm,
  entries: readonly ModelEntry[],
  placeOf: RoutePlace,
): Promise<boolean> {
  const existing = await modelsByAlias(tx);
  const nodeIds = await nodeIdsByName(tx);
  refuseUnknownNodes(entries, nodeIds, placeOf);
  let changed = await releaseModels(
    tx,
    entries.map((entry) => entry.alias),
  );
  for (const entry of entries) {
    const row = existing.get(entry.alias);
    changed =
      (await (row ? updateModel(tx, row, entry, nodeIds) : insertModel(tx, entry, nodeIds, true))) || changed;
  }
  return changed;
}

/** Adds models that are missing; those that exist are the admin's. */
export async function ensureModels(tx: Orm, entries: readonly ModelEntry[]): Promise<boolean> {
  const existing = await modelsByAlias(tx);
  const missing = entries.filter((entry) => !existing.has(entry.alias));
  if (missing.length === 0) return false;
  const nodeIds = await nodeIdsByName(tx);
  for (const entry of missing) await insertModel(tx, entry, nodeIds, false);
  return true;
}

async function modelsByAlias(tx: Orm): Promise<Map<string, ModelRow>> {
  const rows = await tx.select().from(models);
  return new Map(rows.map((row) => [row.alias, row]));
}

async function nodeIdsByName(tx: Orm): Promise<Map<string, string>> {
  const rows = await tx.select({ id: nodes.id, name: nodes.name }).from(nodes);
  return new Map(rows.map((row) => [row.name, row.id]));
}

function refuseUnknownNodes(
  entries: readonly ModelEntry[],
  nodeIds: Map<string, string>,
  placeOf: RoutePlace,
): void {
  const problems = entries.flatMap((entry, model) =>
    entry.routes.flatMap((route, index) =>
      nodeIds.has(route.node)
        ? []
        : [
            `${placeOf(model, index)} model "${entry.alias}" names node "${route.node}", which does not exist`,
          ],
    ),
  );
  if (problems.length > 0) throw new StartupError("The configuration file is not valid:", problems);
}

async function releaseModels(tx: Orm, aliases: string[]): Promise<boolean> {
  const released = await tx
    .update(models)
    .set({ managedByFile: false, updatedAt: new Date() })
    .where(and(eq(models.managedByFile, true), notInArray(models.alias, aliases)))
    .returning({ id: models.id });
  return released.length > 0;
}

async function insertModel(
  tx: Orm,
  entry: ModelEntry,
  nodeIds: Map<string, string>,
  managedByFile: boolean,
): Promise<boolean> {
  const { prices, routes: wantedRoutes, ...columns } = entry;
  const [model] = await tx
    .insert(models)
    .values({ ...columns, managedByFile })
    .returning({ id: models.id });
  if (model === undefined) throw new Error(`model ${entry.alias} was not inserted`);
  await tx.insert(routes).values(routeColumns(wantedRoutes, model.id, nodeIds));
  await writePrice(tx, model.id, prices);
  return true;
}

async function updateModel(
  tx: Orm,
  row: ModelRow,
  entry: ModelEntry,
  nodeIds: Map<string, string>,
): Promise<boolean> {
  const { prices, routes: wantedRoutes, ...columns } = entry;
  const wanted: Partial<ModelRow> = { ...columns, managedByFile: true };
  const differs = Object.entries(wanted).some(
    ([name, value]) => !isDeepStrictEqual(row[name as keyof ModelRow], value),
  );
  if (differs)
    await tx
      .update(models)
      .set({ ...wanted, updatedAt: new Date() })
      .where(eq(models.id, row.id));
  const rerouted = await writeRoutes(tx, row.id, routeColumns(wantedRoutes, row.id, nodeIds));
  const repriced = await writePrice(tx, row.id, prices);
  return differs || rerouted || repriced;
}

type RouteColumns = ReturnType<typeof routeColumns>;

function routeColumns(wanted: ModelEntry["routes"], modelId: string, nodeIds: Map<string, string>) {
  return wanted.map(({ node, model, priority, weight }) => {
    const nodeId = nodeIds.get(node);
    if (nodeId === undefined) throw new Error(`node ${node} does not exist`);
    return { modelId, nodeId, upstreamModel: model, priority, weight };
  });
}

async function writeRoutes(tx: Orm, modelId: string, wanted: RouteColumns): Promise<boolean> {
  const stored = await tx.select().from(routes).where(eq(routes.modelId, modelId));
  const present = stored.map(({ id: _, ...columns }) => columns);
  if (isDeepStrictEqual(sorted(present), sorted(wanted))) return false;
  await tx.delete(routes).where(eq(routes.modelId, modelId));
  await tx.insert(routes).values(wanted);
  return true;
}

function sorted(columns: RouteColumns): RouteColumns {
  const keyOf = (route: RouteColumns[number]) =>
    [route.priority, route.nodeId, route.upstreamModel, route.weight].join("|");
  return [...columns].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

async function writePrice(tx: Orm, modelId: string, prices: PriceEntry | undefined): Promise<boolean> {
  if (prices === undefined) return false;
  const [newest] = await tx
    .select()
    .from(modelPrices)
    .where(eq(modelPrices.modelId, modelId))
    .orderBy(desc(modelPrices.version))
    .limit(1);
  const wanted = {
    inputNanoCents: nanoCentsFromCents(prices.input),
    outputNanoCents: nanoCentsFromCents(prices.output),
    cacheReadNanoCents: prices.cacheRead === undefined ? null : nanoCentsFromCents(prices.cacheRead),
    cacheWriteNanoCents: prices.cacheWrite === undefined ? null : nanoCentsFromCents(prices.cacheWrite),
  };
  const same =
    newest && Object.entries(wanted).every(([name, value]) => newest[name as keyof typeof wanted] === value);
  if (same) return false;
  await tx.insert(modelPrices).values({ modelId, version: (newest?.version ?? 0) + 1, ...wanted });
  return true;
}
