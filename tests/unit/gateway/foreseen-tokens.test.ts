import { beforeEach, describe, expect, test } from "vitest";
import { generate } from "@/lib/gateway/generate";
import { ResponseStore } from "@/lib/gateway/responses-state/store";
import type { Gateway } from "@/lib/gateway/runtime";
import { callOf, GenerationRig, LIMITS } from "./generation-rig";
import { roomyLimits } from "./responses-client";

const KEY_ID = "key-1";
const HISTORY_TOKENS = 3_000_000;
const HISTORY_BYTES = 9_000_000;
const FULL = { quotaMicroCents: 10n ** 15n, usedMicroCents: 0n, heldMicroCents: 0n };

describe("a request that refers to a large stored conversation", () => {
  let statements: string[];
  let turns: number;
  beforeEach(() => {
    statements = [];
    turns = 0;
  });

  test("is refused by the tokens a minute before any of the conversation is read", async () => {
    const { gateway, rig } = gatewayWith({ key: FULL, user: FULL });
    await rig.limiter.admit({
      keyId: KEY_ID,
      limits: LIMITS,
      tokens: LIMITS.tpm - HISTORY_TOKENS,
      nowMs: gateway.clock.nowMs(),
    });
    await expect(generate(gateway, referring())).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(statements).toEqual([expect.stringContaining("WITH RECURSIVE chain")]);
    expect(turns).toBe(0);
  });

  test.each([
    ["of its key is used up", { ...FULL, usedMicroCents: FULL.quotaMicroCents }, FULL],
    ["of its account is used up", FULL, { ...FULL, usedMicroCents: FULL.quotaMicroCents }],
    ["does not cover it beside what is held", { ...FULL, quotaMicroCents: 2n, heldMicroCents: 1n }, FULL],
  ])("is refused before any of it is read while the quota %s", async (_what, key, user) => {
    const { gateway } = gatewayWith({ key, user });
    await expect(generate(gateway, referring())).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
    expect(statements).toHaveLength(1);
    expect(turns).toBe(0);
  });

  test.each([
    ["is covered", FULL],
    ["is nearly used up, and nothing is held: one last request", { ...FULL, quotaMicroCents: 1n }],
  ])("takes a turn and is read while the quota %s", async (_what, key) => {
    const { gateway } = gatewayWith({ key, user: FULL });
    await expect(generate(gateway, referring())).rejects.toMatchObject({
      details: { vendorCode: "previous_response_not_found" },
    });
    expect(turns).toBe(1);
    expect(statements[1]).toContain("substring");
  });

  /** A gateway whose database has one large conversation, which is gone when its content is read. */
  function gatewayWith(balance: { key: typeof FULL; user: typeof FULL }): {
    gateway: Gateway;
    rig: GenerationRig;
  } {
    const rig = new GenerationRig(["chat"]);
    const row = { id: crypto.randomUUID(), parent: null, depth: 1, node: null, items: null };
    const database = {
      async query<T>(sql: string): Promise<T[]> {
        statements.push(sql);
        const rows = sql.includes("chain") ? [{ ...row, bytes: HISTORY_BYTES, tokens: HISTORY_TOKENS }] : [];
        return rows as T[]; // what the statement of a chain returns
      },
    };
    const onUnstored = () => {};
    const limits = roomyLimits(database);
    const responses = new ResponseStore({ database, hours: 72, limits, now: () => new Date(), onUnstored });
    const query = {
      from: () => query,
      innerJoin: () => query,
      where: () => query,
      limit: async () => [balance],
    };
    const db = { orm: { select: () => query } } as unknown as Gateway["db"]; // the one look-up of a balance
    const acquire = async () => {
      turns += 1;
      return () => {};
    };
    const bulkWork = { acquire } as unknown as Gateway["bulkWork"]; // the part that a turn uses
    const settings = { ...rig.gateway.settings, maxBodyBytes: 2 * HISTORY_BYTES };
    return { gateway: { ...rig.gateway, settings, responses, db, bulkWork }, rig };
  }
});

function referring() {
  const previous = `resp_${"0".repeat(32)}`;
  return callOf("responses", { model: "alias", input: "Go on.", previous_response_id: previous });
}
