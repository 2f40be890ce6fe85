/** Separates records; never occurs inside one. */
export const RECORD_SEPARATOR = "\u001f";

/** A field of a record. */
export type RecordValue = string | number | bigint | boolean | null;

/**
 * Rows as one parameter: the text forms of PostgreSQL records with unit separators between them, for
 * `string_to_array($1, E'\\x1f')::some_type[]`. Null for no rows. Removes the separator and characters that PostgreSQL
 * refuses from texts.
 */
export function recordsText(rows: readonly (readonly RecordValue[])[]): string | null {
  return rows.length === 0 ? null : rows.map(recordText).join(RECORD_SEPARATOR);
}

/** A text array as one field of a record. */
export function textArray(values: readonly string[]): string {
  return values.length === 0 ? "{}" : `{${values.map(arrayElement).join(",")}}`;
}

function recordText(values: readonly RecordValue[]): string {
  let text = "";
  let comma = "(";
  for (const value of values) {
    text += comma;
    comma = ",";
    if (value !== null) text += typeof value === "string" ? recordField(value) : value;
  }
  return `${text})`;
}

/** A text as one field of a record; quoted unless it needs no quotes: ids, dates, plain words. */
export function recordField(text: string): string {
  return /^[\w:.-]+$/.test(text) ? text : quoted(storable(text));
}

function arrayElement(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** PostgreSQL reads a doubled character inside quotes as one. Two plain replacements are twice as fast as a pattern. */
function quoted(text: string): string {
  const slashed = text.includes("\\") ? text.replaceAll("\\", "\\\\") : text;
  return `"${slashed.replaceAll('"', '""')}"`;
}

function storable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these two characters must be removed
  const clean = /[\u0000\u001f]/.test(text) ? text.replace(/[\u0000\u001f]/g, "") : text;
  return clean.toWellFormed();
}
