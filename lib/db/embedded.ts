import { mkdirSync } from "node:fs";
import path from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import * as tables from "@/lib/db/schema/tables";
import { workerPath } from "@/lib/kernel/worker-pool";
import { lockDataDirectory } from "./data-lock";
import type { BatchValue, Database, Session } from "./database";
import { readRows } from "./rows";
import { expectCommand } from "./transaction";
import { WorkerChannel, type WorkerResult } from "./worker-channel";

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
    return rows as T[]; // the caller knows its statement
  };
  return {
    kind: "embedded",
    orm,
    query,
    batchLanes: 1,
    async batchQuery<T>(sql: string, params: readonly BatchValue[]) {
      const { rows } = await client.batch(sql, params);
      return rows as T[]; // the caller knows its statement
    },
    // The only connection is inside this process and cannot fail on its own.
    resetBatch: async () => {},
    renewWhenWritable: () => {},
    answers: async () => true,
    session: (work) => work({ orm, query }),
    async notify(name, payload) {
      await query("SELECT pg_notify($1, $2)", [name, payload]);
    },
    // Payloads arrive before the answer to what is asked after them, and none is lost.
    heardUntilMs: () => performance.now(),
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

const IDLE_IN_TRANSACTION_MS = 5_000;

/** The query options that drizzle's driver for the embedded database passes. */
interface QueryOptions {
  rowMode?: "object" | "array";
}

/** Runs statements inside one open transaction. */
export interface TransactionClient {
  query(sql: string, params?: unknown[], options?: QueryOptions): Promise<WorkerResult>;
}

/**
 * The part of the embedded database's interface that drizzle uses, over the worker channel. There is one connection:
 * during a transaction, all other statements wait.
 */
class EmbeddedClient {
  readonly #channel: WorkerChannel;
  #transaction: Promise<void> | null = null;

  constructor(channel: WorkerChannel) {
    this.#channel = channel;
  }

  /** Runs one statement after any open transaction. */
  async query(sql: string, params: unknown[] = [], options: QueryOptions = {}): Promise<WorkerResult> {
    while (this.#transaction) await this.#transaction;
    return this.#send(sql, params, options);
  }

  /** Runs one recurring statement after any open transaction. */
  async batch(sql: string, params: readonly BatchValue[]): Promise<WorkerResult> {
    while (this.#transaction) await this.#transaction;
    return withRows(await this.#channel.send({ kind: "batch", sql, params }));
  }

  /** Runs work between BEGIN and COMMIT, or ROLLBACK when it throws or leaves the transaction idle for five seconds. */
  async transaction<T>(work: (client: TransactionClient) => Promise<T>): Promise<T> {
    while (this.#transaction) await this.#transaction;
    let end = (): void => {};
    this.#transaction = new Promise((resolve) => {
      end = resolve;
    });
    try {
      return await this.#run(work);
    } finally {
      this.#transaction = null;
      end();
    }
  }

  async #run<T>(work: (client: TransactionClient) => Promise<T>): Promise<T> {
    expectCommand("BEGIN", await this.#command("BEGIN"));
    const idle = idleTimer();
    const client: TransactionClient = {
      query: async (sql, params = [], options = {}) => {
        if (idle.expired()) throw new Error(idle.message);
        idle.pause();
        try {
          return await this.#send(sql, params, options);
        } finally {
          idle.restart();
        }
      },
    };
    try {
      const result = await Promise.race([work(client), idle.failure]);
      idle.close();
      expectCommand("COMMIT", await this.#command("COMMIT"));
      return result;
    } catch (error) {
      idle.close();
      await this.#command("ROLLBACK");
      throw error;
    }
  }

  async #send(sql: string, params: unknown[], options: QueryOptions): Promise<WorkerResult> {
    const rowMode = options.rowMode ?? "object";
    return withRows(await this.#channel.send({ kind: "query", sql, params, rowMode }));
  }

  /** Runs a command of transactions. Returns the command tag of the answer. */
  async #command(sql: string): Promise<string | null> {
    const { command } = await this.#channel.send({ kind: "command", sql });
    return command;
  }
}

/** Throws: MalformedResultError. */
function withRows(result: WorkerResult): WorkerResult {
  return { ...result, rows: readRows(result.rows) };
}

/** Fails after five seconds without a statement, e.g. when the caller waits for the connection that it holds itself. */
function idleTimer() {
  const message = `transaction idle for ${IDLE_IN_TRANSACTION_MS} ms; was the outer database used inside it?`;
  let reject = (_error: Error): void => {};
  const failure = new Promise<never>((_resolve, rejectIt) => {
    reject = rejectIt;
  });
  failure.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let pending = 0;
  const start = (): void => {
    if (closed || pending > 0) return;
    timer = setTimeout(() => {
      closed = true;
      reject(new Error(message));
    }, IDLE_IN_TRANSACTION_MS);
  };
  start();
  return {
    message,
    failure,
    expired: () => closed,
    pause() {
      pending++;
      clearTimeout(timer);
    },
    restart() {
      pending--;
      start();
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
