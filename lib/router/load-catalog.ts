import { asc, desc, eq, gt, lte, min, sql } from "drizzle-orm";
import type { Orm, Session } from "@/lib/db/client";
import { plans } from "@/lib/db/schema/accounts";
import { modelPrices, models, nodes, routes, settingsTable } from "@/lib/db/schema/catalog";
import {
  buildSnapshot,
  type CatalogModelDraft,
  type CatalogNode,
  type CatalogPrice,
  type CatalogRoute,
  type CatalogSnapshot,
  DEFAULT_TIMEOUTS,
} from "./catalog";

type RouteRow = typeof routes.$inferSelect;

/** Name of the row in `settings` that grows with every change of the configuration. */
export const CONFIG_VERSION = "config_version";

/** Channel on which a change of the configuration is announced to the other processes. */
export const CONFIG_CHANNEL = "tollgate_config";

/** The current configuration version, `"0"` before the first change. */
export async function readConfigVersion(session: Session): Promise<string> {
  const rows = await session.orm
    .select({ value: settingsTable.value })
    .from(settingsTable)
    .where(eq(settingsTable.name, CONFIG_VERSION));
  return rows[0]?.value ?? "0";
}

/** Marks the configuration as changed; call it in the transaction of the change. */
export async function bumpConfigVersion(orm: Orm): Promise<void> {
  await orm
    .insert(settingsTable)
    .values({ name: CONFIG_VERSION, value: "1" })
    .onConflictDoUpdate({
      target: settingsTable.name,
      set: { value: sql`(${settingsTable.value}::bigint + 1)::text` },
    });
}

/** Reads the whole configuration in six queries. Throws: the driver's error. Source: docs/architecture.md#s1-8. */
export async function loadCatalog(session: Session): Promise<CatalogSnapshot> {
  const { orm } = session;
  // The version comes first: a change while the rest is read makes the next comparison differ.
  const version = await readConfigVersion(session);
  const [nodeRows, modelRows, routeRows, prices, planRows, nextPriceAt] = await Promise.all([
    orm.select().from(nodes),
    orm.select().from(models),
    orm.select().from(routes).orderBy(asc(routes.priority), asc(routes.id)),
    currentPrices(orm),
    orm.select().from(plans),
    nextPriceStart(orm),
  ]);
  const routesByModel = groupByModel(routeRows);
  return buildSnapshot({
    version,
    nodes: nodeRows.map(toNode),
    models: modelRows.map((row) => toModel(row, prices.get(row.id) ?? null, routesByModel.get(row.id) ?? [])),
    plans: planRows.map(({ createdAt: _, updatedAt: __, managedByFile: ___, ...plan }) => plan),
    nextPriceAt,
  });
}

function groupByModel(rows: readonly RouteRow[]): Map<string, RouteRow[]> {
  const grouped = new Map<string, RouteRow[]>();
  for (const row of rows) grouped.set(row.modelId, [...(grouped.get(row.modelId) ?? []), row]);
  return grouped;
}

/** Of what has begun, what began last; of several that began together, the newest. */
async function currentPrices(orm: Orm): Promise<Map<string, CatalogPrice>> {
  const rows = await orm
    .selectDistinctOn([modelPrices.modelId])
    .from(modelPrices)
    .where(lte(modelPrices.validFrom, sql`now()`))
    .orderBy(asc(modelPrices.modelId), desc(modelPrices.validFrom), desc(modelPrices.version));
  return new Map(rows.map(({ modelId, validFrom: _, createdBy: __, ...price }) => [modelId, price]));
}

async function nextPriceStart(orm: Orm): Promise<Date | null> {
  const rows = await orm
    .select({ at: min(modelPrices.validFrom) })
    .from(modelPrices)
    .where(gt(modelPrices.validFrom, sql`now()`));
  return rows[0]?.at ?? null;
}

function toNode(row: typeof nodes.$inferSelect): CatalogNode {
  const { createdAt: _, updatedAt: __, apiKeyHint: ___, ...node } = row;
  return { ...node, timeouts: { ...DEFAULT_TIMEOUTS, ...row.timeouts } };
}

function toModel(
  row: typeof models.$inferSelect,
  price: CatalogPrice | null,
  ownRoutes: readonly RouteRow[],
): CatalogModelDraft {
  const { managedByFile: _, updatedAt: __, ...model } = row;
  return { ...model, price, routes: ownRoutes.map(toRoute) };
}

function toRoute({ modelId: _, ...route }: RouteRow): CatalogRoute {
  return route;
}
