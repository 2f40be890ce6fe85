import { asc, desc, gt, lte, min, sql } from "drizzle-orm";
import { readConfigVersion } from "@/lib/db/config-version";
import type { Orm, Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { plans } from "@/lib/db/schema/accounts";
import { modelPrices, models, nodes, routes } from "@/lib/db/schema/catalog";
import type { PriceVersion } from "@/lib/shared/prices/price-version";
import { pricesOf, pricesOfDeclared } from "@/lib/shared/prices/stored-price";
import {
  buildSnapshot,
  type CatalogModelDraft,
  type CatalogNode,
  type CatalogRoute,
  type CatalogSnapshot,
  DEFAULT_TIMEOUTS,
} from "./catalog";

type RouteRow = typeof routes.$inferSelect;

/** Reads the whole configuration in six queries. Throws: the driver's error. Source: docs/architecture.md#s1-8. */
export async function loadCatalog(session: Session): Promise<CatalogSnapshot> {
  const { orm } = session;
  // The version is read first, so that a change during the load makes the next version check differ.
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

/** The price in force of each model: the latest that has taken effect, and the newest version of several. */
async function currentPrices(orm: Orm): Promise<Map<string, PriceVersion>> {
  const rows = await orm
    .selectDistinctOn([modelPrices.modelId])
    .from(modelPrices)
    .where(lte(modelPrices.validFrom, sql`now()`))
    .orderBy(asc(modelPrices.modelId), desc(modelPrices.validFrom), desc(modelPrices.version));
  return new Map(rows.map((row) => [row.modelId, toPrice(row)]));
}

function toPrice(row: typeof modelPrices.$inferSelect): PriceVersion {
  return { version: row.version, ...pricesOf(row) };
}

async function nextPriceStart(orm: Orm): Promise<Date | null> {
  const rows = await orm
    .select({ at: min(modelPrices.validFrom) })
    .from(modelPrices)
    .where(gt(modelPrices.validFrom, sql`now()`));
  return onlyRow(rows).at;
}

function toNode(row: typeof nodes.$inferSelect): CatalogNode {
  const { createdAt: _, updatedAt: __, apiKeyHint: ___, credentialFacts: ____, ...node } = row;
  return { ...node, timeouts: { ...DEFAULT_TIMEOUTS, ...row.timeouts } };
}

function toModel(
  row: typeof models.$inferSelect,
  price: PriceVersion | null,
  ownRoutes: readonly RouteRow[],
): CatalogModelDraft {
  const { managedByFile: _, leftFileAt: __, updatedAt: ___, ...model } = row;
  return { ...model, price, routes: ownRoutes.map(toRoute) };
}

function toRoute({ modelId: _, cost, ...route }: RouteRow): CatalogRoute {
  return { ...route, cost: cost === null ? null : pricesOfDeclared(cost) };
}
