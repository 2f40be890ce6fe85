import postgres from "postgres";
import { postgresServer } from "./postgres";

/** The address of the run's pooler, for the workers of the run. */
const ADDRESS = "TOLLGATE_TEST_POOLER";

/** What docs/operations.md says to set at the pooler. */
export const IGNORED_PARAMETERS = [
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
  "jit",
  "work_mem",
  "plan_cache_mode",
  "enable_seqscan",
] as const;

/** What docs/operations.md says to set at the role. */
export const ROLE_BOUNDS = {
  statement_timeout: "2s",
  lock_timeout: "1s",
  idle_in_transaction_session_timeout: "5s",
} as const;

/**
 * Before all tests: with `TEST_DATABASE_POOLER=session`, a PgBouncer before this machine's PostgreSQL. Returns what
 * stops it. Throws: for other values, and when it cannot be started.
 */
export async function startRunPooler(): Promise<() => Promise<void>> {
  const mode = process.env.TEST_DATABASE_POOLER;
  if (mode === undefined || mode === "") return async () => {};
  if (mode !== "session") throw new Error("TEST_DATABASE_POOLER may only be session");
  const server = await postgresServer();
  if ("unavailable" in server) throw new Error(server.unavailable);
  const { startPgbouncer } = await import("../faults/support/pgbouncer");
  const pooler = await startPgbouncer({ url: server.url, mode, ignored: IGNORED_PARAMETERS });
  process.env[ADDRESS] = new URL(pooler.url).host;
  return () => pooler.stop();
}

/**
 * The address at which a server under test finds a database: through the run's pooler if there is one and the address
 * leads to PostgreSQL itself, not to a fault before it. The role gets its bounds in this database.
 */
export async function throughPooler(databaseUrl: string): Promise<string> {
  const pooler = process.env[ADDRESS];
  const server = await postgresServer();
  if (pooler === undefined || "unavailable" in server) return databaseUrl;
  const url = new URL(databaseUrl);
  if (url.host !== new URL(server.url).host) return databaseUrl;
  // Several processes may start on one database at once.
  const bounding = bounded.get(databaseUrl) ?? boundRole(databaseUrl, url.pathname.slice(1));
  bounded.set(databaseUrl, bounding);
  await bounding;
  url.host = pooler;
  return url.href;
}

const bounded = new Map<string, Promise<void>>();

/** The role gets its bounds in a database, as docs/operations.md says. */
async function boundRole(databaseUrl: string, database: string): Promise<void> {
  const admin = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    for (const [name, value] of Object.entries(ROLE_BOUNDS))
      await admin.unsafe(`ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = '${value}'`);
  } finally {
    await admin.end();
  }
}
