import type { Settings } from "@/lib/config/env";
import { StartupError } from "@/lib/config/startup-error";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { UnsuitableDatabaseError } from "@/lib/db/database-url";
import { MigrationBlockedError, migrate } from "@/lib/db/migrate";
import type { Log } from "@/lib/ops/log";

/**
 * Opens the database of a process that serves. Throws: StartupError for one that this program cannot work with; as
 * `openDatabase`. Source: docs/contract.md#s2, #database-url.
 */
export async function startDatabase({ databaseUrl, dataDir }: Settings, log: Log): Promise<Database> {
  try {
    return await openDatabase({
      url: databaseUrl,
      dataDir,
      onWritable: (takesWrites) =>
        takesWrites
          ? log.warn("the database takes writes again; every connection to it is new")
          : log.error("the database takes no writes; calls are refused until a server at its address does"),
    });
  } catch (error) {
    if (!(error instanceof UnsuitableDatabaseError)) throw error;
    throw new StartupError("The database cannot be used:", [error.message]);
  }
}

/**
 * Migrates the database of a process that serves. Throws: StartupError while a table stays in use, and for a database that
 * only a newer program can work with; the database's error. Source: docs/reliability.md#s2-14, #s2-15.
 */
export async function migrateAtStart(db: Database, log: Log): Promise<void> {
  try {
    await migrate(db, (line) => log.warn(line));
  } catch (error) {
    if (error instanceof UnsuitableDatabaseError)
      throw new StartupError("The database cannot be used:", [error.message]);
    if (!(error instanceof MigrationBlockedError)) throw error;
    throw new StartupError("The database is not ready:", [error.message]);
  }
}
