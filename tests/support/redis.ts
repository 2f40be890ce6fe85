import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "@/bench/free-port";

/** A Redis that tests may talk to. */
export interface TestRedis {
  url: string;
  /** Ends it, when it is ours. */
  stop(): Promise<void>;
}

/** A private Redis, which tests may kill and start again, empty, on the same port. */
export interface PrivateRedis extends TestRedis {
  kill(): Promise<void>;
  start(): Promise<void>;
}

const hasBinary = spawnSync("redis-server", ["--version"]).status === 0;
const givenUrl = process.env.TEST_REDIS_URL ?? "";

/** Why tests against Redis are skipped; null when they can run. */
export const redisSkipReason: string | null =
  hasBinary || givenUrl !== "" ? null : "no redis-server on the PATH and TEST_REDIS_URL is not set";

/** Why tests that kill their own Redis are skipped; null when they can run. */
export const privateRedisSkipReason: string | null = hasBinary ? null : "no redis-server on the PATH";

/** The Redis of `TEST_REDIS_URL`, or a private one on a free port. */
export async function openTestRedis(): Promise<TestRedis> {
  return givenUrl === "" ? openPrivateRedis() : { url: givenUrl, stop: async () => {} };
}

/** Starts a Redis without persistence on a free port of the loopback; `further`: options of its command line. */
export async function openPrivateRedis(further: readonly string[] = []): Promise<PrivateRedis> {
  const port = await freePort();
  const directory = await mkdtemp(path.join(tmpdir(), "tollgate-redis-"));
  let child: ChildProcess | null = null;
  const start = async () => {
    const options = [
      "--port",
      String(port),
      "--bind",
      "127.0.0.1",
      "--save",
      "",
      "--dir",
      directory,
      ...further,
    ];
    child = spawn("redis-server", options, { stdio: "ignore" });
    await answering(port);
  };
  const kill = async () => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return;
    const exited = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await exited;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    async stop() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function answering(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await pings(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`redis-server on port ${port} did not answer within 5 s`);
}

function pings(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("data", (data) => done(data.toString().startsWith("+PONG")));
    socket.once("error", () => done(false));
  });
}
