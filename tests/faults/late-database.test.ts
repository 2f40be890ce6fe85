import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "@/bench/free-port";
import { eventually } from "@/tests/support/gateway-fixtures";
import { initialise, pgCtl, postgresDirectory, postgresServer, runPostgres } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";
import { TestServer } from "@/tests/support/server";

const server = await postgresServer();
const withoutServer = "unavailable" in server || server.dataDirectory === null;
const without = withoutServer ? " (needs a PostgreSQL of its own)" : "";
/** Three of them are reserved for superusers. */
const MOST_CONNECTIONS = 30;

/** Source: docs/contract.md#database-away. */
describe.skipIf(withoutServer)(`PostgreSQL that is not there at the start${without}`, () => {
  const home = withoutServer ? "" : postgresDirectory(`late-${randomBytes(4).toString("hex")}`);
  const dataDirectory = path.join(home, "data");
  const started: TestServer[] = [];
  const secrets = {
    AUTH_SECRET: randomBytes(48).toString("base64"),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  };
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    runPostgres("initdb", initialise(dataDirectory));
  });
  afterEach(async () => {
    for (const one of started) await one.stop("SIGKILL");
  });
  afterAll(() => {
    pgCtl(["stop", "-m", "immediate", "-D", dataDirectory]);
  });

  const startPostgres = (): void => {
    const settings = `-p ${port} -k ${home} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=${MOST_CONNECTIONS}`;
    pgCtl(["start", "-D", dataDirectory, "-l", path.join(home, "log"), "-o", settings]);
  };

  function gateway(env: Record<string, string> = {}): TestServer {
    const one = new TestServer({
      PORT: "0",
      DATA_DIR: mkdtempSync(path.join(runDirectory(), "server-")),
      DATABASE_URL: `postgres://tollgate@127.0.0.1:${port}/postgres`,
      INIT_ADMIN_PASSWORD: "correct-horse-battery",
      PASSWORD_HASH_COST: "4",
      LOG_LEVEL: "warn",
      ...secrets,
      ...env,
    });
    started.push(one);
    return one;
  }

  /** What a process printed that ended by itself. */
  async function refusal(one: TestServer): Promise<string> {
    await one.start().catch(() => {});
    await one.ended();
    return one.output;
  }

  test("ends the start with one sentence after a minute", async () => {
    const one = gateway();
    const output = await refusal(one);
    expect(output).toContain(`nothing listens at 127.0.0.1:${port}`);
    expect(output).toContain("start PostgreSQL");
    expect(output).toContain("The database is not ready:");
    expect(await one.stop()).toBe(1);
  });

  test("is waited for by three processes at once, of which one migrates: all get ready", async () => {
    startPostgres();
    const first = await gateway().start();
    await first.stop();
    pgCtl(["stop", "-m", "fast", "-D", dataDirectory]);
    const three = [
      gateway({ DATABASE_POOL: "3" }),
      gateway({ DATABASE_POOL: "3" }),
      gateway({ DATABASE_POOL: "3" }),
    ];
    const ready = three.map((one) => one.start());
    await eventually(
      async () => (three.every(({ output }) => output.includes("not there yet")) ? true : null),
      40_000,
    );
    startPostgres();
    for (const one of await Promise.all(ready)) {
      expect((await fetch(`${one.url}/api/health/ready`)).status).toBe(200);
      expect(one.output).not.toContain("too many clients");
      await one.stop();
    }
  });

  test("or that takes no writes is waited for", async () => {
    const sql = postgres(`postgres://tollgate@127.0.0.1:${port}/postgres`, { max: 1, onnotice: () => {} });
    try {
      await sql.unsafe("ALTER SYSTEM SET default_transaction_read_only = on");
      await sql.unsafe("SELECT pg_reload_conf()");
      await expect
        .poll(async () => (await sql`SHOW default_transaction_read_only`)[0]?.default_transaction_read_only)
        .toBe("on");
      const one = gateway();
      const begun = one.start();
      await eventually(async () => (one.output.includes("takes no writes") ? true : null), 40_000);
      await sql.unsafe("ALTER SYSTEM RESET default_transaction_read_only");
      await sql.unsafe("SELECT pg_reload_conf()");
      await begun;
      expect((await fetch(`${one.url}/api/health/ready`)).status).toBe(200);
    } finally {
      await sql.end({ timeout: 1 });
    }
  });

  test("that gives fewer connections than the processes may need is told with the sum", async () => {
    const one = await gateway({ DATABASE_POOL: "30" }).start();
    expect(one.output).toContain(
      "1 process of up to 35 connections (DATABASE_POOL + 5) may need 35, and PostgreSQL gives 27",
    );
    await one.stop();
    const fits = await gateway({ DATABASE_POOL: "22" }).start();
    expect(fits.output).not.toContain("DATABASE_POOL");
    await fits.stop();
  });

  test("that has no connection left ends the start with the sum and what to do", async () => {
    const crowd = postgres(`postgres://tollgate@127.0.0.1:${port}/postgres`, {
      max: MOST_CONNECTIONS,
      onnotice: () => {},
    });
    try {
      await Promise.all(Array.from({ length: MOST_CONNECTIONS }, () => crowd`SELECT pg_sleep(0.5)`));
      await eventually(async () => {
        const [row] =
          await crowd`SELECT count(*)::integer AS open FROM pg_stat_activity WHERE backend_type = 'client backend'`;
        return row?.open === MOST_CONNECTIONS ? true : null;
      });
      const one = gateway();
      const output = await refusal(one);
      expect(output).toContain("PostgreSQL has no connection left. 1 process of up to 15 connections");
      expect(output).toContain("lower DATABASE_POOL");
      expect(output).toContain("The database cannot be used:");
      expect(await one.stop()).toBe(1);
    } finally {
      await crowd.end({ timeout: 1 });
    }
  });
});
