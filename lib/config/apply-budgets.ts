import { eq, inArray, sql } from "drizzle-orm";
import { budgets } from "@/lib/db/schema/budgets";
import { microCentsFromCents } from "@/lib/kernel/money";
import type { BudgetEntry } from "./budget-entry";
import { type Change, differing } from "./change";
import { StartupError } from "./startup-error";
import type { BudgetRow } from "./stored";

/** What declared budgets may name. */
interface KnownNames {
  planIds: ReadonlySet<number>;
  aliases: ReadonlySet<string>;
}

/**
 * The changes that apply the declared budgets, which are known by their names, and release those that are no longer declared.
 * What is fixed for the life of a budget differs: the old one ends, another begins. `timeZone`: of entries that name none.
 * Throws: StartupError for an unknown plan or alias. Source: docs/budgets.md#file.
 */
export function budgetChanges(
  stored: readonly BudgetRow[],
  declared: readonly BudgetEntry[],
  known: KnownNames,
  timeZone: string,
): Change[] {
  refuseUnknownNames(declared, known);
  const managed = new Map(stored.filter((row) => row.managedByFile).map((row) => [row.name, row]));
  const released = releasedBudgets(stored, declared).map(({ id }) => id);
  const release: Change = (tx) =>
    tx
      .update(budgets)
      .set({ managedByFile: false, updatedAt: new Date() })
      .where(inArray(budgets.id, released));
  return [
    ...(released.length === 0 ? [] : [release]),
    ...declared.flatMap((entry) => budgetChange(managed.get(entry.name), entry, timeZone)),
  ];
}

/** The live budgets that the file declared before and declares no longer. */
export function releasedBudgets(stored: readonly BudgetRow[], declared: readonly BudgetEntry[]): BudgetRow[] {
  const names = new Set(declared.map(({ name }) => name));
  return stored.filter((row) => row.managedByFile && !names.has(row.name));
}

function budgetChange(row: BudgetRow | undefined, entry: BudgetEntry, timeZone: string): Change[] {
  const { name, scope, planId = null, each, models, unit, period, mode, enabled } = entry;
  const limitAmount = unit === "money" ? microCentsFromCents(entry.limit) : BigInt(entry.limit);
  const fixed = { scope, planId, each, models, unit, period, timeZone: entry.timeZone ?? timeZone };
  const changing = { limitAmount, mode, enabled };
  const insert: Change = (tx) =>
    tx.insert(budgets).values({ name, ...fixed, ...changing, managedByFile: true });
  if (row === undefined) return [insert];
  const isAnother = differing(row, fixed) !== null || (row.mode === "hard") !== (mode === "hard");
  const end: Change = (tx) =>
    tx.update(budgets).set({ endedAt: sql`now()`, updatedAt: sql`now()` }).where(eq(budgets.id, row.id));
  if (isAnother) return [end, insert];
  if (differing(row, changing) === null) return [];
  return [
    (tx) =>
      tx
        .update(budgets)
        .set({ ...changing, updatedAt: sql`now()` })
        .where(eq(budgets.id, row.id)),
  ];
}

function refuseUnknownNames(declared: readonly BudgetEntry[], { planIds, aliases }: KnownNames): void {
  const problems = declared.flatMap(({ name, planId, models }, index) => {
    const unknown = (models ?? []).filter((alias) => !aliases.has(alias));
    return [
      ...(planId === undefined || planIds.has(planId)
        ? []
        : [`budgets.${index}.planId of "${name}": there is no plan ${planId}`]),
      ...(unknown.length === 0
        ? []
        : [`budgets.${index}.models of "${name}" has names of no model: ${unknown.join(", ")}`]),
    ];
  });
  if (problems.length > 0) throw new StartupError("The configuration file is not valid:", problems);
}
