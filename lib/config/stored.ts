import { isDeepStrictEqual } from "node:util";
import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Orm } from "@/lib/db/database";
import { auditLog, plans } from "@/lib/db/schema/accounts";
import { modelPrices, models, nodes, routes } from "@/lib/db/schema/catalog";
import { callPricesOf } from "@/lib/kernel/usage";
import { priceColumns, priceEntry } from "./file-schema";

export type PlanRow = typeof plans.$inferSelect;
export type NodeRow = typeof nodes.$inferSelect;
export type ModelRow = typeof models.$inferSelect;
export type RouteRow = typeof routes.$inferSelect;
export type PriceRow = typeof modelPrices.$inferSelect;

/** The configuration stored in the database, to compare with the declared one. */
export interface StoredConfig {
  plans: readonly PlanRow[];
  nodes: readonly NodeRow[];
  models: readonly ModelRow[];
  /** By model. */
  routes: ReadonlyMap<string, readonly RouteRow[]>;
  /** The newest version, by model. */
  prices: ReadonlyMap<string, PriceRow>;
}

/** Reads the whole configuration in five queries. Throws: the driver's error. */
export async function readStoredConfig(orm: Orm): Promise<StoredConfig> {
  const planRows = await orm.select().from(plans);
  const nodeRows = await orm.select().from(nodes);
  const modelRows = await orm.select().from(models);
  const routeRows = await orm.select().from(routes);
  const priceRows = await orm
    .selectDistinctOn([modelPrices.modelId])
    .from(modelPrices)
    .orderBy(modelPrices.modelId, desc(modelPrices.version));
  return {
    plans: planRows,
    nodes: nodeRows,
    models: modelRows,
    routes: byModel(routeRows),
    prices: new Map(priceRows.map((price) => [price.modelId, price])),
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

/**
 * One change of the stored configuration, executed within one transaction. After each change of an ordered list the
 * configuration is valid.
 */
export type Change = (tx: Orm) => Promise<unknown>;

/** The columns of a row that differ from the wanted ones; null when none do. */
export function differing<Row extends object>(row: Row, wanted: Partial<Row>): Partial<Row> | null {
  const found = Object.entries(wanted).filter(
    ([name, value]) => !isDeepStrictEqual(row[name as keyof Row], value),
  );
  return found.length === 0 ? null : (Object.fromEntries(found) as Partial<Row>); // columns of the same row
}

/** The prices that the audit keeps of a deleted model. */
const keptPrices = z.object({ priceHistory: z.array(priceEntry.loose().extend({ version: z.int() })) });

/**
 * The price version by which a request was billed, with the prices per call of tools; null where it is not known. That of
 * a model which has been deleted since is in the audit, and a newer model of the same name is another one.
 * Source: docs/contract.md#deleted-prices.
 */
export async function priceAt(orm: Orm, request: { model: string; priceVersion: number; createdAt: Date }) {
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
    if (kept === undefined) return null;
    const columns = priceColumns(kept);
    return { ...columns, perCall: callPricesOf(columns) };
  }
  const [row] = await orm
    .select({ price: modelPrices })
    .from(modelPrices)
    .innerJoin(models, eq(models.id, modelPrices.modelId))
    .where(and(eq(models.alias, alias), eq(modelPrices.version, version)));
  return row === undefined ? null : { ...row.price, perCall: callPricesOf(row.price) };
}
