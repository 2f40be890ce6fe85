import { drizzle } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import type { Database, Orm, Session, SqlValue } from "./client";
import * as tables from "./schema/tables";

const CONNECT_TIMEOUT_SECONDS = 2;
const IDLE_SECONDS = 60;
const RECONNECT_MAX_SECONDS = 0.5;

/** Server-side bounds of every ordinary statement. Units: milliseconds. Source: reliability 2.10. */
const bounded = { statement_timeout: 2_000, lock_timeout: 1_000, idle_in_transaction_session_timeout: 5_000 };

/** Statistics have a hundred sums over some megabytes: compiling them takes longer than running them. */
const statistics = { jit: "off", work_mem: "16MB" };

/** The batch statement joins small inputs with big tables by index; the planner cannot know that. Source: performance 1. */
const batchPlanning = { plan_cache_mode: "force_generic_plan", enable_seqscan: "off", jit: "off" };

/**
 * Connects to PostgreSQL: a general pool, and one connection of its own for the batch lane.
 * Throws: the driver's error when the server does not answer.
 */
export async function openPostgres(url: string, poolSize = 10): Promise<Database> {
  const pool = connect(url, poolSize, { ...bounded, ...statistics });
  let batch = connect(url, 1, { ...bounded, ...batchPlanning });
  const orm = ormOn(pool);
  try {
    await pool.unsafe("SELECT 1");
  } catch (error) {
    await Promise.all([pool.end({ timeout: 0 }), batch.end({ timeout: 0 })]);
    throw error;
  }
  return {
    kind: "postgres",
    orm,
    query: (sql, params = []) => run(pool, sql, params),
    batchQuery: (sql, params) => run(batch, sql, params),
    async resetBatch() {
      const old = batch;
      batch = connect(url, 1, { ...bounded, ...batchPlanning });
      await old.end({ timeout: 0 });
    },
    session: (work) => withSession(url, work),
    async notify(channel, payload) {
      await pool.notify(channel, payload);
    },
    async listen(channel, handler) {
      const { unlisten } = await pool.listen(channel, handler);
      return unlisten;
    },
    async close() {
      await Promise.all([pool.end({ timeout: 5 }), batch.end({ timeout: 5 })]);
    },
  };
}

function connect(url: string, max: number, parameters: Record<string, string | number>): Sql {
  const client = postgres(url, {
    max,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    idle_timeout: max > 1 ? IDLE_SECONDS : 0,
    max_lifetime: null,
    backoff: (retries: number) => Math.min(RECONNECT_MAX_SECONDS, 0.02 * 2 ** retries),
    onnotice: () => {},
    connection: { application_name: "tollgate", TimeZone: "UTC", ...parameters },
  });
  applyParsers(client);
  return client;
}

/** Drizzle replaces the date parsers of its client; afterwards they are set to what `Session.query` promises. */
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

async function run<T>(client: Sql, sql: string, params: readonly SqlValue[]): Promise<T[]> {
  // The driver's parameter type leaves out bigint, which it binds as text.
  const rows = await client.unsafe(sql, params as never[], { prepare: true });
  return [...rows] as unknown as T[];
}

async function withSession<T>(url: string, work: (session: Session) => Promise<T>): Promise<T> {
  const client = connect(url, 1, { statement_timeout: 0, lock_timeout: 0 });
  const orm = ormOn(client);
  try {
    return await work({ orm, query: (sql, params = []) => run(client, sql, params) });
  } finally {
    await client.end({ timeout: 5 });
  }
}
