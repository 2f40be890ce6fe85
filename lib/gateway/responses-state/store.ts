import type { Database } from "@/lib/db/database";
import { HOUR_MS } from "@/lib/kernel/clock";
import type { JsonObject } from "@/lib/kernel/json";
import type { CallerSeal } from "./caller-seal";

/** What one key may keep; the oldest responses go first. Source: docs/responses.md#s4-3. */
export const MAX_KEY_BYTES = 64 * 1024 * 1024;
const MAX_KEY_ITEMS = 10_000;

/** Responses that are read to resolve one. Source: docs/responses.md#s4-3. */
export const MAX_DEPTH = 200;

/** Whose responses are meant, and what opens them. */
export interface StateOwner {
  keyId: string;
  seal: CallerSeal;
}

/** The items of one response. */
export interface StoredItems {
  input: readonly JsonObject[];
  output: readonly JsonObject[];
}

/** One response to be stored. */
export interface ResponseDraft {
  /** Of the request that made it; its answer's id is made from it. */
  requestId: string;
  createdAt: Date;
  /** Null: no items come before these. */
  parentId: string | null;
  depth: number;
  nodeId: string | null;
  items: StoredItems;
  /** The response without its output. */
  envelope: JsonObject;
}

/** A stored response, opened. */
export interface StoredResponse {
  items: StoredItems;
  envelope: JsonObject;
}

/** What a chain of responses said, oldest first. */
export interface Chain {
  items: JsonObject[];
  depth: number;
  /** The node of the newest. */
  nodeId: string | null;
}

/** The items of a chain, or of a reference, are more than a request may have. */
export class HistoryTooLarge extends Error {
  constructor() {
    super("the stored items are larger than a request may be");
    this.name = "HistoryTooLarge";
  }
}

/** What a store works with. */
export interface ResponseStoreOptions {
  database: Pick<Database, "query">;
  /** How long a response is kept; 0: nothing is stored. */
  hours: number;
  now(): Date;
  /** A response that was to be stored was not. */
  onUnstored(reason: UnstoredReason, cause: unknown): void;
}

/** Why a response was not stored: not in time, refused by the database, larger than what one key may keep. */
export type UnstoredReason = "late" | "failed" | "too_large";

/** The embedded database reads and writes binary values byte by byte in JavaScript, hexadecimal texts natively. */
function hexOf(column: string): string {
  return `encode(${column}, 'hex')`;
}

/** Shape: `items` is hexadecimal. */
interface ItemsRow {
  id: string;
  parent: string | null;
  depth: number;
  node: string | null;
  items: string | null;
}

/**
 * The responses that callers asked to keep. Whatever is expired, unknown, another key's or sealed under another secret is
 * not there, without a difference. Throws: the database's errors. Source: docs/responses.md#s4-1.
 */
export class ResponseStore {
  readonly #options: ResponseStoreOptions;

  constructor(options: ResponseStoreOptions) {
    this.#options = options;
  }

  /** False: nothing is stored and nothing is found. */
  get enabled(): boolean {
    return this.#options.hours > 0;
  }

  /**
   * Stores one response and deletes the oldest ones of its key that are too many with it. Returns false, and stores
   * nothing, when it is larger than what one key may keep.
   */
  async write({ keyId, seal }: StateOwner, draft: ResponseDraft): Promise<boolean> {
    const { requestId, parentId, items } = draft;
    const itemCount = items.input.length + items.output.length;
    const bind = (column: string) => binding(keyId, requestId, parentId, column);
    const sealedItems = seal.seal(JSON.stringify(items), bind("items"));
    const envelope = seal.seal(JSON.stringify(draft.envelope), bind("envelope"));
    const bytes = sealedItems.length + envelope.length;
    if (bytes > MAX_KEY_BYTES || itemCount > MAX_KEY_ITEMS) return false;
    const tags = new Set([...idsOf(items.input), ...idsOf(items.output)].map((id) => seal.tag(id)));
    await this.#options.database.query(
      `WITH stored AS (
         INSERT INTO stored_responses
           (request_id, created_at, key_id, parent_id, depth, node_id, item_count, item_tags, items, envelope, bytes)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8::bigint[], decode($9::text, 'hex'), decode($10::text, 'hex'), $11) ON CONFLICT DO NOTHING
       ), others AS (
         SELECT request_id, created_at,
           sum(bytes) OVER newest + $11::integer AS bytes, sum(item_count) OVER newest + $7::integer AS items
         FROM stored_responses WHERE key_id = $3
         WINDOW newest AS (ORDER BY created_at DESC, request_id DESC)
       )
       DELETE FROM stored_responses r USING others o
       WHERE r.request_id = o.request_id AND r.created_at = o.created_at
         AND (o.bytes > ${MAX_KEY_BYTES} OR o.items > ${MAX_KEY_ITEMS})`,
      [
        requestId,
        draft.createdAt,
        keyId,
        parentId,
        draft.depth,
        draft.nodeId,
        itemCount,
        [...tags],
        sealedItems.toString("hex"),
        envelope.toString("hex"),
        bytes,
      ],
    );
    return true;
  }

  /**
   * The items of a response and of all before it; null unless every one is there. Throws: HistoryTooLarge.
   * `maxBytes`: of the sealed items together.
   */
  async chain({ keyId, seal }: StateOwner, requestId: string, maxBytes: number): Promise<Chain | null> {
    const rows = await this.#options.database.query<ItemsRow>(
      `WITH RECURSIVE chain AS (
         SELECT request_id, parent_id, depth, node_id, items, 1 AS n, octet_length(items)::bigint AS total
         FROM stored_responses WHERE request_id = $1 AND key_id = $2 AND created_at > $3
         UNION ALL
         SELECT r.request_id, r.parent_id, r.depth, r.node_id, r.items, c.n + 1, c.total + octet_length(r.items)
         FROM chain c JOIN stored_responses r ON r.request_id = c.parent_id
         WHERE r.key_id = $2 AND r.created_at > $3 AND c.n < ${MAX_DEPTH} AND c.total <= $4
       )
       SELECT request_id AS id, parent_id AS parent, depth, node_id AS node,
         CASE WHEN total <= $4 THEN ${hexOf("items")} END AS items
       FROM chain ORDER BY n DESC`,
      [requestId, keyId, this.#since(), maxBytes],
    );
    const [root] = rows;
    const newest = rows.at(-1);
    if (root === undefined || newest === undefined) return null;
    if (root.items === null) throw new HistoryTooLarge();
    if (root.parent !== null) return null;
    const items: JsonObject[] = [];
    for (const row of rows) {
      const opened = openItems(seal, keyId, row);
      if (opened === null) return null;
      for (const item of opened.input) items.push(item);
      for (const item of opened.output) items.push(item);
    }
    return { items, depth: newest.depth, nodeId: newest.node };
  }

  /**
   * The items with these ids, as far as they are there, and the node of the newest response that has one of them.
   * Throws: HistoryTooLarge. `maxBytes`: of all sealed items that are read.
   */
  async itemsById(
    { keyId, seal }: StateOwner,
    ids: Iterable<string>,
    maxBytes: number,
  ): Promise<{ items: ReadonlyMap<string, JsonObject>; nodeId: string | null }> {
    const items = new Map<string, JsonObject>();
    const wanted = new Map<string, string>();
    for (const id of ids) if (wanted.size < MAX_KEY_ITEMS) wanted.set(id, seal.tag(id));
    let nodeId: string | null = null;
    let bytesLeft = maxBytes;
    // A client that refers to items sends its whole history, so that its newest response has nearly all of them.
    for (let reads = 0; wanted.size > 0 && reads < MAX_DEPTH; reads += 1) {
      const row = await this.#newestWith(keyId, [...wanted.values()], bytesLeft);
      if (row === undefined) break;
      if (row.items === null) throw new HistoryTooLarge();
      bytesLeft -= row.items.length / 2;
      const opened = openItems(seal, keyId, row);
      const before = items.size;
      for (const item of [...(opened?.input ?? []), ...(opened?.output ?? [])])
        if (typeof item.id === "string" && wanted.delete(item.id)) items.set(item.id, item);
      if (items.size === before) break;
      nodeId ??= row.node;
    }
    return { items, nodeId };
  }

  async #newestWith(keyId: string, tags: string[], maxBytes: number): Promise<ItemsRow | undefined> {
    const [row] = await this.#options.database.query<ItemsRow>(
      `SELECT request_id AS id, parent_id AS parent, depth, node_id AS node,
         CASE WHEN octet_length(items) <= $4 THEN ${hexOf("items")} END AS items
       FROM stored_responses WHERE item_tags && $2::bigint[] AND key_id = $1 AND created_at > $3
       ORDER BY created_at DESC, request_id DESC LIMIT 1`,
      [keyId, tags, this.#since(), maxBytes],
    );
    return row;
  }

  /** One response; null when it is not there. */
  async find({ keyId, seal }: StateOwner, requestId: string): Promise<StoredResponse | null> {
    const [row] = await this.#options.database.query<ItemsRow & { envelope: string }>(
      `SELECT request_id AS id, parent_id AS parent, depth, node_id AS node,
         ${hexOf("items")} AS items, ${hexOf("envelope")} AS envelope
       FROM stored_responses WHERE request_id = $1 AND key_id = $2 AND created_at > $3`,
      [requestId, keyId, this.#since()],
    );
    if (row === undefined) return null;
    const items = openItems(seal, keyId, row);
    const text = seal.open(Buffer.from(row.envelope, "hex"), binding(keyId, row.id, row.parent, "envelope"));
    if (items === null || text === null) return null;
    return { items, envelope: JSON.parse(text) };
  }

  /** Deletes one response. Returns false when it is not there. */
  async remove(owner: StateOwner, requestId: string): Promise<boolean> {
    if ((await this.find(owner, requestId)) === null) return false;
    await this.#options.database.query("DELETE FROM stored_responses WHERE request_id = $1 AND key_id = $2", [
      requestId,
      owner.keyId,
    ]);
    return true;
  }

  /** Reports a response that was to be stored and is not. */
  tellUnstored(reason: UnstoredReason, cause: unknown): void {
    this.#options.onUnstored(reason, cause);
  }

  /** Responses that were made before this are expired. */
  #since(): Date {
    return new Date(this.#options.now().getTime() - this.#options.hours * HOUR_MS);
  }
}

function openItems(seal: CallerSeal, keyId: string, row: ItemsRow): StoredItems | null {
  if (row.items === null) return null;
  const text = seal.open(Buffer.from(row.items, "hex"), binding(keyId, row.id, row.parent, "items"));
  return text === null ? null : JSON.parse(text);
}

/** What a sealed column belongs to. */
function binding(keyId: string, requestId: string, parentId: string | null, column: string): string {
  return `stored_responses|${keyId}|${requestId}|${parentId ?? ""}|${column}|1`;
}

function* idsOf(items: readonly JsonObject[]): Generator<string> {
  for (const item of items) if (typeof item.id === "string" && item.id !== "") yield item.id;
}
