import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import path from "node:path";
import postgres, { type Sql } from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { examine } from "@/scripts/doctor/examine";
import { IGNORED_PARAMETERS, ROLE_BOUNDS } from "@/tests/support/pooler";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";
import { startServer, type TestServer } from "@/tests/support/server";
import { type Pooler, pgbouncerSkipReason, startPgbouncer } from "./support/pgbouncer";

const server = await postgresServer();
const missing = "unavailable" in server ? server.unavailable : pgbouncerSkipReason;
const without = missing === null ? "" : ` (${missing})`;

const WRITES = 10;
/** Several servers use one database, one after the other. */
const secrets = {
  AUTH_SECRET: randomBytes(32).toString("hex"),
  ENCRYPTION_KEY: randomBytes(32).toString("base64"),
};

/** Source: docs/operations.md#poolers, docs/contract.md#database-url. */
describe.skipIf(without !== "")(`a server whose PostgreSQL is behind PgBouncer${without}`, () => {
  let url: string;
  let admin: Sql;
  let pooler: Pooler | null = null;
  let running: TestServer | null = null;
  beforeAll(async () => {
    url = await createTestDatabase();
    admin = postgres(url, { max: 1, onnotice: () => {} });
  });
  afterEach(async () => {
    await running?.stop("SIGKILL");
    await pooler?.stop();
    running = null;
    pooler = null;
    await bindRole(false);
  });
  afterAll(async () => {
    await admin.end();
    await dropTestDatabase(url);
  });

  /** Sets or resets the bounds of statements at the role, in this database only. */
  async function bindRole(bound: boolean): Promise<void> {
    const { pathname, username } = new URL(url);
    for (const [name, value] of Object.entries(ROLE_BOUNDS)) {
      const change = bound ? `SET ${name} = '${value}'` : `RESET ${name}`;
      await admin.unsafe(`ALTER ROLE ${username} IN DATABASE ${pathname.slice(1)} ${change}`);
    }
  }

  const start = async (databaseUrl: string) => {
    running = await startServer({ env: { ...secrets, DATABASE_URL: databaseUrl } });
    return running;
  };

  /** What the start printed when it was refused. */
  const refusalOf = (databaseUrl: string) =>
    start(databaseUrl).then(
      () => "it started",
      (error: unknown) => String(error),
    );

  /** What doctor says of the database. */
  async function examined(databaseUrl: string): Promise<string[]> {
    const dataDir = mkdtempSync(path.join(runDirectory(), "examined-"));
    const findings = await examine({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
    return findings.filter(({ subject, ok }) => subject === "database" && !ok).map(({ text }) => text);
  }

  test.each([
    { mode: "session", ignored: [], bound: true, says: "statement_timeout" },
    { mode: "session", ignored: IGNORED_PARAMETERS, bound: false, says: "drops the parameters" },
    { mode: "transaction", ignored: [], bound: true, says: "statement_timeout" },
    { mode: "transaction", ignored: IGNORED_PARAMETERS, bound: false, says: "transaction mode" },
    { mode: "transaction", ignored: IGNORED_PARAMETERS, bound: true, says: "transaction mode" },
  ] as const)(
    "in $mode mode (ignored parameters: $ignored, bounds at the role: $bound) is refused at start and by doctor in one sentence that names session mode",
    async ({ mode, ignored, bound, says }) => {
      await bindRole(bound);
      pooler = await startPgbouncer({ url, mode, ignored });
      const refusal = await refusalOf(pooler.url);
      expect(refusal).toContain("session mode");
      expect(refusal).toContain(says);
      expect(await examined(pooler.url)).toEqual([expect.stringContaining("session mode")]);
    },
    120_000,
  );

  /** Makes keys and grants one after the other, and all at once. Returns what was answered 201 and what is stored. */
  async function write(target: TestServer) {
    const user = await target.user();
    const token = await target.adminToken();
    const [account] = await admin`SELECT id FROM users WHERE username = ${user.username}`;
    const make = (round: number) => [
      target.api("POST", "/api/user/tokens", user.token, { name: `key ${round}` }),
      target.api("POST", `/api/admin/users/${account?.id}/grants`, token, { amount: 1, reason: `${round}` }),
    ];
    const answers = [];
    for (let round = 0; round < WRITES / 2; round++) {
      for (const work of make(round)) answers.push(await work);
    }
    const together = Array.from({ length: WRITES / 2 }, (_, round) => make(WRITES / 2 + round));
    answers.push(...(await Promise.all(together.flat())));
    const [stored] = await admin`SELECT
      (SELECT count(*) FROM api_keys WHERE user_id = ${account?.id} AND name LIKE 'key %')::int AS keys,
      (SELECT count(*) FROM quota_grants WHERE user_id = ${account?.id} AND amount_micro_cents = 1000000)::int AS grants`;
    return { statuses: answers.map(({ status }) => status), stored };
  }

  test.each(["directly", "in session mode"])(
    "%s stores every grant and key that was answered 201",
    async (way) => {
      if (way !== "directly") {
        await bindRole(true);
        pooler = await startPgbouncer({ url, mode: "session", ignored: IGNORED_PARAMETERS });
      }
      const target = await start(pooler?.url ?? url);
      const { statuses, stored } = await write(target);
      expect(statuses).toEqual(Array.from({ length: 2 * WRITES }, () => 201));
      expect(stored).toEqual({ keys: WRITES, grants: WRITES });
      expect(await examined(pooler?.url ?? url)).not.toContainEqual(expect.stringContaining("mode"));
    },
    120_000,
  );
});
