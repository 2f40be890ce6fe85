import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { freePort } from "@/bench/free-port";
import { openDatabase } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { oncePerRun, runDirectory } from "./run-directory";

/** A PostgreSQL server for tests, or the reason why there is none. */
export type PostgresServer = { url: string; dataDirectory: string | null } | { unavailable: string };

interface Account {
  uid?: number;
  gid?: number;
}

/**
 * The PostgreSQL server of this test run: `TEST_DATABASE_URL`, or a private one started from the binaries on the
 * machine; started once, stopped by the global teardown.
 */
export function postgresServer(): Promise<PostgresServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return Promise.resolve({ url: given, dataDirectory: null });
  return oncePerRun("postgres", startServer);
}

/** Creates a database with the current schema on the server and returns its URL. Throws: when there is no server. */
export async function createTestDatabase(): Promise<string> {
  const template = await oncePerRun("postgres-template", async () => {
    const url = await createEmptyTestDatabase();
    const database = await openDatabase({ url, dataDir: runDirectory() });
    await migrate(database);
    await database.close();
    return nameOf(url);
  });
  return createDatabase(` TEMPLATE ${template}`);
}

/** Creates an empty database on the server and returns its URL. Throws: when there is no server. */
export function createEmptyTestDatabase(): Promise<string> {
  return createDatabase("");
}

async function createDatabase(options: string): Promise<string> {
  const server = await postgresServer();
  if ("unavailable" in server) throw new Error(server.unavailable);
  const name = `tollgate_test_${randomBytes(6).toString("hex")}`;
  await asAdministrator(server.url, `CREATE DATABASE ${name}${options}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

async function asAdministrator(url: string, statement: string): Promise<void> {
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await admin.unsafe(statement);
  } finally {
    await admin.end();
  }
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** Drops a database of `createTestDatabase` and closes its connections. */
export async function dropTestDatabase(url: string): Promise<void> {
  const server = await postgresServer();
  if ("unavailable" in server) return;
  await asAdministrator(server.url, `DROP DATABASE IF EXISTS ${nameOf(url)} WITH (FORCE)`);
}

/** Removes the run's databases from an external server. */
export async function dropTestTemplate(): Promise<void> {
  const given = process.env.TEST_DATABASE_URL;
  const file = path.join(runDirectory(), "postgres-template.json");
  if (!given || !existsSync(file)) return;
  const name: string = JSON.parse(readFileSync(file, "utf8"));
  await asAdministrator(given, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** Stops the run's private server, if one was started. */
export function stopPostgresServer(): void {
  const file = path.join(runDirectory(), "postgres.json");
  if (!existsSync(file)) return;
  const server: PostgresServer = JSON.parse(readFileSync(file, "utf8"));
  if ("unavailable" in server || server.dataDirectory === null) return;
  pgCtl(["stop", "-m", "immediate", "-D", server.dataDirectory]);
}

/** Starts, stops, promotes or crashes a private server: the arguments of pg_ctl. */
export function pgCtl(args: string[]): void {
  runPostgres("pg_ctl", [...args, "-w"]);
}

/** Runs a program of PostgreSQL as the account that owns the servers. Throws: when it fails. */
export function runPostgres(program: string, args: string[]): void {
  const binaries = findBinaries();
  if (binaries === null) throw new Error("no PostgreSQL binaries");
  // On the PATH there may be links to some of the programs only.
  const folder = path.dirname(realpathSync(path.join(binaries, "pg_ctl")));
  run(path.join(folder, program), args);
}

/** A new directory that the account of the servers may write. */
export function postgresDirectory(name: string): string {
  const home = path.join(runDirectory(), name);
  mkdirSync(home);
  chmodSync(runDirectory(), 0o755);
  const { uid, gid } = serverAccount();
  if (uid !== undefined && gid !== undefined) chownSync(home, uid, gid);
  return home;
}

async function startServer(): Promise<PostgresServer> {
  const binaries = findBinaries();
  if (binaries === null) {
    return {
      unavailable:
        "PostgreSQL: TEST_DATABASE_URL is not set and no initdb was found on the PATH or in /usr/lib/postgresql",
    };
  }
  try {
    return await startFrom(binaries);
  } catch (error) {
    return {
      unavailable: `PostgreSQL could not be started: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

async function startFrom(binaries: string): Promise<PostgresServer> {
  const home = postgresDirectory("postgres");
  const dataDirectory = path.join(home, "data");
  const port = await freePort();
  run(path.join(binaries, "initdb"), initialise(dataDirectory));
  const durable = process.env.TEST_DATABASE_DURABLE === "1";
  const settings = [
    `-p ${port}`,
    `-k ${home}`,
    "-c listen_addresses=127.0.0.1",
    "-c max_connections=200",
    ...(durable ? [] : ["-c fsync=off", "-c full_page_writes=off", "-c synchronous_commit=off"]),
  ];
  pgCtl(["start", "-D", dataDirectory, "-l", path.join(home, "log"), "-o", settings.join(" ")]);
  return { url: `postgres://tollgate@127.0.0.1:${port}/postgres`, dataDirectory };
}

/** The arguments of initdb. */
export function initialise(dataDirectory: string): string[] {
  return ["-D", dataDirectory, "-U", "tollgate", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"];
}

function findBinaries(): string | null {
  const onPath = (process.env.PATH ?? "").split(path.delimiter);
  const packaged = "/usr/lib/postgresql";
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [...onPath, ...versions.map((version) => path.join(packaged, version, "bin"))];
  return (
    places.find(
      (place) => existsSync(path.join(place, "initdb")) && existsSync(path.join(place, "pg_ctl")),
    ) ?? null
  );
}

/** PostgreSQL refuses to run as root: then it runs as `postgres`, or else as `nobody`. */
export function serverAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const found =
    accounts.find(([name]) => name === "postgres") ?? accounts.find(([name]) => name === "nobody");
  if (!found) throw new Error("running as root, and there is no account to run PostgreSQL as");
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

function run(file: string, args: string[]): void {
  // The server inherits the pipes of pg_ctl; without pipes the call can return.
  execFileSync(file, args, {
    ...serverAccount(),
    cwd: "/",
    stdio: "ignore",
    env: { ...process.env, LC_ALL: "C" },
  });
}
