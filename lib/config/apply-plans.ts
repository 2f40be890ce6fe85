import { and, eq, notInArray } from "drizzle-orm";
import { microCentsFromCents } from "@/lib/billing/money";
import type { Orm } from "@/lib/db/client";
import { plans } from "@/lib/db/schema/accounts";
import type { PlanEntry } from "./file-schema";

type PlanRow = typeof plans.$inferSelect;

/** Makes the declared plans so, and lets go of those no longer declared. Shape: true when anything changed. */
export async function declarePlans(tx: Orm, entries: readonly PlanEntry[]): Promise<boolean> {
  const existing = new Map((await tx.select().from(plans)).map((row) => [row.id, row]));
  let changed = await releasePlans(
    tx,
    entries.map((entry) => entry.id),
  );
  for (const entry of entries) changed = (await writePlan(tx, existing.get(entry.id), entry)) || changed;
  return changed;
}

/** Adds the built-in plans that are missing from an installation that has none of its own. */
export async function ensurePlans(tx: Orm, entries: readonly PlanEntry[]): Promise<boolean> {
  const [any] = await tx.select({ id: plans.id }).from(plans).limit(1);
  if (any) return false;
  await tx.insert(plans).values(entries.map(columnsOf));
  return true;
}

async function releasePlans(tx: Orm, ids: number[]): Promise<boolean> {
  const released = await tx
    .update(plans)
    .set({ managedByFile: false, updatedAt: new Date() })
    .where(and(eq(plans.managedByFile, true), notInArray(plans.id, ids)))
    .returning({ id: plans.id });
  return released.length > 0;
}

async function writePlan(tx: Orm, row: PlanRow | undefined, entry: PlanEntry): Promise<boolean> {
  const wanted = { ...columnsOf(entry), managedByFile: true };
  if (row && Object.entries(wanted).every(([name, value]) => row[name as keyof PlanRow] === value))
    return false;
  await tx
    .insert(plans)
    .values(wanted)
    .onConflictDoUpdate({ target: plans.id, set: { ...wanted, updatedAt: new Date() } });
  return true;
}

function columnsOf({ keyQuotaCents, ...columns }: PlanEntry) {
  return { ...columns, keyQuotaMicroCents: microCentsFromCents(keyQuotaCents) };
}
