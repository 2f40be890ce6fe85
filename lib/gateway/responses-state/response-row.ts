import type { ColumnPlace } from "./stored-content";

/** A stored response as it is read before its content. */
export interface ItemsRow {
  id: string;
  parent: string | null;
  depth: number;
  node: string | null;
  /** The size of the sealed items. */
  bytes: number;
  /** Null: an earlier version of the program stored them. */
  tokens: number | null;
  /** Base64; null when they are large. */
  items: string | null;
}

/** As `ItemsRow`, with the response without its output. */
export interface ResponseRow extends ItemsRow {
  /** Base64; null when it is large. */
  envelope: string | null;
  envelopeBytes: number;
}

/** The binding of a sealed column to its row. */
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
