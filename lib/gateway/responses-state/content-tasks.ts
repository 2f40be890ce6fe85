import { parseExact, printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import { openWith, sealWith } from "./caller-seal";
import { type ItemPageQuery, itemPage } from "./item-page";

/** The items of one response. */
export interface StoredItems {
  input: readonly JsonObject[];
  output: readonly JsonObject[];
}

/** A sealed column, in the order of its pieces. Shape: each piece is base64. */
export interface SealedColumn {
  pieces: readonly string[];
  binding: string;
}

/** A task on stored content: small content is processed inline, large content in a worker. */
export type ContentTask = { contentsKey: Uint8Array } & (
  | { kind: "items"; columns: readonly SealedColumn[]; ids: readonly string[] | null }
  | { kind: "response"; items: SealedColumn; envelope: SealedColumn }
  | { kind: "page"; items: SealedColumn; responseId: string; page: ItemPageQuery }
  | { kind: "seal"; texts: readonly string[]; binding: string }
);

/**
 * The texts that a task returns. Null: a column cannot be decrypted; `no_such_item`: the page begins after an item that
 * does not exist.
 */
export type ContentAnswer = string[] | null | "no_such_item";

/** JSON texts of about this length are read in one turn of the event loop. Units: characters. */
const GROUP_LENGTH = 128 * 1024;

/**
 * Does a task. Shape: for `items` JSON arrays of items, in order, each short enough to parse quickly; for `response`
 * and `page` the JSON of the answer; for `seal` the sealed text in base64.
 */
export function performContentTask(task: ContentTask): ContentAnswer {
  switch (task.kind) {
    case "items":
      return groupsOf(task.contentsKey, task.columns, task.ids);
    case "response":
      return responseText(task.contentsKey, task.items, task.envelope);
    case "page":
      return pageText(task.contentsKey, task);
    case "seal":
      return [sealWith(task.contentsKey, task.texts.join(""), task.binding).toString("base64")];
  }
}

/** The items of a column; null when it cannot be decrypted. */
export function openItems(contentsKey: Uint8Array, column: SealedColumn): StoredItems | null {
  const text = openColumn(contentsKey, column);
  return text === null ? null : (parseExact(text) as StoredItems);
}

/** The text of a column; null when it cannot be decrypted. */
export function openColumn(contentsKey: Uint8Array, { pieces, binding }: SealedColumn): string | null {
  const sealed = Buffer.concat(pieces.map((piece) => Buffer.from(piece, "base64")));
  return openWith(contentsKey, sealed, binding);
}

function groupsOf(
  contentsKey: Uint8Array,
  columns: readonly SealedColumn[],
  ids: readonly string[] | null,
): string[] | null {
  const wanted = ids === null ? null : new Set<unknown>(ids);
  const groups: string[] = [];
  let group: string[] = [];
  let length = 0;
  for (const column of columns) {
    const items = openItems(contentsKey, column);
    if (items === null) return null;
    for (const item of [...items.input, ...items.output]) {
      if (wanted !== null && !wanted.has(item.id)) continue;
      const text = printJson(item);
      group.push(text);
      length += text.length;
      if (length < GROUP_LENGTH) continue;
      groups.push(`[${group.join(",")}]`);
      group = [];
      length = 0;
    }
  }
  if (group.length > 0) groups.push(`[${group.join(",")}]`);
  return groups;
}

function responseText(contentsKey: Uint8Array, items: SealedColumn, envelope: SealedColumn): string[] | null {
  const opened = openItems(contentsKey, items);
  const text = openColumn(contentsKey, envelope);
  if (opened === null || text === null) return null;
  return [printJson({ ...(parseExact(text) as JsonObject), output: opened.output })];
}

function pageText(
  contentsKey: Uint8Array,
  { items, responseId, page }: Extract<ContentTask, { kind: "page" }>,
): ContentAnswer {
  const opened = openItems(contentsKey, items);
  if (opened === null) return null;
  const found = itemPage(responseId, opened.input, page);
  return found === null ? "no_such_item" : [printJson(found)];
}
