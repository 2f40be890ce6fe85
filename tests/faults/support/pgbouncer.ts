import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { freePort } from "@/bench/free-port";
import { findPgbouncer } from "@/scripts/machine.mjs";
import { eventually } from "@/tests/support/gateway-fixtures";
import { serverAccount } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";

/** How a pooler is configured. */
export interface PoolerOptions {
  /** The database behind it. */
  url: string;
  mode: "session" | "transaction";
  /** Names of `ignore_startup_parameters`. */
  ignored: readonly string[];
}

/** A PgBouncer in front of a database. */
export interface Pooler {
  /** The address of the database through it. */
  url: string;
  stop(): Promise<void>;
}

const STARTED_WITHIN_MS = 20_000;

/** Why no PgBouncer can be started here; null when one can. */
export const pgbouncerSkipReason = findPgbouncer() === null ? "PgBouncer is not on this machine" : null;

/** Starts the real program, and waits until it takes connections. */
export async function startPgbouncer({ url, mode, ignored }: PoolerOptions): Promise<Pooler> {
  const program = findPgbouncer();
  if (program === null) throw new Error("PgBouncer is not on this machine");
  const behind = new URL(url);
  const port = await freePort();
  const account = serverAccount();
  const folder = mkdtempSync(path.join(runDirectory(), "pgbouncer-"));
  const file = path.join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    [
      "[databases]",
      `* = host=${behind.hostname} port=${behind.port} user=${behind.username}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = any",
      `pool_mode = ${mode}`,
      "max_client_conn = 200",
      "default_pool_size = 40",
      ...(ignored.length > 0 ? [`ignore_startup_parameters = ${ignored.join(",")}`] : []),
      "",
    ].join("\n"),
  );
  chmodSync(folder, 0o755);
  chmodSync(file, 0o644); // whatever the umask of this process
  const child = spawn(program, [file], { ...account, cwd: "/", stdio: "ignore" });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
    return (await accepts(port)) ? true : null;
  }, STARTED_WITHIN_MS);
  behind.hostname = "127.0.0.1";
  behind.port = String(port);
  return { url: behind.href, stop: () => end(child) };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGQUIT");
  await ended;
}
