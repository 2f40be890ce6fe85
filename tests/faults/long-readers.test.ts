import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, eventually, Gateway, reconcile } from "@/tests/support/gateway-fixtures";
import { createTestDatabase, postgresServer } from "@/tests/support/postgres";
import type { TestUser } from "@/tests/support/server";

const CALLERS = 8;
/** Ends all statements on locks that a maintenance without bounds would hold up. Units: milliseconds. */
const READ_MS = 20_000;
/** What the calls of a second are at least, of those without a reader. */
const LEAST_RATIO = 0.8;
const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** Source: docs/reliability.md#s2-14. */
describe.skipIf(without !== "")(
  `every table is read for long, as by pg_dump, while partitions are due${without}`,
  () => {
    const gateway = new Gateway();
    let url: string;
    let user: TestUser;
    beforeAll(async () => {
      url = await createTestDatabase();
      await gateway.start({
        database: "postgres",
        env: { DATABASE_URL: url, LOG_RETENTION_DAYS: "10" },
        models: [{ alias: "quick", routes: [["chat", "sim-usage-2200-100"]] }],
      });
      user = await gateway.key();
    });
    afterAll(() => gateway.stop());

    /** Calls for `READ_MS`. Returns the statuses, and how many calls the median second had. */
    async function callOn(): Promise<{ statuses: number[]; perSecond: number }> {
      const statuses: number[] = [];
      const seconds = new Array<number>(READ_MS / 1_000).fill(0);
      const begunAt = performance.now();
      const caller = async () => {
        for (;;) {
          const second = Math.floor((performance.now() - begunAt) / 1_000);
          if (second >= seconds.length) return;
          const { server } = gateway;
          const response = await server.gateway("/v1/chat/completions", user.key, chatBody("quick"));
          await response.arrayBuffer();
          statuses.push(response.status);
          seconds[second] = (seconds[second] ?? 0) + 1;
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      const perSecond = seconds.sort((one, other) => one - other)[seconds.length / 2] ?? 0;
      return { statuses, perSecond };
    }

    test("a process starts, its calls go on as many as before without a refusal, and the partitions are gone later", async () => {
      const sql = postgres(url, { max: 1, onnotice: () => {} });
      const old = async () => {
        const rows = await sql`SELECT relname FROM pg_class WHERE relname ~ '^request_log_20[0-9]{6}$'
        AND to_date(right(relname, 8), 'YYYYMMDD') < now() - interval '20 days'`;
        return rows.length;
      };
      try {
        await gateway.server.stop("SIGKILL");
        await gateway.server.start();
        const before = await callOn();
        await sql`SELECT request_log_make_partitions(now() - interval '60 days', now())`;
        await gateway.server.stop("SIGKILL");
        const during = await sql.begin(async (tx) => {
          await tx`SET LOCAL statement_timeout = 0`;
          const tables =
            await tx`SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`;
          await tx.unsafe(`LOCK TABLE ${tables.map(({ name }) => name).join(", ")} IN ACCESS SHARE MODE`);
          await gateway.server.start();
          return callOn();
        });
        process.stdout.write(`calls a second: ${before.perSecond}, with a reader ${during.perSecond}\n`);
        expect([...new Set(during.statuses)]).toEqual([200]);
        expect(during.perSecond).toBeGreaterThanOrEqual(LEAST_RATIO * before.perSecond);
        expect(await old()).toBeGreaterThan(3);
        await eventually(async () => ((await old()) === 0 ? true : null), 120_000);
        expect(await reconcile(gateway.server)).toMatchObject({ ok: true, mismatches: [] });
      } finally {
        await sql.end();
      }
    });
  },
);
