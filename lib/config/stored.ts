import { desc, isNull } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { plans } from "@/lib/db/schema/accounts";
import { budgets } from "@/lib/db/schema/budgets";
import { modelPrices, models, nodes, routes } from "@/lib/db/schema/catalog";

export type PlanRow = typeof plans.$inferSelect;

export type NodeRow = typeof nodes.$inferSelect;

export type ModelRow = typeof models.$inferSelect;

export type RouteRow = typeof routes.$inferSelect;

export type PriceRow = typeof modelPrices.$inferSelect;

export type BudgetRow = typeof budgets.$inferSelect;

/** The configuration stored in the database, to compare with the declared one. */
export interface StoredConfig {
  plans: readonly PlanRow[];
  nodes: readonly NodeRow[];
  models: readonly ModelRow[];
  /** By model. */
  routes: ReadonlyMap<string, readonly RouteRow[]>;
  /** The newest version, by model. */
  prices: ReadonlyMap<string, PriceRow>;
  /** Those that have not ended. */
  budgets: readonly BudgetRow[];
}

/** Reads the whole configuration in six queries. Throws: the driver's error. */
export async function readStoredConfig(orm: Orm): Promise<StoredConfig> {
  const planRows = await orm.select().from(plans);
  const nodeRows = await orm.select().from(nodes);
  const modelRows = await orm.select().from(models);
  const routeRows = await orm.select().from(routes);
  const priceRows = await orm
    .selectDistinctOn([modelPrices.modelId])
    .from(modelPrices)
    .orderBy(modelPrices.modelId, desc(modelPrices.version));
  const budgetRows = await orm.select().from(budgets).where(isNull(budgets.endedAt));
  return {
    plans: planRows,
    nodes: nodeRows,
    models: modelRows,
    routes: byModel(routeRows),
    prices: new Map(priceRows.map((price) => [price.modelId, price])),
    budgets: budgetRows,
  };
}

function byModel(rows: readonly RouteRow[]): Map<string, RouteRow[]> {
  const grouped = new Map<string, RouteRow[]>();
  for (const row of rows) {
    const group = grouped.get(row.modelId);
    if (group === undefined) grouped.set(row.modelId, [row]);
    else group.push(row);
  }
  return grouped;
}
