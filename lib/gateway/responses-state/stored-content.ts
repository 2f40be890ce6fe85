import type { Database } from "@/lib/db/database";
import { parseExact } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import { nextTurn } from "@/lib/kernel/next-turn";
import { WorkerPool, workerPath } from "@/lib/kernel/worker-pool";
import { type ContentAnswer, type ContentTask, performContentTask, type SealedColumn } from "./content-tasks";

/**
 * Larger sealed content is read in pieces and decrypted in a worker, within the bounds of bulk work.
 * Source: docs/responses.md#s4-5.
 */
export const LARGE_CONTENT_BYTES = 256 * 1024;

/** The most bytes that one statement reads, so that the statement and its answer are fast. */
const PIECE_BYTES = 576 * 1024;
const WORKERS = 2;
const MAX_WAITING = 256;

/** A sealed column of a row. */
export interface ColumnPlace {
  requestId: string;
  column: "items" | "envelope";
  /** Of the sealed column. */
  bytes: number;
  /** The binding of the column. */
  binding: string;
  /** Base64 when it has been read already; null: not yet. */
  text: string | null;
}

interface Piece {
  place: ColumnPlace;
  start: number;
  length: number;
}

/** Reads the sealed columns of stored responses, and decrypts and encrypts large ones off the event loop. */
export class StoredContent {
  readonly #database: Pick<Database, "query">;
  readonly #workers = new WorkerPool<ContentTask, ContentAnswer>(
    workerPath("stored-content-worker"),
    WORKERS,
    MAX_WAITING,
  );

  constructor(database: Pick<Database, "query">) {
    this.#database = database;
  }

  /** The columns of a key's rows; null when one of them no longer exists. Throws: the database's errors. */
  async read(keyId: string, places: readonly ColumnPlace[]): Promise<SealedColumn[] | null> {
    const read = new Map<ColumnPlace, string[]>();
    for (const place of places) read.set(place, place.text === null ? [] : [place.text]);
    for (const pieces of statementsOf(places)) {
      const texts = await this.#texts(keyId, pieces);
      if (texts.length !== pieces.length) return null;
      for (const [index, { place }] of pieces.entries()) read.get(place)?.push(texts[index] ?? "");
    }
    return places.map((place) => ({ pieces: read.get(place) ?? [], binding: place.binding }));
  }

  /** Does a task: in a worker when its content is large. Throws: what the worker throws. */
  async perform(task: ContentTask, isLarge: boolean): Promise<ContentAnswer> {
    return isLarge ? this.#workers.run(task) : performContentTask(task);
  }

  /** The items of columns, in order; null when one cannot be decrypted. `ids`: only items with these; null: all. */
  async items(
    contentsKey: Uint8Array,
    columns: readonly SealedColumn[],
    ids: readonly string[] | null,
  ): Promise<JsonObject[] | null> {
    const groups = await this.perform({ kind: "items", contentsKey, columns, ids }, true);
    if (!Array.isArray(groups)) return null;
    const items: JsonObject[] = [];
    for (const group of groups) {
      for (const item of parseExact(group) as JsonObject[]) items.push(item); // what the worker has written
      await nextTurn();
    }
    return items;
  }

  /** Ends the workers. */
  close(): Promise<void> {
    return this.#workers.close();
  }

  async #texts(keyId: string, pieces: readonly Piece[]): Promise<string[]> {
    const rows = await this.#database.query<{ piece: string }>(
      `SELECT encode(substring(CASE p.name WHEN 'items' THEN r.items ELSE r.envelope END FROM p.start FOR p.length), 'base64') AS piece
       FROM unnest($2::uuid[], $3::text[], $4::integer[], $5::integer[]) WITH ORDINALITY AS p(id, name, start, length, n)
       JOIN stored_responses r ON r.request_id = p.id AND r.key_id = $1
       ORDER BY p.n`,
      [
        keyId,
        pieces.map(({ place }) => place.requestId),
        pieces.map(({ place }) => place.column),
        pieces.map(({ start }) => start),
        pieces.map(({ length }) => length),
      ],
    );
    return rows.map(({ piece }) => piece);
  }
}

/** The pieces of unread columns, in order, grouped so that one statement reads each group. */
function statementsOf(places: readonly ColumnPlace[]): Piece[][] {
  const statements: Piece[][] = [];
  let pieces: Piece[] = [];
  let bytes = 0;
  for (const place of places) {
    if (place.text !== null) continue;
    for (let done = 0; done < place.bytes; ) {
      const length = Math.min(place.bytes - done, PIECE_BYTES - bytes);
      pieces.push({ place, start: done + 1, length });
      done += length;
      bytes += length;
      if (bytes < PIECE_BYTES) continue;
      statements.push(pieces);
      pieces = [];
      bytes = 0;
    }
  }
  if (pieces.length > 0) statements.push(pieces);
  return statements;
}
