import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "@/lib/kernel/thrown";
import type { Database } from "./database";
import { errorCode } from "./database-error";

/** Units: milliseconds. */
const WAIT_MS = 60_000;
const PAUSE_MS = 500;
const SAY_MS = 10_000;

/**
 * Errors of a server that is not available yet: of name resolution, connections, and PostgreSQL while it starts or
 * stops.
 */
const notYet: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: (host) => `the name of ${host} is not known`,
  EAI_AGAIN: (host) => `the name of ${host} is not known`,
  ECONNREFUSED: (host) => `nothing listens at ${host}`,
  EHOSTUNREACH: (host) => `${host} cannot be reached`,
  ENETUNREACH: (host) => `${host} cannot be reached`,
  ETIMEDOUT: (host) => `${host} does not answer`,
  CONNECT_TIMEOUT: (host) => `${host} does not answer`,
  "57P03": (host) => `PostgreSQL at ${host} is starting or stopping`,
  "57P01": (host) => `PostgreSQL at ${host} is starting or stopping`,
  "25006": (host) => `PostgreSQL at ${host} takes no writes`,
};

/**
 * Errors of a pooler or proxy whose server may still become available. PgBouncer reports 08P01 for every error without
 * an SQLSTATE of its own. A wrong setting can cause them too (TLS, an unknown database), so the wait ends with the
 * error itself, which says more.
 */
const perhapsNotYet: Readonly<Record<string, (host: string, reason: string) => string>> = {
  "08P01": (host, reason) => `what listens at ${host} refuses the connection (${reason})`,
  ECONNRESET: closes,
  EPIPE: closes,
  CONNECTION_CLOSED: closes,
};

function closes(host: string, reason: string): string {
  return `what listens at ${host} closes the connection (${reason})`;
}

/** The database was not available in time; the message says why, and what to do. */
export class DatabaseAwayError extends Error {
  constructor(what: string, cause: unknown) {
    super(
      `${what}, and that has not changed for ${WAIT_MS / 1_000} s; start PostgreSQL, or let DATABASE_URL lead to a server that takes writes`,
      { cause },
    );
    this.name = "DatabaseAwayError";
  }
}

/** The server is a standby, or was made read-only. */
class TakesNoWritesError extends Error {
  readonly code = "25006";
}

/**
 * Opens a database that may not be up yet: waits up to a minute for a server that takes writes. `say` is called with a
 * line at the beginning and then every ten seconds. `address`: `host:port`, for the messages.
 * Throws: DatabaseAwayError; the error of a connection that was closed or refused by a pooler, after the wait; every
 * other error of `open` at once. Source: docs/contract.md#database-away.
 */
export async function awaitDatabase(options: {
  open(): Promise<Database>;
  address: string;
  say(line: string): void;
  waitMs?: number;
}): Promise<Database> {
  const { open, address, say, waitMs = WAIT_MS } = options;
  const startMs = performance.now();
  let saidMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await openForWrites(open);
    } catch (error) {
      const code = errorCode(error) ?? "";
      const absent = notYet[code]?.(address);
      const what = absent ?? perhapsNotYet[code]?.(address, messageOf(error));
      if (what === undefined) throw error;
      const nowMs = performance.now();
      if (nowMs - startMs >= waitMs)
        throw absent === undefined ? error : new DatabaseAwayError(absent, error);
      if (nowMs - saidMs >= SAY_MS) {
        say(`the database is not there yet: ${what}; waiting for it`);
        saidMs = nowMs;
      }
    }
    await sleep(PAUSE_MS);
  }
}

async function openForWrites(open: () => Promise<Database>): Promise<Database> {
  const database = await open();
  try {
    const [row] = await database.query<{ read_only: string }>(
      "SELECT current_setting('transaction_read_only') AS read_only",
    );
    if (row?.read_only === "on") throw new TakesNoWritesError("the database takes no writes");
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Host and port of a database's address, without its credentials. */
export function addressOfDatabase(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || "5432"}`;
}
