import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { startTcpProxy, type TcpProxy } from "@/tests/support/tcp-proxy";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";
/** Five questions a second apart, and what a busy machine adds. Units: milliseconds. */
const REPLACED_WITHIN_MS = 20_000;

/** Source: docs/reliability.md#s3-2. */
describe.skipIf(without !== "")(`a listener on PostgreSQL${without}`, () => {
  let url: string;
  let proxy: TcpProxy;
  let database: Database;
  beforeEach(async () => {
    url = await createTestDatabase();
    const behind = new URL(url);
    proxy = await startTcpProxy({ host: behind.hostname, port: Number(behind.port) });
    behind.hostname = "127.0.0.1";
    behind.port = String(proxy.port);
    database = await openDatabase({ url: behind.href, dataDir: "unused", poolSize: 2 });
  });
  afterEach(async () => {
    await database.close();
    await proxy.close();
    await dropTestDatabase(url);
  });

  test("whose connection gives no answer confirms nothing, and is replaced though the connection stays open", async () => {
    const heard: string[] = [];
    let missed = 0;
    await database.listen(
      "news",
      (payload) => heard.push(payload),
      () => {
        missed += 1;
      },
    );
    await expect.poll(() => database.heardUntilMs()).toBeGreaterThan(0);
    expect(missed).toBe(0);
    // What was sent during this time is lost, so the connection never answers again.
    proxy.fail("hang");
    const silentFromMs = performance.now();
    await expect.poll(() => performance.now() - silentFromMs, { timeout: 5_000 }).toBeGreaterThan(1_500);
    proxy.fail("through");
    expect(database.heardUntilMs()).toBeLessThan(silentFromMs);
    await expect.poll(() => missed, { timeout: REPLACED_WITHIN_MS }).toBe(1);
    await expect
      .poll(() => database.heardUntilMs(), { timeout: REPLACED_WITHIN_MS })
      .toBeGreaterThan(silentFromMs);
    await database.notify("news", "again");
    await expect.poll(() => heard).toEqual(["again"]);
  });
});
