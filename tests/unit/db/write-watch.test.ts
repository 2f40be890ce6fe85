import { afterEach, expect, test } from "vitest";
import type { Database } from "@/lib/db/database";
import { openPostgres } from "@/lib/db/postgres";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { authenticationOk, StartupListener } from "@/tests/support/postgres-messages";
import { startTcpProxy } from "@/tests/support/tcp-proxy";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";
/** The bound of a question, the pause after it, and what a busy machine adds. Units: milliseconds. */
const BACK_MS = 15_000;

let undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.reverse()) await step();
  undo = [];
});

/** Source: docs/reliability.md#s2-12. */
test.skipIf(without !== "")(
  `the watch for a database that takes writes asks again after a server that lets it in and answers nothing${without}`,
  async () => {
    const url = await createTestDatabase();
    undo.push(() => dropTestDatabase(url));
    const behind = new URL(url);
    const serverPort = Number(behind.port);
    const proxy = await startTcpProxy({ host: behind.hostname, port: serverPort });
    undo.push(() => proxy.close());
    behind.hostname = "127.0.0.1";
    behind.port = String(proxy.port);
    const changes: boolean[] = [];
    const database: Database = await openPostgres({
      url: behind.href,
      poolSize: 1,
      onWritable: (takesWrites) => changes.push(takesWrites),
    });
    undo.push(() => database.close());
    // Its own connections are open now: the next one that is opened is that of a question.
    for (const lane of [0, 1]) await database.batchQuery("SELECT 1", [], lane);
    expect(await database.answers(BACK_MS)).toBe(true);
    const silent = new StartupListener({ answer: authenticationOk(), stays: true });
    proxy.moveTo(Number(new URL(await silent.start()).port));
    undo.push(() => silent.stop());
    database.renewWhenWritable();
    expect(changes).toEqual([false]);
    await expect.poll(() => silent.connections, { timeout: BACK_MS }).toBeGreaterThan(0);
    proxy.moveTo(serverPort);
    await expect.poll(() => changes, { timeout: BACK_MS }).toEqual([false, true]);
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  },
  40_000,
);
