import type { Database } from "./database";

/** PostgreSQL's major version in the embedded database, which opens no directory of another one. */
export const EMBEDDED_POSTGRESQL = "18";

/** Which database to open. */
export interface DatabaseOptions {
  /** `postgres://…`, or null for the embedded database in `dataDir`. */
  url: string | null;
  dataDir: string;
  /** Connections of the general pool. PostgreSQL only. */
  poolSize?: number;
  /** Called when the server stops taking writes, and when one takes them again. PostgreSQL only. */
  onWritable?(takesWrites: boolean): void;
}

/**
 * Opens the database; each driver is loaded only when it is used.
 * Throws: DataDirectoryBusyError when another process holds the embedded database; UnsuitableDatabaseError for a pooler
 * that keeps no session; the driver's error when it cannot be opened. Source: docs/contract.md#s2, #s9, docs/adr/0001-embedded-database-pglite.md#decision.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.url === null) {
    const { openEmbedded } = await import("./embedded");
    return openEmbedded(options.dataDir);
  }
  const { openPostgres } = await import("./postgres");
  const { url, poolSize, onWritable } = options;
  return openPostgres({ url, poolSize, onWritable });
}
