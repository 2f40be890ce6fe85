import { printJson } from "@/lib/kernel/exact-json";
import { nextTurn } from "@/lib/kernel/json";
import type { StoredItems } from "./content-tasks";
import type { ColumnPlace } from "./stored-content";

/** A stored response as it is read before its content. */
export interface ItemsRow {
  id: string;
  parent: string | null;
  depth: number;
  node: string | null;
  /** Of the sealed items. */
  bytes: number;
  /** Null: an earlier version of the program stored them. */
  tokens: number | null;
  /** Base64; null where they are large. */
  items: string | null;
}

/** As `ItemsRow`, with the response without its output. */
export interface ResponseRow extends ItemsRow {
  /** Base64; null where it is large. */
  envelope: string | null;
  envelopeBytes: number;
}

/**
 * SQL that gives a binary column as text: the driver of PostgreSQL has no binary format, and both databases and Node
 * are faster with base64 than with hexadecimal. Source: docs/responses.md#s4-5.
 */
export function base64Of(column: "items" | "envelope"): string {
  return `encode(${column}, 'base64')`;
}

/** What a sealed column belongs to. */
export function bindingOf(keyId: string, requestId: string, parentId: string | null, column: string): string {
  return `stored_responses|${keyId}|${requestId}|${parentId ?? ""}|${column}|1`;
}

/** Where the items of a row are. */
export function itemsPlace(keyId: string, { id, parent, bytes, items }: ItemsRow): ColumnPlace {
  const binding = bindingOf(keyId, id, parent, "items");
  return { requestId: id, column: "items", bytes, binding, text: items };
}

/** Where the response of a row is. */
export function envelopePlace(keyId: string, row: ResponseRow): ColumnPlace {
  const binding = bindingOf(keyId, row.id, row.parent, "envelope");
  return { requestId: row.id, column: "envelope", bytes: row.envelopeBytes, binding, text: row.envelope };
}

/** JSON of more than this is written in several turns of the event loop. Units: characters. */
const TURN_LENGTH = 256 * 1024;

/** The JSON of items, in pieces; other work has its turn between large ones. */
export async function jsonTexts({ input, output }: StoredItems): Promise<string[]> {
  const texts = ['{"input":['];
  let length = 0;
  for (const [list, items] of [input, output].entries()) {
    if (list > 0) texts.push('],"output":[');
    for (const [at, item] of items.entries()) {
      const text = (at === 0 ? "" : ",") + printJson(item);
      texts.push(text);
      length += text.length;
      if (length < TURN_LENGTH) continue;
      length = 0;
      await nextTurn();
    }
  }
  texts.push("]}");
  return texts;
}

/** The number of bytes that a base64 text without line breaks stands for. */
export function sealedBytes(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}
