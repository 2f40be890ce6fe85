import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, eventually, Gateway, reconcile } from "@/tests/support/gateway-fixtures";
import { createTestDatabase, postgresServer } from "@/tests/support/postgres";
import type { TestUser } from "@/tests/support/server";

const CALLERS = 8;
/** Ends all statements on locks that a maintenance without bounds would hold up. Units: milliseconds. */
const READ_MS = 20_000;
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

    test("a process starts, its calls go on without a refusal, and the partitions are gone later", async () => {
      const sql = postgres(url, { max: 1, onnotice: () => {} });
      const old = async () => {
        const rows = await sql`SELECT relname FROM pg_class WHERE relname ~ '^request_log_20[0-9]{6}$'
        AND to_date(right(relname, 8), 'YYYYMMDD') < now() - interval '20 days'`;
        return rows.length;
      };
      try {
        await sql`SELECT request_log_make_partitions(now() - interval '60 days', now())`;
        await gateway.server.stop("SIGKILL");
        const statuses = await sql.begin(async (tx) => {
          await tx`SET LOCAL statement_timeout = 0`;
          const tables =
            await tx`SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`;
          await tx.unsafe(`LOCK TABLE ${tables.map(({ name }) => name).join(", ")} IN ACCESS SHARE MODE`);
          await gateway.server.start();
          const answered: number[] = [];
          const endAt = Date.now() + READ_MS;
          const caller = async () => {
            while (Date.now() < endAt) {
              const response = await gateway.server.gateway(
                "/v1/chat/completions",
                user.key,
                chatBody("quick"),
              );
              await response.arrayBuffer();
              answered.push(response.status);
            }
          };
          await Promise.all(Array.from({ length: CALLERS }, caller));
          return answered;
        });
        expect([...new Set(statuses)]).toEqual([200]);
        expect(statuses.length).toBeGreaterThan(CALLERS);
        expect(await old()).toBeGreaterThan(3);
        await eventually(async () => ((await old()) === 0 ? true : null), 120_000);
        expect(await reconcile(gateway.server)).toMatchObject({ ok: true, mismatches: [] });
      } finally {
        await sql.end();
      }
    });
  },
);
