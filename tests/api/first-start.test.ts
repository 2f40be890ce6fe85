import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import postgres from "postgres";
import { afterEach, describe, expect, test } from "vitest";
import { embeddedDirectory } from "../support/database";
import { createEmptyTestDatabase, dropTestDatabase, postgresServer } from "../support/postgres";
import { openTestRedis, redisSkipReason } from "../support/redis";
import { runDirectory } from "../support/run-directory";
import { TestServer } from "../support/server";
import { sharedSecrets } from "../support/shared-secrets";

const found = await postgresServer();
const without = "unavailable" in found ? found.unavailable : redisSkipReason;
const PASSWORD = /^ {2}password {3}(\S+)/m;
const STACK = /^ {4}at /m;
const started: TestServer[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop("SIGKILL");
});

function server(env: Record<string, string>): TestServer {
  const made = new TestServer({ PORT: "0", PASSWORD_HASH_COST: "10", LOG_LEVEL: "info", ...env });
  started.push(made);
  return made;
}

async function canSignIn(at: TestServer, password: string): Promise<boolean> {
  const { status } = await at.api("POST", "/api/user/login", undefined, { username: "admin", password });
  return status === 200;
}

/** Source: docs/contract.md#first-admin. */
test.skipIf(without !== null)(
  `three replicas that start at once on an empty database are all ready, with one admin and one password${without ?? ""}`,
  async () => {
    const [url, redis] = await Promise.all([createEmptyTestDatabase(), openTestRedis()]);
    const shared = {
      DATABASE_URL: url,
      REDIS_URL: redis.url,
      REPLICAS: "3",
      ...sharedSecrets(),
    };
    const replicas = Array.from({ length: 3 }, () =>
      server({ ...shared, DATA_DIR: mkdtempSync(path.join(runDirectory(), "replica-")) }),
    );
    await Promise.all(replicas.map((replica) => replica.start()));
    const outputs = replicas.map(({ output }) => output);
    for (const output of outputs) {
      expect(output).not.toMatch(STACK);
      expect(output).not.toMatch(/\$2[aby]\$|"level":[56]0/);
    }
    const passwords = outputs.flatMap((output) => PASSWORD.exec(output)?.[1] ?? []);
    expect(passwords).toHaveLength(1);
    for (const replica of replicas) expect(await canSignIn(replica, passwords[0] ?? "")).toBe(true);
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    const [row] =
      await sql`SELECT (SELECT count(*) FROM users)::int AS accounts, (SELECT count(*) FROM plans)::int AS plans`;
    expect(row).toEqual({ accounts: 1, plans: 4 });
    await sql.end();
    for (const replica of replicas.slice()) await replica.stop("SIGKILL");
    await dropTestDatabase(url);
    await redis.stop();
  },
);

// Two starts of the embedded database, which take half a minute each on a crowded machine.
describe("a first start on a taken port", { timeout: 180_000 }, () => {
  test("says so without a stack, leaves no lock behind, and leaves the password to the start that succeeds", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" ? address?.port : 0;
    const dataDir = await embeddedDirectory();
    const refused = server({ DATA_DIR: dataDir, PORT: String(port) });
    await expect(refused.start()).rejects.toThrow(
      `Port ${port} is taken by another program; set PORT to another one.`,
    );
    expect(await refused.stop()).toBe(1);
    expect(refused.output).not.toMatch(PASSWORD);
    expect(refused.output).not.toMatch(STACK);
    taken.close();
    const served = await server({ DATA_DIR: dataDir }).start();
    expect(served.output).not.toContain("lock");
    expect(await canSignIn(served, PASSWORD.exec(served.output)?.[1] ?? "")).toBe(true);
    await served.stop("SIGKILL");
    rmSync(dataDir, { recursive: true });
  });
});
