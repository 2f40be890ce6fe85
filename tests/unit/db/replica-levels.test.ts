import { beforeAll, expect, test } from "vitest";
import type { Database } from "@/lib/db/database";
import { lowestLiveLevel, OWN_LEVEL, recordHeartbeat } from "@/lib/db/replicas";
import { forEachDatabaseInAll } from "@/tests/support/database";

await forEachDatabaseInAll((_kind, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  /** Source: docs/budgets.md#versions. */
  test("the least that a live process checks counts, as long as it is alive", async () => {
    expect(await lowestLiveLevel(database)).toBe(OWN_LEVEL);
    await recordHeartbeat(database, "own");
    expect(await lowestLiveLevel(database)).toBe(OWN_LEVEL);
    // As the version before announces itself.
    await database.query("INSERT INTO instances (id) VALUES ('before')");
    expect(await lowestLiveLevel(database)).toBe(0);
    await database.query(
      "UPDATE instances SET heartbeat_at = now() - interval '2 minutes' WHERE id = 'before'",
    );
    expect(await lowestLiveLevel(database)).toBe(OWN_LEVEL);
    await recordHeartbeat(database, "before");
    expect(await lowestLiveLevel(database)).toBe(OWN_LEVEL);
  });
});
