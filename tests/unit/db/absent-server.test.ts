import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { startTcpProxy, type TcpProxy } from "@/tests/support/tcp-proxy";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";
/** A pause of half a second, two seconds to connect, and what a busy machine adds. Units: milliseconds. */
const BOUND_MS = 4_000;
/** Each of the connections tries twice a second at most; before the pauses are that long, more often. */
const MOST_ATTEMPTS_A_SECOND = 30;
const TRIES = 6;

/** Source: docs/reliability.md#s2-13, docs/adr/0021-sockets-of-the-database.md#decision. */
describe.skipIf(without !== "")(`a proxy without a server in front of PostgreSQL${without}`, () => {
  let url: string;
  let proxy: TcpProxy;
  let database: Database;
  let heard: string[];
  beforeEach(async () => {
    url = await createTestDatabase();
    const behind = new URL(url);
    proxy = await startTcpProxy({ host: behind.hostname, port: Number(behind.port) });
    behind.hostname = "127.0.0.1";
    behind.port = String(proxy.port);
    database = await openDatabase({ url: behind.href, dataDir: "unused", poolSize: 2 });
    heard = [];
    await database.listen("news", (payload) => heard.push(payload));
  });
  afterEach(async () => {
    await database.close();
    await proxy.close();
    await dropTestDatabase(url);
  });

  const ways: [string, () => Promise<unknown>][] = [
    ["a statement", () => database.query("SELECT 1")],
    ["a transaction", () => database.orm.transaction((tx) => tx.execute("SELECT 1"))],
    ["a ledger batch", () => database.batchQuery("SELECT $1::int", [1], 0)],
    ["a ledger batch of the other lane", () => database.batchQuery("SELECT 1", [], 1)],
    ["a session", () => database.session((session) => session.query("SELECT 1"))],
    ["a subscription", () => database.listen("other", () => {})],
  ];

  /** What became of the work within the bound. */
  async function outcome(work: () => Promise<unknown>): Promise<"answered" | "failed" | "hangs"> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"hangs">((resolve) => {
      timer = setTimeout(() => resolve("hangs"), BOUND_MS);
    });
    const ended = work().then(
      () => "answered" as const,
      () => "failed" as const,
    );
    return Promise.race([ended, late]).finally(() => clearTimeout(timer));
  }

  const outcomes = async () =>
    Object.fromEntries(await Promise.all(ways.map(async ([name, work]) => [name, await outcome(work)])));
  const all = (what: string) => Object.fromEntries(ways.map(([name]) => [name, what]));

  /** Everything works again by itself, notifications too. */
  async function expectWell(): Promise<void> {
    proxy.fail("through");
    await expect.poll(outcomes, { timeout: 10_000 }).toEqual(all("answered"));
    const hears = async (): Promise<boolean> => {
      await database.notify("news", "back");
      return heard.length > 0;
    };
    await expect.poll(hears, { timeout: 10_000 }).toBe(true);
  }

  test("which closes each connection: every statement fails within its bound, the tries have pauses, and all is well again by itself", async () => {
    proxy.fail("refuse");
    const before = proxy.accepted;
    const startMs = performance.now();
    for (let round = 0; round < TRIES; round++) expect(await outcomes()).toEqual(all("failed"));
    const seconds = (performance.now() - startMs) / 1_000;
    // The first tries, before the pauses have grown, take no second.
    expect((proxy.accepted - before) / Math.max(1, seconds)).toBeLessThan(MOST_ATTEMPTS_A_SECOND);
    await expectWell();
  }, 60_000);

  test("which never answers: every statement fails within its bound, and all is well again by itself", async () => {
    proxy.heal(); // ends the open connections
    proxy.fail("hang");
    for (let round = 0; round < 2; round++) expect(await outcomes()).toEqual(all("failed"));
    proxy.heal();
    await expectWell();
  }, 60_000);
});
