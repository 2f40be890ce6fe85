import { randomBytes } from "node:crypto";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "@/bench/free-port";
import { generateKey, hashKey } from "@/lib/accounts/key-text";
import { chatBody, eventually, Gateway } from "@/tests/support/gateway-fixtures";
import { initialise, pgCtl, postgresDirectory, postgresServer, runPostgres } from "@/tests/support/postgres";
import type { TestUser } from "@/tests/support/server";
import { startTcpProxy, type TcpProxy } from "@/tests/support/tcp-proxy";

/** Ten seconds at 500 calls a second; on a slow machine they take longer, and the log has its own times. */
const CALLS = 5_000;
const CONNECTIONS = 64;
/** Lines in ten seconds. */
const MOST_LINES = 50;
const WINDOW_MS = 10_000;
const MOST_BYTES_A_LINE = 1_200;
const DATABASE = "gateway";

const found = await postgresServer();
const withoutServer = "unavailable" in found || found.dataDirectory === null;
const without = withoutServer ? " (needs a PostgreSQL of its own)" : "";

/** The most of these times that lie within one span. */
function mostWithin(times: readonly number[], spanMs: number): number {
  return Math.max(
    ...times.map((from) => times.filter((time) => time >= from && time < from + spanMs).length),
  );
}

/** Source: docs/reliability.md#log-repeats. */
describe.skipIf(withoutServer)(`the log of a server while PostgreSQL is away${without}`, () => {
  const home = withoutServer ? "" : postgresDirectory(`away-${randomBytes(4).toString("hex")}`);
  const dataDirectory = path.join(home, "data");
  const databasePassword = `canary-${randomBytes(8).toString("hex")}`;
  const userPassword = `canary-${randomBytes(8).toString("hex")}`;
  const gateway = new Gateway();
  let settings: string;
  let proxy: TcpProxy;
  let user: TestUser;
  /** What the database has of passwords and keys. */
  let stored: string[];
  beforeAll(async () => {
    const port = await freePort();
    settings = `-p ${port} -k ${home} -c listen_addresses=127.0.0.1 -c fsync=off`;
    runPostgres("initdb", initialise(dataDirectory));
    startPostgres();
    const direct = (database: string) =>
      postgres(`postgres://tollgate@127.0.0.1:${port}/${database}`, { max: 1, onnotice: () => {} });
    const admin = direct("postgres");
    await admin.unsafe(`CREATE DATABASE ${DATABASE}`);
    await admin.end();
    proxy = await startTcpProxy({ host: "127.0.0.1", port });
    await gateway.start({
      database: "postgres",
      env: {
        DATABASE_URL: `postgres://tollgate:${databasePassword}@127.0.0.1:${proxy.port}/${DATABASE}`,
        LOG_LEVEL: "info",
      },
      models: [{ alias: "quick", routes: [["chat", "sim-usage-10-10"]] }],
    });
    user = await gateway.key();
    await gateway.server.api("POST", "/api/user/register", undefined, {
      username: `away${randomBytes(4).toString("hex")}`,
      password: userPassword,
    });
    const sql = direct(DATABASE);
    const users = await sql`SELECT password_hash FROM users`;
    const keys =
      await sql`SELECT encode(key_hash, 'hex') AS hex, encode(key_hash, 'base64') AS base64 FROM api_keys`;
    stored = [
      ...users.map(({ password_hash }) => String(password_hash)),
      ...keys.flatMap(({ hex, base64 }) => [String(hex), String(base64)]),
    ];
    await sql.end();
  });
  afterAll(async () => {
    proxy?.heal();
    await gateway.server.stop("SIGKILL");
    await gateway.stop();
    await proxy?.close();
    pgCtl(["stop", "-m", "immediate", "-D", dataDirectory]);
  });

  function startPostgres(): void {
    pgCtl(["start", "-D", dataDirectory, "-l", path.join(home, "log"), "-o", settings]);
  }

  /** One call of each kind in turn: a known key, an unknown one, a sign-in, a question of an account. */
  async function call(turn: number): Promise<number> {
    const { server } = gateway;
    if (turn % 10 === 9)
      return (
        await server.api("POST", "/api/user/login", undefined, {
          username: user.username,
          password: userPassword,
        })
      ).status;
    if (turn % 10 === 8) return (await server.api("GET", "/api/user/tokens", user.token)).status;
    const key = turn % 2 === 0 ? user.key : generateKey().key;
    const answer = await server.gateway("/v1/chat/completions", key, chatBody("quick"));
    await answer.arrayBuffer();
    return answer.status;
  }

  /** Makes so many calls as fast as the connections allow. Returns how many had each status. */
  async function callAll(calls: number): Promise<Map<number, number>> {
    const statuses = new Map<number, number>();
    let next = 0;
    const caller = async () => {
      while (next < calls) {
        const status = await call(next++);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, caller));
    return statuses;
  }

  const faults = {
    "and refuses connections": {
      calls: CALLS,
      begin: () => pgCtl(["stop", "-m", "immediate", "-D", dataDirectory]),
      end: startPostgres,
    },
    // Each call waits for about a second.
    "and says nothing any more": {
      calls: CALLS / 10,
      begin: () => proxy.fail("hang"),
      end: () => proxy.heal(),
    },
  };

  test.each(Object.entries(faults))(
    `%s has fewer than ${MOST_LINES} lines in ten seconds, and no statement, hash or secret`,
    async (_how, { calls, begin, end }) => {
      const { server } = gateway;
      const before = server.output.length;
      begin();
      const statuses = await callAll(calls);
      expect([...statuses.keys()].filter((status) => status < 500)).toEqual([]);
      const text = server.output.slice(before);
      const lines = text.split("\n").filter((line) => line.startsWith("{"));
      const times = lines.map((line) => Date.parse((JSON.parse(line) as { time: string }).time));
      const most = mostWithin(times, WINDOW_MS);
      process.stdout.write(`${calls} calls: ${lines.length} lines, at most ${most} in ten seconds\n`);
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThan(MOST_LINES);
      expect(text.length).toBeLessThan(MOST_BYTES_A_LINE * lines.length);
      expect(text).not.toMatch(
        /\bselect\b|insert into|"params"|"parameters"|ledger_batch|canary|\$2[aby]\$/i,
      );
      const hash = hashKey(user.key);
      const secrets = [user.key, user.token, hash.toString("base64url"), ...stored];
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      end();
      await eventually(async () => ((await call(0)) === 200 ? true : null), 30_000);
    },
  );
});
