import { inArray } from "drizzle-orm";
import { plans } from "@/lib/db/schema/accounts";
import { microCentsFromCents } from "@/lib/kernel/money";
import { storedLimits } from "./account-limits";
import { type Change, differing } from "./change";
import type { PlanEntry } from "./file-schema";
import type { PlanRow } from "./stored";

/**
 * The changes that apply the declared plans and release those that are no longer declared. An installation without
 * plans gets the built-in ones.
 */
export function planChanges(
  stored: readonly PlanRow[],
  declared: readonly PlanEntry[],
  builtin: readonly PlanEntry[],
): Change[] {
  if (stored.length === 0 && declared.length === 0) {
    return [(tx) => tx.insert(plans).values(builtin.map(columnsOf))];
  }
  const rows = new Map(stored.map((row) => [row.id, row]));
  const released = releasedPlans(stored, declared).map((row) => row.id);
  const release: Change = (tx) =>
    tx.update(plans).set({ managedByFile: false, updatedAt: new Date() }).where(inArray(plans.id, released));
  return [
    ...(released.length === 0 ? [] : [release]),
    ...declared.flatMap((entry) => planChange(rows.get(entry.id), entry)),
  ];
}

/** The stored plans that the file declared before and declares no longer. */
export function releasedPlans(stored: readonly PlanRow[], declared: readonly PlanEntry[]): PlanRow[] {
  const ids = new Set(declared.map((entry) => entry.id));
  return stored.filter((row) => row.managedByFile && !ids.has(row.id));
}

function planChange(row: PlanRow | undefined, entry: PlanEntry): Change[] {
  const wanted = { ...columnsOf(entry), managedByFile: true };
  if (row && differing(row, wanted) === null) return [];
  return [
    (tx) =>
      tx
        .insert(plans)
        .values(wanted)
        .onConflictDoUpdate({ target: plans.id, set: { ...wanted, updatedAt: new Date() } }),
  ];
}

function columnsOf({ keyQuotaCents, accountLimits, ...columns }: PlanEntry) {
  return {
    ...columns,
    accountLimits: storedLimits(accountLimits),
    keyQuotaMicroCents: microCentsFromCents(keyQuotaCents),
  };
}
