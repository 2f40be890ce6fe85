import { mkdirSync } from "node:fs";
import path from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { workerPath } from "@/lib/kernel/worker-path";
import { lockDataDirectory } from "./data-lock";
import type { Database, Session } from "./database";
import { EmbeddedClient } from "./embedded-client";
import * as tables from "./schema/tables";
import { WorkerChannel } from "./worker-channel";

/**
 * Opens the embedded database in `dataDir/pg`, in a worker thread, and holds the directory's lock until it is closed.
 * Throws: DataDirectoryBusyError when another process has it open.
 */
export async function openEmbedded(dataDir: string): Promise<Database> {
  const directory = path.resolve(dataDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = await lockDataDirectory(path.join(directory, "lock"));
  const handlers = new Map<string, Set<(payload: string) => void>>();
  try {
    const channel = await WorkerChannel.open(
      workerPath("pglite-worker"),
      path.join(directory, "pg"),
      (name, payload) => {
        for (const handler of handlers.get(name) ?? []) handler(payload);
      },
    );
    return databaseOn(channel, handlers, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

function databaseOn(
  channel: WorkerChannel,
  handlers: Map<string, Set<(payload: string) => void>>,
  release: () => void,
): Database {
  const client = new EmbeddedClient(channel);
  // Drizzle calls only `query` and `transaction` of its client, and EmbeddedClient implements both.
  const orm = drizzle({ client: client as unknown as PGlite, schema: tables });
  const query: Session["query"] = async <T>(sql: string, params: readonly unknown[] = []) => {
    const { rows } = await client.query(sql, [...params]);
    return rows as T[];
  };
  return {
    kind: "embedded",
    orm,
    query,
    batchQuery: query,
    // The only connection is inside this process and cannot fail on its own.
    resetBatch: async () => {},
    answers: async () => true,
    session: (work) => work({ orm, query }),
    async notify(name, payload) {
      await query("SELECT pg_notify($1, $2)", [name, payload]);
    },
    async listen(name, handler) {
      const listeners = handlers.get(name) ?? new Set();
      handlers.set(name, listeners.add(handler));
      if (listeners.size === 1) await channel.send({ kind: "listen", channel: name });
      return async () => {
        if (!listeners.delete(handler) || listeners.size > 0) return;
        await channel.send({ kind: "unlisten", channel: name });
      };
    },
    async close() {
      await channel.send({ kind: "close" });
      await channel.terminate();
      release();
    },
  };
}
