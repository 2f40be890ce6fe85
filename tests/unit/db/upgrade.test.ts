import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { openDatabase } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { maintainStoredResponses } from "@/lib/db/partitions";
import { migrateTo } from "@/tests/support/earlier-schema";
import { createEmptyTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";

/** The last migrations of the version before this one and of older ones. */
const LAST = [30, 16, 10, 9];

const server = await postgresServer();

describe.skipIf("unavailable" in server)("a database of an earlier version", () => {
  test.each(LAST)(
    "with migrations to %i is migrated while its processes settle requests, and breaks none of their batches",
    async (last) => {
      const url = await createEmptyTestDatabase();
      const database = await openDatabase({ url, dataDir: runDirectory() });
      const batch = postgres(url, { max: 1, onnotice: () => {} });
      try {
        await migrateTo(database, last);
        let migrated: ReturnType<typeof migrate> | undefined;
        const waits: string[] = [];
        // The locks of a batch, in its order.
        await batch.begin(async (tx) => {
          await tx`SELECT id FROM api_keys FOR NO KEY UPDATE`;
          migrated = migrate(database, (line) => waits.push(line));
          migrated.catch(() => {});
          await tx`SELECT pg_sleep(0.3)`;
          await tx`SELECT id FROM users FOR NO KEY UPDATE`;
          await tx`LOCK TABLE request_log IN ROW EXCLUSIVE MODE`;
          await tx`UPDATE users SET request_count = request_count + 1`;
          await tx`LOCK TABLE usage_rollups IN ROW EXCLUSIVE MODE`;
          await tx`LOCK TABLE node_rollups IN ROW EXCLUSIVE MODE`;
        });
        const version = await migrated;
        expect(version?.applied).toBe(version?.known);
        // It would have been rolled back, and tried again, where each waited for the other.
        expect(waits).toEqual([]);
      } finally {
        await batch.end();
        await database.close();
        await dropTestDatabase(url);
      }
    },
    30_000,
  );

  test("keeps every row of its stored responses as it is, so that a migration takes no longer with many", async () => {
    const url = await createEmptyTestDatabase();
    const database = await openDatabase({ url, dataDir: runDirectory() });
    const rows = () =>
      database.query("SELECT request_id, xmin::text, ctid::text FROM stored_responses ORDER BY 1");
    const counted = () => database.query("SELECT bytes, responses FROM stored_response_usage");
    try {
      await migrateTo(database, 22);
      await database.query(
        `INSERT INTO stored_responses (request_id, created_at, key_id, depth, item_count, item_tags, items, envelope, bytes)
         SELECT gen_random_uuid(), now() + interval '365 days', gen_random_uuid(), 1, 0, '{}', '', '', 100
         FROM generate_series(1, 10)`,
      );
      const before = await rows();
      await migrate(database);
      expect(await rows()).toEqual(before);
      expect(await counted()).toEqual([]);
      await maintainStoredResponses(database, 72, new Date());
      expect(await counted()).toEqual(Array(10).fill({ bytes: 1_124n, responses: 1n }));
    } finally {
      await database.close();
      await dropTestDatabase(url);
    }
  }, 30_000);
});
