import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { generateKey } from "@/lib/accounts/key-text";
import type { Database } from "@/lib/db/database";
import { CallerSeal } from "@/lib/gateway/responses-state/caller-seal";
import type { ItemPageQuery } from "@/lib/gateway/responses-state/item-page";
import {
  HistoryTooLarge,
  MAX_DEPTH,
  MAX_KEY_BYTES,
  type ResponseDraft,
  ResponseStore,
  type StateOwner,
} from "@/lib/gateway/responses-state/store";
import { DAY_MS, HOUR_MS } from "@/lib/kernel/durations";
import type { JsonObject } from "@/lib/kernel/json-object";
import { newRequestId } from "@/lib/kernel/request-id";
import { forEachDatabaseInAll } from "@/tests/support/database";
import { maintainUnblocked } from "@/tests/support/maintain-responses";
import { roomyLimits } from "./responses-client";

const MIB = 1024 * 1024;
const NO_LIMIT = 100 * MIB;

await forEachDatabaseInAll((_kind, open) => {
  let database: Database;
  let owner: StateOwner;
  let nowMs = Date.now();
  const storeFor = (hours: number) =>
    new ResponseStore({
      database,
      hours,
      limits: roomyLimits(database),
      now: () => new Date(nowMs),
      onUnstored: () => {},
    });
  let store: ResponseStore;

  beforeAll(async () => {
    database = await open();
  });
  beforeEach(() => {
    nowMs = Date.now();
    owner = newOwner();
    store = storeFor(72);
  });

  /** Stores one response and returns its request id. */
  async function put(fields: Partial<ResponseDraft> = {}, by = owner): Promise<string> {
    const requestId = newRequestId(nowMs);
    const createdAt = new Date(nowMs);
    nowMs += 1;
    const items = { input: [said("question", requestId)], output: [said("answer", requestId)] };
    const rest = { nodeId: null, items, tokens: 1, envelope: {} };
    const draft = { requestId, createdAt, parentId: null, depth: 1, ...rest };
    expect(await store.write(by, { ...draft, ...fields })).toBe(true);
    return requestId;
  }

  async function shown(requestId: string): Promise<unknown> {
    const text = await store.show(owner, requestId);
    return text === null ? null : JSON.parse(text);
  }

  describe("a stored response", () => {
    test("comes back as it was stored, its items in order", async () => {
      const envelope = { id: "resp_1", metadata: { note: "naïve 🙂" } };
      const items = { input: [said("a", "1"), said("b", "2")], output: [said("c", "3")] };
      const id = await put({ items, envelope });
      expect(await shown(id)).toEqual({ ...envelope, output: items.output });
      const page = await store.inputItems(owner, { requestId: id, responseId: "resp_1", page: PAGE });
      expect(JSON.parse(page ?? "")).toMatchObject({ data: items.input });
      expect((await store.chain(owner, id, NO_LIMIT))?.items).toEqual([...items.input, ...items.output]);
    });

    test("cannot be read in the database: neither texts nor ids of items", async () => {
      await put({ items: { input: [said("a secret text", "msg_visible")], output: [] } });
      const [row] = await database.query<{ text: string }>(
        "SELECT string_agg(r::text || encode(items, 'escape') || encode(envelope, 'escape'), '') AS text FROM stored_responses r WHERE key_id = $1",
        [owner.keyId],
      );
      expect(row?.text).not.toMatch(/a secret text|msg_visible/);
      expect(row?.text).not.toContain(Buffer.from("a secret text").toString("hex"));
    });

    test.each<[who: string, by: (owner: StateOwner) => StateOwner]>([
      ["another key", () => newOwner()],
      ["the same key with a rotated secret", ({ keyId }) => ({ ...newOwner(), keyId })],
      ["another key with the same secret", ({ seal }) => ({ ...newOwner(), seal })],
    ])("is not there for %s", async (_who, by) => {
      const id = await put({ items: { input: [], output: [said("x", "msg_own")] } });
      const other = by(owner);
      expect(await store.chain(other, id, NO_LIMIT)).toBeNull();
      expect(await store.show(other, id)).toBeNull();
      expect(await store.remove(other, id)).toBe(false);
      expect((await store.itemsById(other, ["msg_own"], NO_LIMIT)).items.size).toBe(0);
      expect(await store.has(owner, id)).toBe(true);
    });

    test("is not there under an id that was made up", async () => {
      expect(await store.chain(owner, randomUUID(), NO_LIMIT)).toBeNull();
    });

    test("is not there once it has expired, at the hour", async () => {
      const id = await put({ items: { input: [], output: [said("x", "msg_old")] } });
      nowMs += 72 * HOUR_MS - 2;
      expect(await store.has(owner, id)).toBe(true);
      nowMs += 2;
      expect(await store.show(owner, id)).toBeNull();
      expect(await store.chain(owner, id, NO_LIMIT)).toBeNull();
      expect((await store.itemsById(owner, ["msg_old"], NO_LIMIT)).items.size).toBe(0);
    });

    test("is not there when its row was moved to another response", async () => {
      const first = await put();
      const second = await put();
      await database.query(
        "UPDATE stored_responses SET items = (SELECT items FROM stored_responses WHERE request_id = $1) WHERE request_id = $2",
        [first, second],
      );
      expect(await store.show(owner, second)).toBeNull();
    });

    test("is not there after it was deleted, and deleting it again says so", async () => {
      const id = await put();
      expect(await store.remove(owner, id)).toBe(true);
      expect(await store.show(owner, id)).toBeNull();
      expect(await store.remove(owner, id)).toBe(false);
    });

    test("is found at once by another process on the same database", async () => {
      const id = await put();
      expect(await storeFor(72).has(owner, id)).toBe(true);
    });

    test("is stored once, however often it is written", async () => {
      const id = await put();
      await put({ requestId: id, createdAt: new Date(nowMs - 1) });
      const [row] = await database.query("SELECT count(*) AS rows FROM stored_responses WHERE key_id = $1", [
        owner.keyId,
      ]);
      expect(row).toEqual({ rows: 1n });
    });
  });

  describe("a chain", () => {
    test(`of ${MAX_DEPTH} responses comes back whole, oldest first, with the node of the newest`, async () => {
      let parentId: string | null = null;
      for (let depth = 1; depth <= MAX_DEPTH; depth += 1) {
        const items = { input: [said(`q${depth}`, `q${depth}`)], output: [said(`a${depth}`, `a${depth}`)] };
        parentId = await put({ parentId, depth, items, nodeId: depth === MAX_DEPTH ? NODE : null });
      }
      const chain = await store.chain(owner, parentId ?? "", NO_LIMIT);
      const expected = Array.from({ length: MAX_DEPTH }, (_, at) => [`q${at + 1}`, `a${at + 1}`]).flat();
      expect(chain?.items.map(({ id }) => id)).toEqual(expected);
      expect(chain).toMatchObject({ depth: MAX_DEPTH, nodeId: NODE });
    });

    test("is not there when one of its responses is gone: half a conversation is never used", async () => {
      const root = await put();
      const middle = await put({ parentId: root, depth: 2 });
      const last = await put({ parentId: middle, depth: 3 });
      expect(await store.chain(owner, last, NO_LIMIT)).not.toBeNull();
      await store.remove(owner, root);
      expect(await store.chain(owner, last, NO_LIMIT)).toBeNull();
      expect(await store.has(owner, last)).toBe(true);
    });

    test("is not there when its parent was replaced by a response of another key", async () => {
      const other = newOwner();
      const foreign = await put({}, other);
      const own = await put();
      await database.query("UPDATE stored_responses SET parent_id = $1, depth = 2 WHERE request_id = $2", [
        foreign,
        own,
      ]);
      expect(await store.chain(owner, own, NO_LIMIT)).toBeNull();
    });

    test("larger than a request may be is refused before it is read", async () => {
      const items = { input: [said("x".repeat(MIB), "1")], output: [] };
      const root = await put({ items });
      const last = await put({ items, parentId: root, depth: 2 });
      await expect(store.chain(owner, last, 1.5 * MIB)).rejects.toThrow(HistoryTooLarge);
      expect(await store.chain(owner, last, 3 * MIB)).not.toBeNull();
    });
  });

  describe("a reference to an item", () => {
    test("finds it in the newest response that has it, input or output", async () => {
      await put({ items: { input: [], output: [said("old", "msg_a")] }, nodeId: null });
      await put({ items: { input: [said("new", "msg_a")], output: [said("b", "msg_b")] }, nodeId: NODE });
      const found = await store.itemsById(owner, ["msg_a", "msg_b", "msg_c"], NO_LIMIT);
      expect([...found.items]).toEqual([
        ["msg_a", said("new", "msg_a")],
        ["msg_b", said("b", "msg_b")],
      ]);
      expect(found.nodeId).toBe(NODE);
    });

    test("finds items of several responses", async () => {
      for (const id of ["msg_1", "msg_2", "msg_3"])
        await put({ items: { input: [], output: [said(id, id)] } });
      const found = await store.itemsById(owner, ["msg_1", "msg_2", "msg_3"], NO_LIMIT);
      expect([...found.items.keys()].sort()).toEqual(["msg_1", "msg_2", "msg_3"]);
    });
  });

  describe("what one key keeps", () => {
    test("is at most 64 MiB: the oldest responses go first, other keys lose nothing", async () => {
      const other = newOwner();
      const foreign = await put({}, other);
      const items = { input: [said("x".repeat(10 * MIB), "1")], output: [] };
      const ids: string[] = [];
      for (let at = 0; at < 7; at += 1) ids.push(await put({ items }));
      const left: boolean[] = [];
      for (const id of ids) left.push(await store.has(owner, id));
      expect(left).toEqual([false, true, true, true, true, true, true]);
      expect(await keptBytes()).toBeLessThanOrEqual(MAX_KEY_BYTES);
      expect(await store.has(other, foreign)).toBe(true);
    });

    test("is at most 10,000 items", async () => {
      const items = { input: Array.from({ length: 4_000 }, (_, at) => said("x", `i${at}`)), output: [] };
      const ids = [await put({ items }), await put({ items }), await put({ items })];
      const left = await Promise.all(ids.map((id) => store.has(owner, id)));
      expect(left).toEqual([false, true, true]);
    });

    test("is never one response that is larger than that", async () => {
      const items = { input: [said("x".repeat(MAX_KEY_BYTES), "1")], output: [] };
      const draft = { requestId: randomUUID(), createdAt: new Date(nowMs), parentId: null, depth: 1 };
      expect(await store.write(owner, { ...draft, nodeId: null, items, tokens: 1, envelope: {} })).toBe(
        false,
      );
      expect(await keptBytes()).toBe(0);
    });

    async function keptBytes(): Promise<number> {
      const [row] = await database.query<{ bytes: bigint }>(
        "SELECT coalesce(sum(octet_length(items) + octet_length(envelope)), 0) AS bytes FROM stored_responses WHERE key_id = $1",
        [owner.keyId],
      );
      return Number(row?.bytes ?? -1);
    }
  });

  describe("partitions", () => {
    const names = async () => {
      const rows = await database.query<{ name: string }>(
        `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'stored_responses'::regclass ORDER BY 1`,
      );
      return rows.map(({ name }) => name);
    };
    const dayOf = (ms: number) =>
      `stored_responses_${new Date(ms).toISOString().slice(0, 10).replaceAll("-", "")}`;

    test("of today and the next three days are there after migrating", async () => {
      const now = Date.now();
      expect(await names()).toEqual(
        expect.arrayContaining([0, 1, 2, 3].map((days) => dayOf(now + days * DAY_MS))),
      );
    });

    test("are dropped once their last row has expired, rows of days without one too, and nothing younger", async () => {
      const id = await put();
      nowMs -= 10 * DAY_MS;
      const early = await put();
      nowMs += 10 * DAY_MS;
      await maintainUnblocked(database, 72, new Date(nowMs));
      expect(await rowIds()).toEqual(expect.arrayContaining([id]));
      expect(await rowIds()).not.toContain(early);
      const { dropped } = await maintainUnblocked(database, 72, new Date(nowMs + 5 * DAY_MS));
      expect(dropped).toBeGreaterThanOrEqual(1);
      expect(await names()).not.toContain(dayOf(nowMs));
      expect(await store.chain(owner, id, NO_LIMIT)).toBeNull();
      await maintainUnblocked(database, 72, new Date());
    });

    test("are made once when several processes do it at the same time", async () => {
      const later = new Date(nowMs + 30 * DAY_MS);
      const results = await Promise.all([1, 2, 3].map(() => maintainUnblocked(database, 72 * 24, later)));
      expect(results.reduce((sum, { made }) => sum + made, 0)).toBe(4);
    });

    test("are emptied at once where storing is switched off", async () => {
      await put();
      await maintainUnblocked(database, 0, new Date());
      expect(await rowIds()).toEqual([]);
    });

    async function rowIds(): Promise<string[]> {
      const rows = await database.query<{ id: string }>("SELECT request_id AS id FROM stored_responses");
      return rows.map(({ id }) => id);
    }
  });
});

const NODE = randomUUID();
const PAGE: ItemPageQuery = { limit: 20, order: "asc", after: null };

function newOwner(): StateOwner {
  return { keyId: randomUUID(), userId: randomUUID(), seal: new CallerSeal(generateKey().key) };
}

function said(text: string, id: string): JsonObject {
  return { type: "message", id, role: "user", content: text };
}
