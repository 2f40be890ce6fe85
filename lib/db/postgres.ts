import { setTimeout as sleep } from "node:timers/promises";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres, { type Sql, type TransactionSql, type UnsafeQueryOptions } from "postgres";
import { BatchConnections } from "./batch-connections";
import { BoundedPool } from "./bounded-pool";
import type { Database, Orm, Session, SqlValue } from "./database";
import { isReadOnly } from "./database-error";
import { Listener } from "./listener";
import * as tables from "./schema/tables";
import { WriteWatch } from "./write-watch";

const CONNECT_TIMEOUT_SECONDS = 2;
const IDLE_SECONDS = 60;
const RECONNECT_MAX_SECONDS = 0.5;
const END_SECONDS = 5;
/** While PostgreSQL executes a batch of some accounts, one of others can run. Source: docs/reliability.md#a1. */
const BATCH_LANES = 2;

/** Server-side bounds of every ordinary statement. Units: milliseconds. Source: docs/reliability.md#s2-10. */
const bounded = { statement_timeout: 2_000, lock_timeout: 1_000, idle_in_transaction_session_timeout: 5_000 };

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
 * Throws: the driver's error when the server does not answer; later statements also throw PoolError.
 */
export async function openPostgres({ url, poolSize = 10, onWritable }: PostgresOptions): Promise<Database> {
  const types = await readArrayTypes(url);
  const open = (max: number, parameters: Parameters) => connect({ url, max, parameters, types });
  const noteError = (error: unknown) => {
    if (isReadOnly(error)) watch.report();
  };
  const listener = new Listener(() => open(1, bounded));
  const probe = new ConnectionProbe(() => open(1, bounded));
  const pool = new BoundedPool<Sql>({
    open: () => withDrizzleParsers(open(poolSize, { ...bounded, ...statistics })),
    size: poolSize,
    ping: () => probe.ping(),
    discard: (client) => void client.end({ timeout: 0 }).catch(() => {}),
    onError: noteError,
  });
  const batches = new BatchConnections(BATCH_LANES, () => open(1, { ...bounded, ...batchPlanning }));
  const watch = new WriteWatch({
    takesWrites: () => takesWrites(open(1, bounded)),
    renew() {
      pool.renew();
      probe.renew();
      listener.renew();
      batches.renew();
    },
    onChange: (writable) => onWritable?.(writable),
  });
  // Opens this connection now, so that the first question need not wait for that; a failure shows later.
  probe.ping().catch(() => {});
  return {
    kind: "postgres",
    orm: ormOn(pooled(pool)),
    query: (sql, params = []) => pool.run((client) => run(client, sql, params)),
    batchLanes: BATCH_LANES,
    batchQuery: (sql, params, lane = 0) => run(batches.client(lane), sql, params, noteError),
    resetBatch: (lane = 0) => batches.reset(lane),
    renewWhenWritable: () => watch.report(),
    answers: (withinMs) => probe.answers(withinMs),
    session: (work) => withSession(open(1, { statement_timeout: 0, lock_timeout: 0 }), work, noteError),
    async notify(channel, payload) {
      await pool.run((client) => client.notify(channel, payload));
    },
    listen: (channel, handler) => listener.listen(channel, handler),
    async close() {
      watch.close();
      const clients = [pool.close(), probe.client].map((client) => client.end({ timeout: END_SECONDS }));
      await Promise.all([...clients, batches.end(END_SECONDS), listener.end(END_SECONDS)]);
    },
  };
}

type Parameters = Record<string, string | number>;

/** Parsers and serializers of array types, whose ids the server assigns. */
type ArrayTypes = Pick<Sql["options"], "parsers" | "serializers">;

interface ConnectOptions {
  url: string;
  max: number;
  parameters: Parameters;
  types: ArrayTypes | null;
}

/**
 * Reads the array types once at startup. Otherwise the driver queries them on each new connection, and its error cannot
 * be caught when the connection breaks during that query.
 */
async function readArrayTypes(url: string): Promise<ArrayTypes> {
  const client = connect({ url, max: 1, parameters: bounded, types: null });
  try {
    await client.unsafe("SELECT 1");
    const { parsers, serializers } = client.options;
    return { parsers: { ...parsers }, serializers: { ...serializers } };
  } finally {
    await client.end({ timeout: 1 });
  }
}

function connect({ url, max, parameters, types }: ConnectOptions): Sql {
  const client = postgres(url, {
    max,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    idle_timeout: max > 1 ? IDLE_SECONDS : 0,
    max_lifetime: null,
    fetch_types: types === null,
    backoff: (retries: number) => Math.min(RECONNECT_MAX_SECONDS, 0.02 * 2 ** retries),
    onnotice: () => {},
    connection: { application_name: "tollgate", TimeZone: "UTC", ...parameters },
  });
  Object.assign(client.options.parsers, types?.parsers);
  Object.assign(client.options.serializers, types?.serializers);
  applyParsers(client);
  return client;
}

/** A client with the parsers that drizzle needs. */
function withDrizzleParsers(client: Sql): Sql {
  ormOn(client);
  return client;
}

/** Drizzle replaces the date parsers of its client; this restores those that `Session.query` guarantees. */
function ormOn(client: Sql): Orm {
  const orm = drizzle({ client, schema: tables });
  applyParsers(client);
  return orm;
}

function applyParsers(client: Sql): void {
  const asText = (text: string): string => text;
  Object.assign(client.options.parsers, {
    20: (text: string) => BigInt(text),
    1082: asText,
    1114: asText,
    1184: (text: string) => new Date(text),
  });
  Object.assign(client.options.serializers, {
    114: asText,
    3802: asText,
    1184: (value: Date | string) => (typeof value === "string" ? value : value.toISOString()),
  });
}

/** The client interface that drizzle uses, on top of the pool. */
function pooled(pool: BoundedPool<Sql>): Sql {
  const client = {
    options: pool.client.options,
    begin: (work: (sql: TransactionSql) => Promise<unknown>) => pool.run((sql) => sql.begin(work)),
    unsafe(text: string, params?: never[], options?: UnsafeQueryOptions) {
      let asValues = false;
      // A query starts only when it is awaited; until then drizzle may request its rows as arrays.
      const rows = Promise.resolve().then(() =>
        pool.run(async (sql) => {
          const query = sql.unsafe(text, params, options);
          return asValues ? await query.values() : await query;
        }),
      );
      const values = () => {
        asValues = true;
        return rows;
      };
      return Object.assign(rows, { values });
    },
  };
  return client as unknown as Sql; // drizzle's session calls no other member
}

function run<T>(
  client: Sql,
  sql: string,
  params: readonly SqlValue[],
  onError?: (error: unknown) => void,
): Promise<T[]> {
  // The driver's parameter type leaves out bigint, which it binds as text. To await its query would cost more promises.
  return client.unsafe(sql, params as never[], { prepare: true }).then(
    (rows) => [...rows] as unknown as T[],
    (error: unknown) => {
      onError?.(error);
      throw error;
    },
  );
}

async function withSession<T>(
  client: Sql,
  work: (session: Session) => Promise<T>,
  onError: (error: unknown) => void,
): Promise<T> {
  const orm = ormOn(client);
  try {
    return await work({ orm, query: (sql, params = []) => run(client, sql, params) });
  } catch (error) {
    onError(error);
    throw error;
  } finally {
    await client.end({ timeout: END_SECONDS });
  }
}

/** Asks over a client that it ends. Throws: the driver's error. */
async function takesWrites(client: Sql): Promise<boolean> {
  try {
    const [row] = await client.unsafe("SELECT current_setting('transaction_read_only') AS read_only");
    return row?.read_only === "off";
  } finally {
    await client.end({ timeout: 0 });
  }
}

/** Generous, because even this statement is slow on an overloaded machine. */
const PING_MS = 1_000;
const STEPS = 5;
const MAX_STEPS = 20;

/** A separate connection that only checks whether the database answers. */
class ConnectionProbe {
  readonly #open: () => Sql;
  #client: Sql;
  #pinging: Promise<void> | null = null;

  constructor(open: () => Sql) {
    this.#open = open;
    this.#client = open();
  }

  /** The current client, so that the caller can end it. */
  get client(): Sql {
    return this.#client;
  }

  /**
   * Resolves when the database answers; concurrent callers share one ping.
   * Throws: the driver's error, or a timeout after a second. The connection is then replaced.
   */
  ping(): Promise<void> {
    this.#pinging ??= this.#sendPing().finally(() => {
      this.#pinging = null;
    });
    return this.#pinging;
  }

  /** True when a ping is answered within the time. Never rejects. Units: milliseconds. */
  answers(withinMs: number): Promise<boolean> {
    return Promise.race([this.ping(), rejectAfter(withinMs)]).then(
      () => true,
      () => false,
    );
  }

  /** Replaces the connection. */
  renew(): void {
    const old = this.#client;
    this.#client = this.#open();
    old.end({ timeout: 0 }).catch(() => {});
  }

  async #sendPing(): Promise<void> {
    const client = this.#client;
    try {
      await Promise.race([client.unsafe("SELECT 1"), rejectAfter(PING_MS)]);
    } catch (error) {
      if (client === this.#client) this.renew();
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
