import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import path from "node:path";
import postgres, { type Sql } from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "@/bench/free-port";
import { chatBody, eventually, Gateway } from "@/tests/support/gateway-fixtures";
import { initialise, pgCtl, postgresDirectory, postgresServer, runPostgres } from "@/tests/support/postgres";
import { openPrivateRedis, type PrivateRedis, privateRedisSkipReason } from "@/tests/support/redis";
import { runDirectory } from "@/tests/support/run-directory";
import { TestServer, type TestUser } from "@/tests/support/server";
import { sharedSecrets } from "@/tests/support/shared-secrets";

const found = await postgresServer();
const withoutServer = "unavailable" in found || found.dataDirectory === null;
const missing = withoutServer ? "needs a PostgreSQL of its own" : privateRedisSkipReason;
const without = missing === null ? "" : ` (${missing})`;
/** Three of them are reserved for superusers. */
const MOST_CONNECTIONS = 30;
/** More questions at once than a pool has connections. */
const QUESTIONS = 40;

/** Source: docs/operations.md#connections. */
describe.skipIf(missing !== null)(
  `a third replica on a PostgreSQL of ${MOST_CONNECTIONS} connections${without}`,
  () => {
    const home = withoutServer ? "" : postgresDirectory(`third-${randomBytes(4).toString("hex")}`);
    const dataDirectory = path.join(home, "data");
    const started: TestServer[] = [];
    let gateway: Gateway;
    let redis: PrivateRedis;
    let sql: Sql;
    let url: string;
    beforeAll(async () => {
      const port = await freePort();
      runPostgres("initdb", initialise(dataDirectory));
      const settings = `-p ${port} -k ${home} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=${MOST_CONNECTIONS}`;
      pgCtl(["start", "-D", dataDirectory, "-l", path.join(home, "log"), "-o", settings]);
      url = `postgres://gateway@127.0.0.1:${port}/gateway`;
      // One of those that are reserved.
      sql = postgres(`postgres://tollgate@127.0.0.1:${port}/postgres`, { max: 1, onnotice: () => {} });
      await sql.unsafe("CREATE ROLE gateway LOGIN");
      redis = await openPrivateRedis();
    });
    beforeEach(async () => {
      gateway = new Gateway();
      await sql.unsafe("DROP DATABASE IF EXISTS gateway WITH (FORCE)");
      await sql.unsafe("CREATE DATABASE gateway OWNER gateway");
    });
    afterEach(async () => {
      await Promise.all(started.splice(0).map((one) => one.stop("SIGKILL")));
      await gateway.stop();
    });
    afterAll(async () => {
      await sql.end();
      await redis.stop();
      pgCtl(["stop", "-m", "immediate", "-D", dataDirectory]);
    });

    /** The first replica, with nodes that all of them call. */
    async function first(pool: number): Promise<TestServer> {
      await gateway.start({
        database: "postgres",
        env: {
          ...sharedSecrets(),
          DATABASE_URL: url,
          REDIS_URL: redis.url,
          REPLICAS: "3",
          DATABASE_POOL: String(pool),
        },
        models: [{ alias: "quick", routes: [["chat", "sim-usage-10-10"]] }],
      });
      return gateway.server;
    }

    /** A further replica. */
    async function next(): Promise<TestServer> {
      const DATA_DIR = mkdtempSync(path.join(runDirectory(), "third-"));
      const one = new TestServer({ ...gateway.server.env, DATA_DIR });
      started.push(one);
      return one.start();
    }

    async function connections(): Promise<number> {
      const [row] =
        await sql`SELECT count(*)::integer AS open FROM pg_stat_activity WHERE usename = 'gateway'`;
      return Number(row?.open);
    }

    const call = (server: TestServer, { key }: TestUser) =>
      server.gateway("/v1/chat/completions", key, chatBody("quick"));

    /** Uses every connection of each pool at once. */
    async function fillPools(servers: readonly TestServer[], user: TestUser): Promise<void> {
      const ask = (server: TestServer) => server.api("GET", "/api/user/tokens", user.token);
      await Promise.all(servers.flatMap((server) => Array.from({ length: QUESTIONS }, () => ask(server))));
    }

    test("is told that there is none left, with the sum of all three, and the other two serve on", async () => {
      const two = [await first(10), await next()];
      for (const one of two)
        expect(one.output).toContain(
          "3 processes of up to 15 connections (DATABASE_POOL + 5) may need 45, and PostgreSQL gives 27",
        );
      const user = await gateway.key();
      await fillPools(two, user);
      const others = postgres(url, { max: MOST_CONNECTIONS, onnotice: () => {} });
      try {
        // What else the database serves takes what the two have left; more is refused.
        await Promise.allSettled(
          Array.from({ length: MOST_CONNECTIONS }, () => others.unsafe("SELECT pg_sleep(0.5)")),
        );
        // The one of this test counts, too.
        await eventually(async () => ((await connections()) >= MOST_CONNECTIONS - 3 - 1 ? true : null));
        const refusal = await next().catch((error: unknown) => String(error));
        expect(refusal).toContain("PostgreSQL has no connection left. 3 processes of up to 15 connections");
        expect(refusal).toContain("may need 45");
        expect(refusal).toContain("lower DATABASE_POOL");
      } finally {
        await others.end({ timeout: 1 });
      }
      // A process that found no connection left tries again after a moment.
      for (const one of two) await eventually(async () => (await call(one, user)).status === 200);
    });

    test("fits with DATABASE_POOL=4: all three use every connection at once, and one that leaves gives its own back", async () => {
      const two = [await first(4), await next()];
      const third = await next();
      const three = [...two, third];
      for (const one of three) expect(one.output).not.toContain("DATABASE_POOL");
      const user = await gateway.key();
      for (let round = 0; round < 3; round += 1) await fillPools(three, user);
      for (const one of three) {
        expect((await call(one, user)).status).toBe(200);
        expect(one.output).not.toMatch(/53300|too many clients|no connection left/);
        expect((await fetch(`${one.url}/api/health/ready`)).status).toBe(200);
      }
      const all = await connections();
      expect(all).toBeLessThanOrEqual(MOST_CONNECTIONS - 3);
      expect(await third.stop("SIGTERM")).toBe(0);
      await eventually(async () => ((await connections()) <= all - 4 ? true : null), 15_000);
      expect((await call(await next(), user)).status).toBe(200);
    });
  },
);
