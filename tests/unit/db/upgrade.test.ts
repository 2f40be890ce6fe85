import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { openDatabase } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { migrateTo } from "@/tests/support/earlier-schema";
import { createEmptyTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";

/** The last migrations of the version before this one and of older ones. */
const LAST = [16, 10, 9];

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
        // The locks of a batch, in its order.
        await batch.begin(async (tx) => {
          await tx`SELECT id FROM users FOR NO KEY UPDATE`;
          migrated = migrate(database);
          migrated.catch(() => {});
          await tx`SELECT pg_sleep(0.3)`;
          await tx`LOCK TABLE request_log IN ROW EXCLUSIVE MODE`;
          await tx`UPDATE users SET request_count = request_count + 1`;
          await tx`LOCK TABLE usage_rollups IN ROW EXCLUSIVE MODE`;
          await tx`LOCK TABLE node_rollups IN ROW EXCLUSIVE MODE`;
        });
        const version = await migrated;
        expect(version?.applied).toBe(version?.known);
      } finally {
        await batch.end();
        await database.close();
        await dropTestDatabase(url);
      }
    },
    30_000,
  );
});
