import { isOldestInstance } from "@/lib/db/replicas";
import type { Runtime } from "@/lib/gateway/runtime";
import { databaseNow } from "@/lib/reports/statements/calendar";
import { closeMonths } from "@/lib/reports/statements/close";

/**
 * Closes the months that may be closed by the clock of the database, in the oldest process. A failure is logged; the
 * next call tries again. Source: docs/budgets.md#statements.
 */
export async function closeStatements(
  { db, log, settings }: Pick<Runtime, "db" | "log" | "settings">,
  instanceId: string,
): Promise<void> {
  try {
    if (!(await isOldestInstance(db, instanceId))) return;
    const months = await closeMonths(db, settings.reportTimezone, await databaseNow(db));
    if (months.length > 0) log.info({ months }, "statements of these months were closed");
  } catch (error) {
    log.error({ err: error }, "the closing of statements failed");
  }
}
