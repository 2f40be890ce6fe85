import { readFileSync } from "node:fs";
import path from "node:path";
import {
  createTestDatabase,
  dropTestDatabase,
  postgresServer,
  stopPostgresServer,
} from "@/tests/support/postgres";
import { pinProcess } from "./pinning";
import { cpuMs } from "./process-usage";

/** The PostgreSQL of a run, with fsync on: a private one, or that of `TEST_DATABASE_URL`. */
export interface PostgresOfRun {
  /** Makes an empty database and returns its URL. */
  create(): Promise<string>;
  drop(url: string): Promise<void>;
  /** Processor time of all its processes; null for a server that is not ours. Units: milliseconds. */
  cpuMs(): number | null;
  stop(): void;
}

/** Starts it. Throws: when the machine has none. */
export async function startPostgres(): Promise<PostgresOfRun> {
  process.env.TEST_DATABASE_DURABLE = "1";
  const server = await postgresServer();
  if ("unavailable" in server) throw new Error(server.unavailable);
  const pid = server.dataDirectory === null ? null : postmasterPid(server.dataDirectory);
  if (pid !== null) pinProcess("others", pid);
  return {
    create: createTestDatabase,
    drop: dropTestDatabase,
    cpuMs: () => (pid === null ? null : cpuMs(pid)),
    stop: stopPostgresServer,
  };
}

function postmasterPid(dataDirectory: string): number {
  return Number(readFileSync(path.join(dataDirectory, "postmaster.pid"), "utf8").split("\n")[0]);
}
