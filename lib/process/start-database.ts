import type { Settings } from "@/lib/config/env";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import type { Log } from "@/lib/ops/log";

/** Opens the database of a process that serves. Throws: as `openDatabase`. Source: docs/contract.md#s2. */
export function startDatabase({ databaseUrl, dataDir }: Settings, log: Log): Promise<Database> {
  return openDatabase({
    url: databaseUrl,
    dataDir,
    onWritable: (takesWrites) =>
      takesWrites
        ? log.warn("the database takes writes again; every connection to it is new")
        : log.error("the database takes no writes; calls are refused until a server at its address does"),
  });
}
