import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { addressOfDatabase, awaitDatabase } from "@/lib/db/await-database";
import { openPostgres } from "@/lib/db/postgres";
import { startError } from "@/lib/process/start-problems";
import { errorMessage, StartupListener } from "@/tests/support/postgres-messages";

const WAIT_MS = 1_200;

/** Source: docs/contract.md#database-away, docs/operations.md#poolers. */
describe("a start behind a pooler or proxy that has no server", () => {
  let listener: StartupListener | null = null;
  afterEach(async () => {
    await listener?.stop();
    listener = null;
  });

  /** What is said meanwhile, and the error at the end. */
  async function failedStart(options: ConstructorParameters<typeof StartupListener>[0], search = "") {
    listener = new StartupListener(options);
    const url = `${await listener.start()}${search}`;
    const said: string[] = [];
    const error: unknown = await awaitDatabase({
      open: () => openPostgres({ url }),
      address: addressOfDatabase(url),
      say: (line) => said.push(line),
      waitMs: WAIT_MS,
    }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    return { said, error, told: startError(error, { databaseUrl: url, dataDir: "unused" }).message };
  }

  test.each([
    "server login has been failing, try again later (server_login_retry)",
    "no more connections allowed (max_client_conn)",
    "query_wait_timeout",
  ])("is waited for when the pooler says: %s", async (text) => {
    const { said, told } = await failedStart({ answer: errorMessage("08P01", text) });
    expect(told).toContain(text);
    expect(told).not.toContain("ignore_startup_parameters");
    expect(said).toEqual([expect.stringContaining(text)]);
  });

  test("ends at once with the remedy when the pooler refuses a parameter", async () => {
    const text = "unsupported startup parameter: statement_timeout";
    const { said, error } = await failedStart({ answer: errorMessage("08P01", text) });
    expect(error).toMatchObject({
      name: "UnsuitableDatabaseError",
      message: expect.stringContaining("ignore_startup_parameters"),
    });
    expect(said).toEqual([]);
  });

  test("is waited for when each connection is reset, and TLS is named as what it may be", async () => {
    const { said, told } = await failedStart({ answer: null, reset: true });
    expect(told).toContain("sslmode=disable");
    expect(said).toEqual([expect.stringContaining("closes the connection")]);
  });

  test("is waited for when what listens has no TLS and the address asks for it, and that is told at the end", async () => {
    const { said, told } = await failedStart({ answer: Buffer.from("N") }, "?sslmode=require");
    expect(told).toContain("sslmode=disable");
    expect(said, told).toHaveLength(1);
  });

  test("is waited for when each connection is closed without an answer, and no client is left", async () => {
    const { said, told } = await failedStart({ answer: null });
    expect(told).toContain("closes the connection");
    expect(said).toEqual([expect.stringContaining("closes the connection")]);
    const connections = listener?.connections;
    await setTimeout(200);
    expect(listener?.connections).toBe(connections);
  });

  test("has an end for other commands too, which do not wait", async () => {
    listener = new StartupListener({ answer: null });
    await expect(openPostgres({ url: await listener.start() })).rejects.toMatchObject({
      code: "CONNECTION_CLOSED",
    });
  });
});
