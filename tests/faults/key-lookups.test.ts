import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { crc32 } from "node:zlib";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateKey, hashKey, isWellFormedKey, randomBase62 } from "@/lib/accounts/key-text";
import { chatBody, gatewayFor, keyMoney, logEntries } from "../support/gateway-fixtures";
import { postgresServer } from "../support/postgres";
import type { TestUser } from "../support/server";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const UNKNOWN = 30;
const TIMES = 20;
const MALFORMED = 600;
/** A process tells its counts to the database's statistics after at most this long. */
const TOLD_WITHIN_MS = 11_500;

const found = await postgresServer();
const without = "unavailable" in found ? ` (${found.unavailable})` : "";

describe.skipIf(without !== "")(`keys on PostgreSQL${without}`, () => {
  const gateway = gatewayFor({
    database: "postgres",
    plans: [
      { id: 1, name: "Open", qps: null, rpm: null, tpm: null, keyQuotaCents: 1_000, selfService: true },
      { id: 2, name: "Three", qps: null, rpm: 3, tpm: null, keyQuotaCents: 1_000, selfService: true },
    ],
    models: [{ alias: "good", routes: [["chat", "sim-usage-499700-100"]] }],
  });
  let sql: Sql;
  beforeAll(() => {
    sql = postgres(gateway.server.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  });
  afterAll(() => sql.end());

  /** Source: docs/reliability.md#r-108. */
  test("that begin with the same 24 characters are never each other's identity, limits or bill", async () => {
    const common = randomBase62(20);
    const [open, three] = [await gateway.server.user(), await gateway.server.user({ planId: 2 })];
    for (const user of [open, three]) {
      const text = common + randomBase62(20);
      user.key = `tgw-${text}${checksum(text)}`;
      expect(isWellFormedKey(user.key)).toBe(true);
      await sql`UPDATE api_keys SET key_hash = ${hashKey(user.key)}, key_prefix = ${user.key.slice(0, 12)} WHERE id = ${user.keyId}`;
    }
    expect(open.key.slice(0, 24)).toBe(three.key.slice(0, 24));
    const statuses: Record<string, number[]> = { open: [], three: [] };
    for (let turn = 0; turn < 6; turn += 1) {
      for (const [name, user] of Object.entries({ open, three })) {
        const answer = await gateway.server.gateway("/v1/chat/completions", user.key, chatBody("good"));
        await answer.arrayBuffer();
        statuses[name]?.push(answer.status);
        const usage = await gateway.server.gateway("/v1/usage", user.key);
        expect(await usage.json()).toMatchObject({ plan: { id: name === "open" ? 1 : 2 } });
      }
    }
    expect(statuses).toEqual({ open: Array(6).fill(200), three: [200, 200, 200, 429, 429, 429] });
    expect(await keyMoney(gateway.server, open)).toMatchObject({ usedQuota: 300, held: 0 });
    expect(await keyMoney(gateway.server, three)).toMatchObject({ usedQuota: 150, held: 0 });
    const own = async (user: TestUser) =>
      new Set((await logEntries(gateway.server, user)).map(({ tokenId }) => tokenId));
    expect([await own(open), await own(three)]).toEqual([new Set([open.keyId]), new Set([three.keyId])]);
  });

  /** Source: docs/reliability.md#r-98. */
  test(`that do not exist cost one look-up each at most however often they come, and malformed ones none`, async () => {
    const scans = async () => {
      const [row] = await sql<{ scans: number }[]>`
        SELECT (seq_scan + idx_scan)::int AS scans FROM pg_stat_user_tables WHERE relname = 'api_keys'`;
      return row?.scans ?? 0;
    };
    const ask = async (key: string) => {
      const answer = await gateway.server.gateway("/v1/models", key);
      await answer.arrayBuffer();
      expect([401, 429]).toContain(answer.status);
    };
    await sleep(TOLD_WITHIN_MS);
    const before = await scans();
    for (let index = 0; index < MALFORMED; index += 1)
      await ask(
        index % 2 === 0 ? `tgw-${randomBytes(23).toString("hex")}` : `${generateKey().key.slice(0, -1)}~`,
      );
    await sleep(TOLD_WITHIN_MS);
    const afterMalformed = await scans();
    expect(afterMalformed - before).toBeLessThan(5);

    const unknown = Array.from({ length: UNKNOWN }, () => generateKey().key);
    const begun = performance.now();
    for (let time = 0; time < TIMES; time += 1) await Promise.all(unknown.map(ask));
    // What is unknown is remembered for two seconds.
    const rounds = 1 + Math.ceil((performance.now() - begun) / 2_000);
    await sleep(TOLD_WITHIN_MS);
    const lookups = (await scans()) - afterMalformed;
    // Those that come together are looked up together.
    expect(lookups).toBeGreaterThan(0);
    expect(lookups).toBeLessThan(rounds * UNKNOWN + 5);
    expect(lookups).toBeLessThan((TIMES * UNKNOWN) / 2);
  });
});

/**
 * The last six characters of a key, written a second time so that a change of either is seen.
 * Source: docs/reliability.md#s3-1.
 */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let index = 0; index < 6; index += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
