import { randomBytes } from "node:crypto";
import path from "node:path";
import postgres, { type Sql } from "postgres";
import { freePort } from "@/bench/free-port";
import { eventually } from "@/tests/support/gateway-fixtures";
import { initialise, pgCtl, postgresDirectory, runPostgres } from "@/tests/support/postgres";
import { startTcpProxy, type TcpProxy } from "@/tests/support/tcp-proxy";

const DATABASE = "gateway";

/** One PostgreSQL server of a pair. */
export interface PairServer {
  port: number;
  dataDirectory: string;
  /** Runs statements past the proxy. */
  sql: Sql;
}

/** A primary and a standby that follows it, behind an address that can move. */
export interface PostgresPair {
  primary: PairServer;
  standby: PairServer;
  proxy: TcpProxy;
  /** The database at the address. */
  url: string;
  /** Waits until the standby has everything, and makes it a primary. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts two servers of this machine's PostgreSQL. Throws: when there is none. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const home = postgresDirectory(`pair-${randomBytes(4).toString("hex")}`);
  const start = async (name: string): Promise<PairServer> => {
    const dataDirectory = path.join(home, name);
    const port = await freePort();
    const settings = `-p ${port} -k ${home} -c listen_addresses=127.0.0.1 -c fsync=off`;
    pgCtl(["start", "-D", dataDirectory, "-l", path.join(home, `${name}.log`), "-o", settings]);
    const sql = postgres(`postgres://tollgate@127.0.0.1:${port}/postgres`, { max: 1, onnotice: () => {} });
    return { port, dataDirectory, sql };
  };
  runPostgres("initdb", initialise(path.join(home, "primary")));
  const primary = await start("primary");
  await primary.sql.unsafe(`CREATE DATABASE ${DATABASE}`);
  const source = ["-h", "127.0.0.1", "-p", String(primary.port), "-U", "tollgate"];
  runPostgres("pg_basebackup", [
    ...source,
    "-D",
    path.join(home, "standby"),
    "-R",
    "-X",
    "stream",
    "-c",
    "fast",
  ]);
  const standby = await start("standby");
  const proxy = await startTcpProxy({ host: "127.0.0.1", port: primary.port });
  return {
    primary,
    standby,
    proxy,
    url: `postgres://tollgate@127.0.0.1:${proxy.port}/${DATABASE}`,
    async promote() {
      const [written] = await primary.sql.unsafe("SELECT pg_current_wal_lsn()::text AS lsn");
      await eventually(async () => {
        const [row] = await standby.sql.unsafe(
          "SELECT pg_last_wal_replay_lsn() >= $1::text::pg_lsn AS done",
          [written?.lsn],
        );
        return row?.done ? true : null;
      }, 30_000);
      pgCtl(["promote", "-D", standby.dataDirectory]);
    },
    async stop() {
      await Promise.all([primary.sql.end(), standby.sql.end(), proxy.close()]);
      for (const { dataDirectory } of [standby, primary])
        pgCtl(["stop", "-m", "immediate", "-D", dataDirectory]);
    },
  };
}

/** Makes every session of a server read-only, or not; those that are open too. */
export async function setReadOnly({ sql }: PairServer, readOnly: boolean): Promise<void> {
  await sql.unsafe(`ALTER SYSTEM SET default_transaction_read_only = ${readOnly ? "on" : "off"}`);
  await sql.unsafe("SELECT pg_reload_conf()");
}

/** The connections of gateways to a server. */
export async function gatewayConnections({ sql }: PairServer): Promise<number> {
  const [row] = await sql.unsafe(
    "SELECT count(*)::integer AS connections FROM pg_stat_activity WHERE application_name = 'tollgate'",
  );
  return Number(row?.connections);
}

/** Runs a statement in the gateway's database of a server. */
export async function inGatewayDatabase<T>({ port }: PairServer, statement: string): Promise<T[]> {
  const sql = postgres(`postgres://tollgate@127.0.0.1:${port}/${DATABASE}`, { max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe(statement))] as unknown as T[]; // the caller names the columns it selects
  } finally {
    await sql.end();
  }
}
