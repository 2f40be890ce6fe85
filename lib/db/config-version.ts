import { eq, sql } from "drizzle-orm";
import type { Orm, Session } from "./database";
import { settingsTable } from "./schema/catalog";

/** Name of the row in `settings` that grows with every change of the configuration. */
const CONFIG_VERSION = "config_version";

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

/** Increments the configuration version; call it in the transaction of the change. */
export async function bumpConfigVersion(orm: Orm): Promise<void> {
  await orm
    .insert(settingsTable)
    .values({ name: CONFIG_VERSION, value: "1" })
    .onConflictDoUpdate({
      target: settingsTable.name,
      set: { value: sql`(${settingsTable.value}::bigint + 1)::text` },
    });
}
