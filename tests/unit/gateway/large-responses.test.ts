import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { generateKey } from "@/lib/accounts/key-text";
import type { Database } from "@/lib/db/database";
import { CallerSeal } from "@/lib/gateway/responses-state/caller-seal";
import { ResponseStore, type StateOwner } from "@/lib/gateway/responses-state/store";
import type { JsonObject } from "@/lib/kernel/json-object";
import { newRequestId } from "@/lib/kernel/request-id";
import { forEachDatabaseInAll } from "@/tests/support/database";
import { roomyLimits } from "./responses-client";

const MIB = 1024 * 1024;
const PAGE = { limit: 2, order: "desc", after: null } as const;
const TOKENS = 4_321;

await forEachDatabaseInAll((_kind, open) => {
  let database: Database;
  let owner: StateOwner;
  let store: ResponseStore;
  /** Bytes of the largest value that each statement has brought since the last `put`. */
  let brought: number[] = [];

  beforeAll(async () => {
    database = await open();
  });
  beforeEach(() => {
    owner = {
      keyId: crypto.randomUUID(),
      userId: crypto.randomUUID(),
      seal: new CallerSeal(generateKey().key),
    };
    store = new ResponseStore({
      database: {
        async query<T>(sql: string, params?: Parameters<Database["query"]>[1]) {
          const rows = await database.query<T>(sql, params);
          brought.push(largest(rows));
          return rows;
        },
      },
      hours: 72,
      limits: roomyLimits(database),
      now: () => new Date(),
      onUnstored: () => {},
    });
  });

  /** Stores one response whose input has so many items of so many characters. */
  async function put(count: number, length: number, parentId: string | null = null): Promise<string> {
    const requestId = newRequestId();
    const input = Array.from({ length: count }, (_, at) =>
      said(`${requestId}-${at}`, "ä🙂x".repeat(length / 4)),
    );
    await store.write(owner, {
      requestId,
      createdAt: new Date(),
      parentId,
      depth: parentId === null ? 1 : 2,
      nodeId: null,
      items: { input, output: [said(`${requestId}-out`, "answer")] },
      tokens: TOKENS,
      envelope: { id: "resp_x", object: "response" },
    });
    brought = [];
    return requestId;
  }

  describe("large stored content", () => {
    test("comes back as it was stored, in pieces of less than a megabyte", async () => {
      const root = await put(3, MIB);
      const last = await put(40, 1_000, root);
      const chain = await store.chain(owner, last, 100 * MIB);
      expect(chain?.items.map(({ id }) => id)).toEqual([
        ...[0, 1, 2].map((at) => `${root}-${at}`),
        `${root}-out`,
        ...Array.from({ length: 40 }, (_, at) => `${last}-${at}`),
        `${last}-out`,
      ]);
      expect(chain?.items[0]?.content).toBe("ä🙂x".repeat(MIB / 4));
      expect(Math.max(...brought)).toBeLessThan(MIB);
    });

    test("is shown, and its items are listed, as small content is", async () => {
      const id = await put(2, MIB);
      expect(JSON.parse((await store.show(owner, id)) ?? "")).toEqual({
        id: "resp_x",
        object: "response",
        output: [said(`${id}-out`, "answer")],
      });
      const asked = { requestId: id, responseId: "resp_x", page: PAGE };
      const page = JSON.parse((await store.inputItems(owner, asked)) ?? "");
      expect(page).toMatchObject({ first_id: `${id}-1`, last_id: `${id}-0`, has_more: false });
      const behind = { ...asked, page: { ...PAGE, after: "msg_unknown" } };
      expect(await store.inputItems(owner, behind)).toBe("no_such_item");
    });

    test("is not there for another secret of the same key", async () => {
      const id = await put(2, MIB);
      const rotated = { ...owner, seal: new CallerSeal(generateKey().key) };
      expect(await store.chain(rotated, id, 100 * MIB)).toBeNull();
      expect(await store.show(rotated, id)).toBeNull();
      expect(await store.remove(rotated, id)).toBe(false);
    });

    test.each<
      [what: string, read: (id: string, before: (tokens: number) => Promise<void>) => Promise<unknown>]
    >([
      ["a conversation", (id, before) => store.chain(owner, id, 100 * MIB, before)],
      ["an item", (id, before) => store.itemsById(owner, [`${id}-0`], 100 * MIB, before)],
      ["a response", (id, before) => store.show(owner, id, before)],
      [
        "a page of items",
        (id, before) => store.inputItems(owner, { requestId: id, responseId: "r", page: PAGE }, before),
      ],
    ])("of %s is asked about before any of it is read", async (_what, read) => {
      const id = await put(2, MIB);
      const refused = new Error("not now");
      await expect(read(id, () => Promise.reject(refused))).rejects.toBe(refused);
      expect(Math.max(...brought)).toBeLessThan(1_000);
    });

    test("of a conversation is told with the tokens of all its responses", async () => {
      const last = await put(1, 100, await put(2, MIB));
      const told: number[] = [];
      await store.chain(owner, last, 100 * MIB, async (tokens) => void told.push(tokens));
      expect(told).toEqual([2 * TOKENS]);
    });

    test("is never asked about where it is small", async () => {
      const id = await put(2, 1_000);
      const before = () => Promise.reject(new Error("asked"));
      expect((await store.chain(owner, id, 100 * MIB, before))?.items).toHaveLength(3);
      expect((await store.itemsById(owner, [`${id}-0`], 100 * MIB, before)).items.size).toBe(1);
      expect(await store.show(owner, id, before)).not.toBeNull();
      expect(brought).toHaveLength(3);
    });
  });
});

function said(id: string, content: string): JsonObject {
  return { type: "message", id, role: "user", content };
}

function largest(rows: readonly unknown[]): number {
  const values = rows.flatMap((row) => Object.values(row ?? {}));
  return Math.max(0, ...values.map((value) => (typeof value === "string" ? value.length : 0)));
}
