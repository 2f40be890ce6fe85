import type { Database } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { HOUR_MS } from "@/lib/kernel/durations";
import { printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { CallerSeal } from "./caller-seal";
import { openColumn, openItems, type SealedColumn, type StoredItems } from "./content-tasks";
import type { ItemPageQuery } from "./item-page";
import { bindingOf, envelopePlace, type ItemsRow, itemsPlace, type ResponseRow } from "./response-row";
import { base64Of, jsonTexts, sealedBytes } from "./row-encoding";
import type { StoreLimits } from "./store-bounds";
import { LARGE_CONTENT_BYTES, StoredContent } from "./stored-content";

/** How much one key may store; the oldest responses are deleted first. Source: docs/responses.md#s4-3. */
export const MAX_KEY_BYTES = 64 * 1024 * 1024;
const MAX_KEY_ITEMS = 10_000;

/** The most responses that are read to resolve one. Source: docs/responses.md#s4-3. */
export const MAX_DEPTH = 200;

/** The owner of responses, and the seal that decrypts them. */
export interface StateOwner {
  keyId: string;
  /** The account of the key. */
  userId: string;
  seal: CallerSeal;
}

/** One response to be stored. */
export interface ResponseDraft {
  /** The id of the request that made it; the id of the response is derived from it. */
  requestId: string;
  createdAt: Date;
  /** Null: no items come before these. */
  parentId: string | null;
  depth: number;
  nodeId: string | null;
  items: StoredItems;
  /** What the items add to the estimate of a request that has them as input. */
  tokens: number;
  /** The response without its output. */
  envelope: JsonObject;
}

/** The items of a chain of responses, oldest first. */
export interface Chain {
  items: JsonObject[];
  depth: number;
  /** The node of the newest. */
  nodeId: string | null;
}

/**
 * Called before large content is read; an error that it throws ends the reading. `tokens`: those of the content as
 * input, if known.
 */
export type BeforeLarge = (tokens: number) => Promise<void>;

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
  /** How much accounts and the installation may store. */
  limits: StoreLimits;
  now(): Date;
  /** Called when a response was to be stored and was not. */
  onUnstored(reason: UnstoredReason, cause: unknown): void;
}

/** Why a response was not stored: too slow, refused by the database, larger than what one key may store. */
export type UnstoredReason = "late" | "failed" | "too_large";

/**
 * The responses that callers asked to keep. Expired and unknown responses, and those of another key or under another
 * secret, are all treated as missing. Throws: the database's errors. Source: docs/responses.md#s4-1.
 */
export class ResponseStore {
  readonly #options: ResponseStoreOptions;
  readonly #content: StoredContent;

  constructor(options: ResponseStoreOptions) {
    this.#options = options;
    this.#content = new StoredContent(options.database);
  }

  /** How much accounts and the installation may store. */
  get limits(): StoreLimits {
    return this.#options.limits;
  }

  /** False: nothing is stored and nothing is found. */
  get enabled(): boolean {
    return this.#options.hours > 0;
  }

  /**
   * Stores one response and deletes the oldest ones beyond the bounds of its key and its account. Returns false, and
   * stores nothing, when it is larger than one of these bounds.
   */
  async write({ keyId, userId, seal }: StateOwner, draft: ResponseDraft): Promise<boolean> {
    const { requestId, parentId, items } = draft;
    const itemCount = items.input.length + items.output.length;
    if (itemCount > MAX_KEY_ITEMS) return false;
    const bind = (column: string) => bindingOf(keyId, requestId, parentId, column);
    const sealedItems = await this.#seal(seal, await jsonTexts(items), bind("items"));
    const envelope = await this.#seal(seal, [printJson(draft.envelope)], bind("envelope"));
    const bytes = sealedBytes(sealedItems) + sealedBytes(envelope);
    if (bytes > MAX_KEY_BYTES || this.limits.isTooLarge(bytes)) return false;
    const tags = new Set([...idsOf(items.input), ...idsOf(items.output)].map((id) => seal.tag(id)));
    const sums = await this.#options.database.query<{ bytes: bigint }>(
      `WITH stored AS (
         INSERT INTO stored_responses
           (request_id, created_at, key_id, parent_id, depth, node_id, item_count, item_tags, items, envelope, bytes, tokens, user_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8::bigint[], decode($9::text, 'base64'), decode($10::text, 'base64'), $11, $12, $13)
         ON CONFLICT DO NOTHING
       ), others AS (
         SELECT request_id, created_at,
           sum(bytes) OVER newest + $11::integer AS bytes, sum(item_count) OVER newest + $7::integer AS items
         FROM stored_responses WHERE key_id = $3
         WINDOW newest AS (ORDER BY created_at DESC, request_id DESC)
       ), gone AS (
         DELETE FROM stored_responses r USING others o
         WHERE r.request_id = o.request_id AND r.created_at = o.created_at
           AND (o.bytes > ${MAX_KEY_BYTES} OR o.items > ${MAX_KEY_ITEMS})
       )
       SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM stored_response_usage WHERE user_id = $13`,
      [
        requestId,
        draft.createdAt,
        keyId,
        parentId,
        draft.depth,
        draft.nodeId,
        itemCount,
        [...tags],
        sealedItems,
        envelope,
        bytes,
        draft.tokens,
        userId,
      ],
    );
    await this.limits.stored(userId, bytes, Number(onlyRow(sums).bytes));
    return true;
  }

  /**
   * The items of a response and of all before it; null when one of these responses is missing. Throws: HistoryTooLarge;
   * what `beforeLarge` throws. `maxBytes`: the most sealed bytes in total.
   */
  async chain(
    owner: StateOwner,
    requestId: string,
    maxBytes: number,
    beforeLarge = unbounded,
  ): Promise<Chain | null> {
    const rows = await this.#options.database.query<ItemsRow>(
      `WITH RECURSIVE chain AS (
         SELECT request_id, parent_id, depth, node_id, tokens, items, 1 AS n, octet_length(items)::bigint AS total
         FROM stored_responses WHERE request_id = $1 AND key_id = $2 AND created_at > $3
         UNION ALL
         SELECT r.request_id, r.parent_id, r.depth, r.node_id, r.tokens, r.items, c.n + 1, c.total + octet_length(r.items)
         FROM chain c JOIN stored_responses r ON r.request_id = c.parent_id
         WHERE r.key_id = $2 AND r.created_at > $3 AND c.n < ${MAX_DEPTH} AND c.total <= $4
       )
       SELECT request_id AS id, parent_id AS parent, depth, node_id AS node, octet_length(items) AS bytes, tokens,
         CASE WHEN (SELECT max(total) FROM chain) <= ${LARGE_CONTENT_BYTES} THEN ${base64Of("items")} END AS items
       FROM chain ORDER BY n DESC`,
      [requestId, owner.keyId, this.#since(), maxBytes],
    );
    const [root] = rows;
    const newest = rows.at(-1);
    if (root === undefined || newest === undefined) return null;
    if (rows.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes) throw new HistoryTooLarge();
    if (root.parent !== null) return null;
    const tokens = rows.reduce((sum, row) => sum + (row.tokens ?? 0), 0);
    const items = await this.#itemsOf(owner, rows, null, () => beforeLarge(tokens));
    return items === null ? null : { items, depth: newest.depth, nodeId: newest.node };
  }

  /**
   * The items with these ids, as far as they exist, and the node of the newest response that has one of them.
   * Throws: HistoryTooLarge; what `beforeLarge` throws. `maxBytes`: the most sealed bytes that are read.
   */
  async itemsById(
    owner: StateOwner,
    ids: Iterable<string>,
    maxBytes: number,
    beforeLarge = unbounded,
  ): Promise<{ items: ReadonlyMap<string, JsonObject>; nodeId: string | null }> {
    const wanted = new Map<string, string>();
    for (const id of ids) if (wanted.size < MAX_KEY_ITEMS) wanted.set(owner.seal.tag(id), id);
    const rows: ItemsRow[] = [];
    const missing = new Set(wanted.keys());
    let bytesLeft = maxBytes;
    let inlineLeft = LARGE_CONTENT_BYTES;
    // A client that refers to items sends its whole history, so its newest response contains nearly all of them.
    while (missing.size > 0 && rows.length < MAX_DEPTH) {
      const row = await this.#newestWith(owner.keyId, [...missing], inlineLeft);
      if (row === undefined) break;
      bytesLeft -= row.bytes;
      inlineLeft -= row.bytes;
      if (bytesLeft < 0) throw new HistoryTooLarge();
      for (const tag of row.tags) missing.delete(String(tag));
      rows.push(row);
    }
    // Which part of a response is referred to is known only after decryption: its tokens are counted then.
    const found = await this.#itemsOf(owner, rows, [...wanted.values()], () => beforeLarge(0));
    const items = new Map<string, JsonObject>();
    for (const item of found ?? [])
      if (typeof item.id === "string" && !items.has(item.id)) items.set(item.id, item);
    return { items, nodeId: items.size > 0 ? (rows[0]?.node ?? null) : null };
  }

  async #newestWith(
    keyId: string,
    tags: string[],
    inlineBytes: number,
  ): Promise<(ItemsRow & { tags: bigint[] }) | undefined> {
    const [row] = await this.#options.database.query<ItemsRow & { tags: bigint[] }>(
      `SELECT request_id AS id, parent_id AS parent, depth, node_id AS node, octet_length(items) AS bytes, tokens,
         CASE WHEN octet_length(items) <= $4 THEN ${base64Of("items")} END AS items,
         ARRAY(SELECT unnest(item_tags) INTERSECT SELECT unnest($2::bigint[])) AS tags
       FROM stored_responses WHERE item_tags && $2::bigint[] AND key_id = $1 AND created_at > $3
       ORDER BY created_at DESC, request_id DESC LIMIT 1`,
      [keyId, tags, this.#since(), inlineBytes],
    );
    return row;
  }

  /** The items of rows, in order; with `ids`, only items with one of them. Null when a row cannot be decrypted. */
  async #itemsOf(
    { keyId, seal }: StateOwner,
    rows: readonly ItemsRow[],
    ids: readonly string[] | null,
    beforeLarge: () => Promise<void>,
  ): Promise<JsonObject[] | null> {
    const isLarge = rows.some(({ items }) => items === null);
    if (isLarge) await beforeLarge();
    const places = rows.map((row) => itemsPlace(keyId, row));
    const columns = await this.#content.read(keyId, places);
    if (columns === null) return null;
    return isLarge ? this.#content.items(seal.contentsKey, columns, ids) : itemsInline(seal, columns, ids);
  }

  /**
   * One response as JSON; null when it is missing. Throws: what `beforeLarge` throws. Source: docs/responses.md#s5-1.
   */
  async show(owner: StateOwner, requestId: string, beforeLarge = unbounded): Promise<string | null> {
    const row = await this.#find(owner, requestId);
    if (row === null) return null;
    const isLarge = row.items === null || row.envelope === null;
    if (isLarge) await beforeLarge(0);
    const places = [itemsPlace(owner.keyId, row), envelopePlace(owner.keyId, row)];
    const [items, envelope] = (await this.#content.read(owner.keyId, places)) ?? [];
    if (items === undefined || envelope === undefined) return null;
    const { contentsKey } = owner.seal;
    const answer = await this.#content.perform({ kind: "response", contentsKey, items, envelope }, isLarge);
    return textOf(answer);
  }

  /**
   * A page of the input items of a response as JSON; null when the response is missing, `no_such_item` when the page
   * begins after an item that does not exist. Throws: what `beforeLarge` throws. Source: docs/responses.md#s5-1.
   */
  async inputItems(
    owner: StateOwner,
    { requestId, responseId, page }: { requestId: string; responseId: string; page: ItemPageQuery },
    beforeLarge = unbounded,
  ): Promise<string | null> {
    const row = await this.#find(owner, requestId);
    if (row === null) return null;
    const isLarge = row.items === null;
    if (isLarge) await beforeLarge(0);
    const [items] = (await this.#content.read(owner.keyId, [itemsPlace(owner.keyId, row)])) ?? [];
    if (items === undefined) return null;
    const { contentsKey } = owner.seal;
    const answer = await this.#content.perform(
      { kind: "page", contentsKey, items, responseId, page },
      isLarge,
    );
    return answer === "no_such_item" ? answer : textOf(answer);
  }

  /** True when a response exists for its owner. Decrypts its smaller part. Throws: what `beforeLarge` throws. */
  async has(owner: StateOwner, requestId: string, beforeLarge = unbounded): Promise<boolean> {
    const row = await this.#find(owner, requestId);
    if (row === null) return false;
    const { keyId, seal } = owner;
    const place = row.bytes < row.envelopeBytes ? itemsPlace(keyId, row) : envelopePlace(keyId, row);
    if (place.text === null) await beforeLarge(0);
    const [column] = (await this.#content.read(keyId, [place])) ?? [];
    return column !== undefined && openColumn(seal.contentsKey, column) !== null;
  }

  async #find({ keyId }: StateOwner, requestId: string): Promise<ResponseRow | null> {
    const [row] = await this.#options.database.query<ResponseRow>(
      `SELECT request_id AS id, parent_id AS parent, depth, node_id AS node, octet_length(items) AS bytes, tokens,
         octet_length(envelope) AS "envelopeBytes",
         CASE WHEN octet_length(items) <= ${LARGE_CONTENT_BYTES} THEN ${base64Of("items")} END AS items,
         CASE WHEN octet_length(envelope) <= ${LARGE_CONTENT_BYTES} THEN ${base64Of("envelope")} END AS envelope
       FROM stored_responses WHERE request_id = $1 AND key_id = $2 AND created_at > $3`,
      [requestId, keyId, this.#since()],
    );
    return row ?? null;
  }

  /** Deletes one response. Returns false when it is missing. Throws: what `beforeLarge` throws. */
  async remove(owner: StateOwner, requestId: string, beforeLarge = unbounded): Promise<boolean> {
    if (!(await this.has(owner, requestId, beforeLarge))) return false;
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

  /** Ends the workers. */
  close(): Promise<void> {
    return this.#content.close();
  }

  /** Seals a text that is given in pieces. Shape: base64. */
  async #seal({ contentsKey }: CallerSeal, texts: readonly string[], binding: string): Promise<string> {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    const task = { kind: "seal", contentsKey, texts, binding } as const;
    const sealed = textOf(await this.#content.perform(task, length > LARGE_CONTENT_BYTES));
    if (sealed === null) throw new Error("nothing was sealed");
    return sealed;
  }

  /** Older responses are expired. */
  #since(): Date {
    return new Date(this.#options.now().getTime() - this.#options.hours * HOUR_MS);
  }
}

async function unbounded(_tokens: number): Promise<void> {}

function itemsInline(
  seal: CallerSeal,
  columns: readonly SealedColumn[],
  ids: readonly string[] | null,
): JsonObject[] | null {
  const wanted = ids === null ? null : new Set<unknown>(ids);
  const items: JsonObject[] = [];
  for (const column of columns) {
    const opened = openItems(seal.contentsKey, column);
    if (opened === null) return null;
    for (const list of [opened.input, opened.output])
      for (const item of list) if (wanted === null || wanted.has(item.id)) items.push(item);
  }
  return items;
}

function textOf(answer: string[] | string | null): string | null {
  return Array.isArray(answer) ? (answer[0] ?? null) : null;
}

function* idsOf(items: readonly JsonObject[]): Generator<string> {
  for (const item of items) if (typeof item.id === "string" && item.id !== "") yield item.id;
}
