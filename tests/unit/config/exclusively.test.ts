import postgres, { type Sql } from "postgres";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseSettings } from "@/lib/config/env";
import { runExclusively } from "@/lib/config/exclusively";
import { checkFingerprints } from "@/lib/config/key-fingerprints";
import { loadSecrets } from "@/lib/config/secrets";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { migrate } from "@/lib/db/migrate";
import { createEmptyTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";
import { sharedSecrets } from "@/tests/support/shared-secrets";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** Source: docs/reliability.md#s2-14. */
describe.skipIf(without !== "")(`the lock of the configuration, held by another process${without}`, () => {
  let url: string;
  let database: Database;
  let other: Sql;
  beforeEach(async () => {
    url = await createEmptyTestDatabase();
    database = await openDatabase({ url, dataDir: runDirectory() });
    other = postgres(url, { max: 1, onnotice: () => {} });
    await other`SELECT pg_advisory_lock(7236001)`;
  });
  afterEach(async () => {
    await Promise.all([database.close(), other.end()]);
    await dropTestDatabase(url);
  });

  test("is waited for, which is said, and then the work is done without that bound", async () => {
    const lines: string[] = [];
    const bound = runExclusively(database, ({ query }) => query("SHOW lock_timeout"), {
      say: (line) => lines.push(line),
      waitMs: 200,
      waits: 1_000,
    });
    await expect.poll(() => lines.length).toBeGreaterThan(1);
    await other`SELECT pg_advisory_unlock(7236001)`;
    expect(lines[0]).toBe("another process works on the configuration; this one waits for it");
    expect(await bound).toEqual([{ lock_timeout: "0" }]);
  });

  test("ends the wait with a sentence that says how to free it, and the next run waits anew", async () => {
    const turn = { waitMs: 50, waits: 3 };
    await expect(runExclusively(database, async () => {}, turn)).rejects.toMatchObject({
      name: "StartupError",
      problems: [expect.stringMatching(/lock 7236001 for 0.15 s; end that process, or its session/)],
    });
    await other`SELECT pg_advisory_unlock(7236001)`;
    expect(await runExclusively(database, async () => "done", turn)).toBe("done");
  });

  test("does not hold up a start whose keys are those of the database", async () => {
    await migrate(database);
    const secrets = await loadSecrets(parseSettings(sharedSecrets(), { cwd: "/", exists: () => false }));
    const check = () => checkFingerprints(database, secrets, { acceptNew: false, replicas: 1 });
    await other`SELECT pg_advisory_unlock(7236001)`;
    await check();
    await other`SELECT pg_advisory_lock(7236001)`;
    await check();
  });
});
