import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Redis, type RedisOptions } from "ioredis";
import { freePort } from "@/bench/free-port";

/** One Redis process with options of its own, and a connection to control it. */
export interface RedisServer {
  port: number;
  control: Redis;
  stop(): Promise<void>;
}

/** Starts Redis with further arguments on a free port of the loopback and waits until `control` answers. */
export async function startRedisServer(
  args: (port: number) => string[] = () => [],
  control: RedisOptions = {},
): Promise<RedisServer> {
  return launch((port) => ["--port", String(port), "--bind", "127.0.0.1", ...args(port)], control);
}

/** Starts a Sentinel that watches a primary. */
export async function startSentinel(
  name: string,
  primary: number,
  lines: string[] = [],
): Promise<RedisServer> {
  return launch(async (port, directory) => {
    const file = path.join(directory, "sentinel.conf");
    const watch = `sentinel monitor ${name} 127.0.0.1 ${primary} 1`;
    await writeFile(
      file,
      [`port ${port}`, "bind 127.0.0.1", `dir ${directory}`, watch, ...lines, ""].join("\n"),
    );
    return [file, "--sentinel"];
  }, {});
}

async function launch(
  args: (port: number, directory: string) => string[] | Promise<string[]>,
  control: RedisOptions,
): Promise<RedisServer> {
  const port = await freePort();
  const directory = await mkdtemp(path.join(tmpdir(), "tollgate-redis-"));
  const given = await args(port, directory);
  const own = given.includes("--sentinel") ? [] : ["--save", "", "--dir", directory];
  const child = spawn("redis-server", [...given, ...own], { stdio: "ignore" });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const connection = new Redis({
    host: "127.0.0.1",
    port,
    retryStrategy: () => 50,
    maxRetriesPerRequest: 100,
    ...control,
  });
  connection.on("error", () => {}); // until it listens
  await connection.ping();
  return {
    port,
    control: connection,
    async stop() {
      connection.disconnect();
      child.kill("SIGKILL");
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Three nodes of one cluster, with the slots divided among them. */
export async function startRedisCluster(): Promise<RedisServer[]> {
  const options = () => ["--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf"];
  const nodes = await Promise.all([1, 2, 3].map(() => startRedisServer(options)));
  const bounds = [0, 5_461, 10_923, 16_384];
  for (const [index, node] of nodes.entries()) {
    const [from = 0, to = 0] = bounds.slice(index, index + 2);
    await node.control.call("CLUSTER", "ADDSLOTSRANGE", String(from), String(to - 1));
    for (const other of nodes) await node.control.call("CLUSTER", "MEET", "127.0.0.1", String(other.port));
  }
  for (const node of nodes)
    await until(async () => /cluster_state:ok/.test(String(await node.control.call("CLUSTER", "INFO"))));
  return nodes;
}

/** Waits until a condition holds. Throws: when it does not within 20 s. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the condition did not hold within 20 s");
}
