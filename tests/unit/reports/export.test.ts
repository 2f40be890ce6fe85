import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { FairSemaphore } from "@/lib/kernel/fair-semaphore";
import { csvOf, csvStream } from "@/lib/reports/csv";
import { walkLogs } from "@/lib/reports/logs";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";
import { runDirectory } from "@/tests/support/run-directory";

const bounds = () => ({
  reports: new FairSemaphore({ concurrency: 1, perAccount: 1, waitMs: 20 }),
  accountId: "somebody",
});
const columns = { text: (row: string) => row };

async function* batches(...all: string[][]) {
  yield* all;
}

describe("a CSV file", () => {
  test("holds no place among the reports between two batches", async () => {
    const bound = bounds();
    const file = (await csvOf(batches(["a"], ["b"], ["c"]), bound, columns)).getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (let part = await file.read(); !part.done; part = await file.read()) {
      text += decoder.decode(part.value);
      await bound.reports.run("other", async () => {});
    }
    expect(text).toBe("text\r\na\r\nb\r\nc\r\n");
  });

  test("that has begun waits for other reports longer than one that begins", async () => {
    const bound = bounds();
    const file = (await csvOf(batches(["a"], ["b"]), bound, columns)).getReader();
    await file.read();
    await file.read();
    let end = () => {};
    const other = bound.reports.run("other", () => new Promise<void>((resolve) => (end = resolve)));
    const later = file.read();
    await expect(csvOf(batches(["a"]), bound, columns)).rejects.toMatchObject({ code: "NO_AVAILABLE_NODE" });
    end();
    await other;
    expect((await later).done).toBe(false);
  });
});

const server = await postgresServer();

describe.skipIf("unavailable" in server)("an export of the log", () => {
  let url: string;
  let db: Database;
  let other: postgres.Sql;

  beforeAll(async () => {
    url = await createTestDatabase();
    db = await openDatabase({ url, dataDir: runDirectory() });
    other = postgres(url, { max: 1, onnotice: () => {} });
  });

  afterAll(async () => {
    await other.end();
    await db.close();
    await dropTestDatabase(url);
  });

  test("whose filter takes too long is an error of the caller, and no broken file", async () => {
    await other.begin(async (tx) => {
      await tx`LOCK TABLE request_log IN ACCESS EXCLUSIVE MODE`;
      await db.session(async (session) => {
        await session.query("SET statement_timeout = 50");
        await expect(csvStream(walkLogs(session, {}, 10), bounds())).rejects.toMatchObject({
          code: "INVALID_REQUEST",
          details: { param: "from" },
        });
        await session.query("RESET statement_timeout");
      });
    });
  });
});
