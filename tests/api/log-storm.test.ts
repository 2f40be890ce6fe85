import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, hashKey } from "@/lib/accounts/key-text";
import { createTestDatabase, postgresServer } from "../support/postgres";
import { discardServer, startServer, type TestServer, type TestUser } from "../support/server";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy";

const CALLS = 600;
const AT_ONCE = 8;
const WINDOW_MS = 10_000;
const LINES = 10;
const MAX_KINDS = 20;
const postgres = await postgresServer();
const without = "unavailable" in postgres ? ` (${postgres.unavailable})` : "";

interface Line {
  level: number;
  time: string;
  msg: string;
  code?: string;
  repeated?: number;
  err?: { code?: string };
}

/** How many of equal lines may be written: ten, and ten more only after ten seconds without too many. */
function mostLines(lines: readonly Line[]): number {
  const [first, last] = [lines.at(0), lines.at(-1)].map((line) => Date.parse(line?.time ?? ""));
  return LINES * Math.ceil(((last ?? 0) - (first ?? 0)) / WINDOW_MS + 1);
}

describe.skipIf(without !== "")(`while the database is away${without}`, () => {
  let proxy: TcpProxy;
  let server: TestServer;
  let user: TestUser;
  const databasePassword = `canary-${randomBytes(8).toString("hex")}`;
  beforeAll(async () => {
    const url = new URL(await createTestDatabase());
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    url.password = databasePassword;
    server = await startServer({ env: { DATABASE_URL: url.href, DEMO_PROVIDER: "1" } });
    user = await server.user();
  });
  afterAll(async () => {
    proxy.heal();
    await discardServer(server);
    await proxy.close();
  });

  test("refused calls write a few lines with their number, and no statement, parameter, hash or secret", async () => {
    const body = {
      model: "demo-chat",
      max_tokens: 5,
      messages: [{ role: "user", content: "canary-content" }],
    };
    const before = server.output.length;
    proxy.fail("refuse");
    let refused = 0;
    const call = async () => {
      const wrongKey = generateKey().key;
      const answers = await Promise.all([
        server.gateway("/v1/chat/completions", user.key, body),
        server.gateway("/v1/chat/completions", wrongKey, body),
        server.api("GET", "/api/user/tokens", user.token),
      ]);
      refused += answers.filter(({ status }) => status >= 500).length;
    };
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (refused < CALLS) await call();
      }),
    );
    expect(await server.stop("SIGINT")).toBe(0);
    const text = server.output.slice(before);
    const lines: Line[] = text
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
    const kinds = new Map<string, Line[]>();
    for (const line of lines) {
      const kind = `${line.level} ${line.msg} ${line.err?.code ?? line.code}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), line]);
    }
    expect(kinds.size).toBeLessThan(MAX_KINDS);
    for (const [kind, equal] of kinds)
      expect([
        kind,
        equal.filter(({ repeated }) => repeated === undefined).length <= mostLines(equal),
      ]).toEqual([kind, true]);
    expect(text.length).toBeLessThan(1_000 * lines.length);
    expect(text).not.toMatch(/select |insert into|params|ledger_batch\(|canary/i);
    const hash = hashKey(user.key);
    for (const secret of [
      user.key,
      hash.toString("hex"),
      hash.toString("base64"),
      user.token,
      databasePassword,
    ])
      expect(text).not.toContain(secret);
    const told = lines
      .filter(({ level }) => level >= 50)
      .reduce((sum, { repeated = 1 }) => sum + repeated, 0);
    expect(told).toBeGreaterThanOrEqual(refused);
  });
});
