import { connect, createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseSettings } from "@/lib/config/env";
import { openDatabase } from "@/lib/db/client";
import { createTestDatabase, dropTestDatabase, postgresServer } from "@/tests/support/postgres";

const server = await postgresServer();
const without = "unavailable" in server ? ` (${server.unavailable})` : "";

/** Source: docs/contract.md#database-url. */
describe.skipIf(without !== "")(`a literal IPv6 address of PostgreSQL${without}`, () => {
  let url: string;
  let relay: Server;
  beforeAll(async () => {
    url = await createTestDatabase();
    const { hostname, port } = new URL(url);
    relay = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      client.pipe(upstream).pipe(client);
      client.on("error", () => upstream.destroy());
      upstream.on("error", () => client.destroy());
    });
    await new Promise<void>((resolve) => relay.listen(0, "::1", resolve));
  });
  afterAll(async () => {
    relay.close();
    await dropTestDatabase(url);
  });

  test("is connected to", async () => {
    const at = relay.address();
    if (at === null || typeof at === "string") throw new Error("the relay has no port");
    const database = await openDatabase({
      url: `postgres://tollgate@[::1]:${at.port}${new URL(url).pathname}`,
      dataDir: "unused",
    });
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await database.session((session) => session.query("SHOW statement_timeout"))).toEqual([
      { statement_timeout: "0" },
    ]);
    await database.close();
  });
});

test.each(["h1:5432,h2:5432", "h1,h2", "[::1]:5432,[::2]:5432", "user:a%2Cb@h1,h2"])(
  "%s is refused with a sentence that says what one host may be",
  async (hosts) => {
    const url = `postgres://${hosts}/tollgate`;
    const sentence =
      /DATABASE_URL must name one host: a DNS name that follows the primary, a proxy \(HAProxy\), or a pooler in session mode/;
    expect(() => parseSettings({ DATABASE_URL: url })).toThrow(sentence);
    await expect(openDatabase({ url, dataDir: "unused" })).rejects.toThrow(sentence);
  },
);

test.each([
  "postgres://user:a,b@host/tollgate",
  "postgresql://[::1]/tollgate",
  "postgres://host:5433/tollgate",
])("%s is an address of one host", (url) => {
  expect(parseSettings({ DATABASE_URL: url }).databaseUrl).toBe(url);
});
