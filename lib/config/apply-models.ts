import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { getTableColumns, inArray, sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { modelPrices, models, routes } from "@/lib/db/schema/catalog";
import { storedPriceOf } from "@/lib/shared/prices/stored-price";
import { type Change, differing } from "./change";
import type { ModelEntry, RemovedModels } from "./file-schema";
import type { PriceEntry } from "./price-entry";
import { StartupError } from "./startup-error";
import type { ModelRow, PriceRow, RouteRow, StoredConfig } from "./stored";

/** The file position of each route, by model and route, for error messages about unknown nodes. */
type RouteLocations = readonly (readonly string[])[];

type NodeIds = ReadonlyMap<string, string>;

/** Models per statement; a few milliseconds of work. */
const MODELS_PER_CHANGE = 20;

/** The declared models. */
export interface ModelDeclarations {
  /** Models of the file: they overwrite the stored ones and stop being managed when the file no longer has them. */
  declared: readonly ModelEntry[];
  /** What happens to models that the file no longer has. */
  removed: RemovedModels;
  routeLocations: RouteLocations;
  /** Models that are only added when they are missing; admins may change them afterwards. */
  ensured: readonly ModelEntry[];
}

/**
 * The changes that bring the stored models to the declared ones; each includes the model's routes and prices. An
 * unchanged price gets no new version. Throws: StartupError for a route to an unknown node.
 */
export function modelChanges(
  stored: StoredConfig,
  { declared, removed, routeLocations, ensured }: ModelDeclarations,
  nodeIds: NodeIds,
): Change[] {
  refuseUnknownNodes(declared, nodeIds, routeLocations);
  const rows = new Map(stored.models.map((row) => [row.alias, row]));
  const names = new Set(declared.map((entry) => entry.alias));
  const released = releasedModels(stored, declared);
  return [
    ...releaseOf(
      released.map((row) => row.id),
      removed,
    ),
    ...writeModels(
      declared.map((entry) => {
        const row = rows.get(entry.alias);
        return row ? updateOf(row, entry, stored, nodeIds) : insertOf(entry, nodeIds, true);
      }),
    ),
    ...missingModels([...rows.keys(), ...names], ensured, nodeIds),
  ];
}

/** The changes that add models whose alias is not known; each alias once. */
export function missingModels(
  knownAliases: readonly string[],
  entries: readonly ModelEntry[],
  nodeIds: NodeIds,
): Change[] {
  const known = new Set(knownAliases);
  const missing = entries.filter(({ alias }) => !known.has(alias) && known.add(alias));
  return writeModels(missing.map((entry) => insertOf(entry, nodeIds, false)));
}

function refuseUnknownNodes(
  entries: readonly ModelEntry[],
  nodeIds: NodeIds,
  routeLocations: RouteLocations,
): void {
  const problems = entries.flatMap((entry, model) =>
    entry.routes.flatMap((route, index) =>
      nodeIds.has(route.node)
        ? []
        : [
            `${routeLocations[model]?.[index] ?? ""} model "${entry.alias}" names node "${route.node}", which does not exist`,
          ],
    ),
  );
  if (problems.length > 0) throw new StartupError("The configuration file is not valid:", problems);
}

/** The stored models that the file declared before and declares no longer. */
export function releasedModels(stored: StoredConfig, declared: readonly ModelEntry[]): ModelRow[] {
  const names = new Set(declared.map((entry) => entry.alias));
  return stored.models.filter((row) => row.managedByFile && !names.has(row.alias));
}

function releaseOf(ids: string[], removed: RemovedModels): Change[] {
  if (ids.length === 0) return [];
  const now = new Date();
  const disabled = removed === "disable" ? { enabled: false } : {};
  const columns = { ...disabled, managedByFile: false, leftFileAt: now, updatedAt: now };
  return [(tx) => tx.update(models).set(columns).where(inArray(models.id, ids))];
}

/** The parts of one model to write; null: that part stays. */
interface ModelWrite {
  id: string;
  row: typeof models.$inferInsert | null;
  routes: RouteColumns | null;
  prices: PriceEntry | null;
}

function insertOf(entry: ModelEntry, nodeIds: NodeIds, managedByFile: boolean): ModelWrite {
  const { prices = null, routes: wantedRoutes, ...columns } = entry;
  const id = randomUUID();
  return {
    id,
    row: { id, ...columns, managedByFile },
    routes: routeColumns(wantedRoutes, id, nodeIds),
    prices,
  };
}

function updateOf(row: ModelRow, entry: ModelEntry, stored: StoredConfig, nodeIds: NodeIds): ModelWrite {
  const { prices = null, routes: wantedRoutes, ...columns } = entry;
  const wanted = { ...columns, managedByFile: true, leftFileAt: null };
  const wantedColumns = routeColumns(wantedRoutes, row.id, nodeIds);
  const isSame = sameRoutes(stored.routes.get(row.id) ?? [], wantedColumns);
  return {
    id: row.id,
    row: differing<ModelRow>(row, wanted) === null ? null : { ...row, ...wanted, updatedAt: new Date() },
    routes: isSame ? null : wantedColumns,
    prices: prices !== null && samePrice(stored.prices.get(row.id), prices) ? null : prices,
  };
}

/** Writes several models per change, with as few statements as for one. */
function writeModels(writes: readonly ModelWrite[]): Change[] {
  const needed = writes.filter(({ row, routes, prices }) => row ?? routes ?? prices);
  const groups: ModelWrite[][] = [];
  for (let at = 0; at < needed.length; at += MODELS_PER_CHANGE)
    groups.push(needed.slice(at, at + MODELS_PER_CHANGE));
  return groups.map((group) => (tx) => writeGroup(tx, group));
}

async function writeGroup(tx: Orm, group: readonly ModelWrite[]): Promise<void> {
  const rows = group.flatMap(({ row }) => row ?? []);
  if (rows.length > 0)
    await tx.insert(models).values(rows).onConflictDoUpdate({ target: models.id, set: overwriteColumns });
  const changedRoutes = group.filter((write) => write.routes !== null);
  if (changedRoutes.length > 0) {
    const ids = changedRoutes.map(({ id }) => id);
    await tx.delete(routes).where(inArray(routes.modelId, ids));
  }
  const routeRows = changedRoutes.flatMap((write) => write.routes ?? []);
  if (routeRows.length > 0) await tx.insert(routes).values(routeRows);
  const versions = group.flatMap(({ id, prices }) => (prices ? newVersion(id, prices) : []));
  if (versions.length > 0) await tx.insert(modelPrices).values(versions);
}

/** Sets every declared column to the value of the new row. */
const overwriteColumns = Object.fromEntries(
  Object.entries(getTableColumns(models))
    .filter(([name]) => name !== "id" && name !== "createdAt")
    .map(([name, column]) => [name, sql.raw(`excluded.${column.name}`)]),
);

type RouteColumns = ReturnType<typeof routeColumns>;

function routeColumns(wanted: ModelEntry["routes"], modelId: string, nodeIds: NodeIds) {
  return wanted.map(({ node, model, priority, weight, cost }) => {
    const nodeId = nodeIds.get(node);
    if (nodeId === undefined) throw new Error(`node ${node} does not exist`);
    return { modelId, nodeId, upstreamModel: model, priority, weight, cost };
  });
}

function sameRoutes(stored: readonly RouteRow[], wanted: RouteColumns): boolean {
  const present = stored.map(({ id: _, ...columns }) => columns);
  return isDeepStrictEqual(sorted(present), sorted(wanted));
}

function sorted(columns: RouteColumns): RouteColumns {
  const keyOf = (route: RouteColumns[number]) =>
    [route.priority, route.nodeId, route.upstreamModel, route.weight].join("|");
  return [...columns].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

function samePrice(newest: PriceRow | undefined, prices: PriceEntry): boolean {
  return newest !== undefined && differing<PriceRow>(newest, storedPriceOf(prices)) === null;
}

/** The database computes the version number, because an admin may have set a price meanwhile. */
function newVersion(modelId: string, prices: PriceEntry) {
  const version = sql<number>`(SELECT coalesce(max(version), 0) + 1 FROM model_prices WHERE model_id = ${modelId})`;
  return { modelId, version, ...storedPriceOf(prices) };
}
