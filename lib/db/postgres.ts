import { setTimeout as sleep } from "node:timers/promises";
import { BatchConnections } from "./batch-connections";
import { BoundedPool } from "./bounded-pool";
import { bounded, Connection } from "./connection";
import type { Database, Session } from "./database";
import { isReadOnly } from "./database-error";
import { DialPause } from "./dial";
import { firstAnswer, type Parameters, readArrayTypes } from "./driver";
import { Listener, type ListenerEvents } from "./listener";
import { ormOn } from "./postgres-orm";
import { onlyRow } from "./rows";
import { checkSession } from "./session-check";
import { SessionConnection } from "./session-connection";
import type { Statements } from "./transaction";
import { WriteWatch } from "./write-watch";

const IDLE_SECONDS = 60;
const END_SECONDS = 5;
/** While PostgreSQL executes a batch of some accounts, one of others can run. Source: docs/reliability.md#a1. */
const BATCH_LANES = 2;

/** For work that may take long: migrations, maintenance, reconciliation. */
const unbounded = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };

/** For statistics, which compute a hundred sums over a few megabytes: JIT compilation takes longer than execution. */
const statistics = { jit: "off", work_mem: "16MB" };

/**
 * The batch statement joins small inputs with large tables by index; the planner cannot estimate that.
 * Source: docs/performance.md#s1.
 */
const batchPlanning = { plan_cache_mode: "force_generic_plan", enable_seqscan: "off", jit: "off" };

/** How to connect to PostgreSQL. */
export interface PostgresOptions {
  url: string;
  /** Connections of the general pool. */
  poolSize?: number | undefined;
  /** Called when the server stops taking writes, and when one takes them again. */
  onWritable?: ((takesWrites: boolean) => void) | undefined;
}

/**
 * Connects to PostgreSQL: a general pool with bounded waits, two connections for ledger batches, one for notifications,
 * and one that probes whether the database answers. All are replaced when a server that took no writes is followed by one
 * that does.
 * Throws: UnsuitableDatabaseError for a pooler that keeps no session, and for several hosts; the driver's error when the
 * server does not answer; later statements also throw PoolError.
 */
export async function openPostgres({ url, poolSize = 10, onWritable }: PostgresOptions): Promise<Database> {
  await checkSession(url);
  const types = await readArrayTypes(url, bounded);
  const onError = (error: unknown): void => {
    if (isReadOnly(error)) watch.report();
  };
  const pause = new DialPause();
  const open = (parameters: Parameters, idleSeconds = 0, events: Partial<ListenerEvents> = {}) =>
    new Connection({ url, parameters, types, idleSeconds, pause, onError, ...events });
  const listener = new Listener((events) => open(bounded, 0, events));
  const probe = new ConnectionProbe(() => open(bounded));
  const pool = new BoundedPool<Connection>({
    open: () => open({ ...bounded, ...statistics }, IDLE_SECONDS),
    size: poolSize,
    ping: () => probe.ping(),
    discard: (connection) => void connection.end(0).catch(() => {}),
  });
  const batches = new BatchConnections(BATCH_LANES, () => open({ ...bounded, ...batchPlanning }));
  const watch = new WriteWatch({
    takesWrites: () => takesWrites(open(bounded)),
    renew() {
      pool.renew();
      probe.renew();
      listener.renew();
      batches.renew();
    },
    onChange: (writable) => onWritable?.(writable),
  });
  // Opens this connection now, so that the first ping does not wait for it; an error appears with that ping.
  probe.ping().catch(() => {});
  const statements = pooled(pool);
  const query = queryOn(statements);
  return {
    kind: "postgres",
    orm: ormOn(statements),
    query,
    batchLanes: BATCH_LANES,
    batchQuery: <T>(sql: string, params: readonly unknown[], lane = 0) =>
      batches.at(lane).query(sql, params, { prepare: true }) as Promise<T[]>, // the caller knows its statement
    resetBatch: (lane = 0) => batches.reset(lane),
    renewWhenWritable: () => watch.report(),
    answers: (withinMs) => probe.answers(withinMs),
    session: (work) => withSession(open(unbounded), work),
    async notify(channel, payload) {
      await query("SELECT pg_notify($1, $2)", [channel, payload]);
    },
    listen: (channel, handler, missed) => listener.listen(channel, handler, missed),
    heardUntilMs: () => listener.heardUntilMs,
    async close() {
      watch.close();
      const ended = [...pool.close(), probe.connection].map((connection) => connection.end(END_SECONDS));
      await Promise.all([...ended, batches.end(END_SECONDS), listener.end(END_SECONDS)]);
    },
  };
}

/** Statements and transactions, each on a connection of the pool. */
function pooled(pool: BoundedPool<Connection>): Statements {
  return {
    query: (text, params, options) => pool.run((connection) => connection.query(text, params, options)),
    transaction: (work) => pool.run((connection) => connection.transaction(work)),
  };
}

function queryOn(statements: Statements): Session["query"] {
  // The caller knows the rows of its statement.
  return <T>(sql: string, params: readonly unknown[] = []) =>
    statements.query(sql, params, { prepare: true }) as Promise<T[]>;
}

async function withSession<T>(connection: Connection, work: (session: Session) => Promise<T>): Promise<T> {
  let endSeconds = 0;
  try {
    // A pooler may apply the bounds of the role instead of the parameters of the connection.
    const settings = Object.keys(unbounded).map((name) => `set_config('${name}', '0', false)`);
    await firstAnswer(connection.query(`SELECT ${settings.join(", ")}`, []));
    endSeconds = END_SECONDS;
    const statements = new SessionConnection(connection);
    return await work({ orm: ormOn(statements), query: queryOn(statements) });
  } finally {
    await connection.end(endSeconds);
  }
}

/** Asks on a connection and then ends it. Throws: the driver's error, or ConnectTimeoutError without an answer. */
async function takesWrites(connection: Connection): Promise<boolean> {
  try {
    const text = "SELECT current_setting('transaction_read_only') AS read_only";
    const rows = await firstAnswer(queryOn(connection)<{ read_only: string }>(text));
    return onlyRow(rows).read_only === "off";
  } finally {
    await connection.end(0);
  }
}

/** Generous, because even this statement is slow on an overloaded machine. */
const PING_MS = 1_000;
const STEPS = 5;
const MAX_STEPS = 20;

/** A separate connection that only checks whether the database answers. */
class ConnectionProbe {
  readonly #open: () => Connection;
  #connection: Connection;
  #pinging: Promise<void> | null = null;

  constructor(open: () => Connection) {
    this.#open = open;
    this.#connection = open();
  }

  /** The current connection, so that the caller can end it. */
  get connection(): Connection {
    return this.#connection;
  }

  /**
   * Resolves when the database answers; concurrent callers share one ping.
   * Throws: the driver's error, or a timeout after a second. The connection is then replaced.
   */
  ping(): Promise<void> {
    if (this.#pinging !== null) return this.#pinging;
    const pinging = this.#sendPing().finally(() => {
      if (this.#pinging === pinging) this.#pinging = null;
    });
    this.#pinging = pinging;
    return pinging;
  }

  /** True when a ping is answered within the time. Never rejects. Units: milliseconds. */
  answers(withinMs: number): Promise<boolean> {
    return Promise.race([this.ping(), rejectAfter(withinMs)]).then(
      () => true,
      () => false,
    );
  }

  /** Replaces the connection; the next ping is sent on the new one, also while one is in flight on the old one. */
  renew(): void {
    const old = this.#connection;
    this.#connection = this.#open();
    this.#pinging = null;
    old.end(0).catch(() => {});
  }

  async #sendPing(): Promise<void> {
    const connection = this.#connection;
    try {
      await Promise.race([connection.query("SELECT 1", []), rejectAfter(PING_MS)]);
    } catch (error) {
      if (connection === this.#connection) this.renew();
      throw error;
    }
  }
}

/** Waits in steps. A step that took much longer does not count: the event loop was blocked and read no answer. */
async function rejectAfter(withinMs: number): Promise<never> {
  const stepMs = withinMs / STEPS;
  let counted = 0;
  for (let step = 0; counted < STEPS && step < MAX_STEPS; step++) {
    const startMs = performance.now();
    await sleep(stepMs, undefined, { ref: false });
    if (performance.now() - startMs < 1.5 * stepMs) counted += 1;
  }
  throw new Error(`no answer within ${withinMs} ms`);
}
