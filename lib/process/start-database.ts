import type { Settings } from "@/lib/config/env";
import { StartupError } from "@/lib/config/startup-error";
import { addressOfDatabase, awaitDatabase, DatabaseAwayError } from "@/lib/db/await-database";
import { openDatabase } from "@/lib/db/client";
import { connectionNeed, connectionShortage, noConnectionLeft } from "@/lib/db/connection-need";
import type { Database } from "@/lib/db/database";
import { sqlState } from "@/lib/db/database-error";
import { UnsuitableDatabaseError } from "@/lib/db/database-url";
import { MigrationBlockedError, migrate } from "@/lib/db/migrate";
import type { Log } from "@/lib/ops/log";

/**
 * Opens and migrates the database of a process that serves. Waits for a PostgreSQL that is not up yet, and warns when it
 * gives fewer connections than all processes may need.
 * Throws: StartupError; as `openDatabase` and `migrate`. Source: docs/contract.md#database-away, #database-url, docs/reliability.md#s2-14, #s2-15.
 */
export async function startDatabase(settings: Settings, log: Log): Promise<Database> {
  const { databaseUrl, databasePool, replicas } = settings;
  const need = connectionNeed(databasePool, replicas);
  try {
    const db = await openWhenUp(settings, log);
    if (databaseUrl !== null) {
      const shortage = await connectionShortage(db, need);
      if (shortage !== null) log.warn(shortage);
    }
    await migrate(db, (line) => log.warn(line));
    return db;
  } catch (error) {
    if (error instanceof MigrationBlockedError || error instanceof DatabaseAwayError)
      throw new StartupError("The database is not ready:", [error.message]);
    if (error instanceof UnsuitableDatabaseError)
      throw new StartupError("The database cannot be used:", [error.message]);
    if (sqlState(error) === "53300")
      throw new StartupError("The database cannot be used:", [noConnectionLeft(need)]);
    throw error;
  }
}

function openWhenUp({ databaseUrl, databasePool, dataDir }: Settings, log: Log): Promise<Database> {
  const open = () =>
    openDatabase({
      url: databaseUrl,
      dataDir,
      poolSize: databasePool,
      onWritable: (takesWrites) =>
        takesWrites
          ? log.warn("the database takes writes again; every connection to it is new")
          : log.error("the database takes no writes; calls are refused until a server at its address does"),
    });
  if (databaseUrl === null) return open();
  return awaitDatabase({ open, address: addressOfDatabase(databaseUrl), say: (line) => log.warn(line) });
}
