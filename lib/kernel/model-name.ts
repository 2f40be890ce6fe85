import type { Span } from "./exact-json";

/** JSON in which only the bytes of a model's name are replaced. */
export interface NamedBytes {
  bytes: Buffer;
  /** The name, with its quotes. */
  model: Span;
}

/** The bytes with another model name, and every other byte unchanged. */
export function renamedBytes({ bytes, model }: NamedBytes, name: string): Buffer {
  const json = quoted(name);
  const end = model.start + Buffer.byteLength(json);
  const renamed = Buffer.allocUnsafe(end + bytes.length - model.end);
  bytes.copy(renamed, 0, 0, model.start);
  renamed.write(json, model.start);
  bytes.copy(renamed, end, model.end);
  return renamed;
}

/**
 * The JSON text of an answer with another model name and every other byte unchanged; null where the place of the name is
 * ambiguous. Quotes inside strings are escaped, so a key that occurs once belongs to the outermost object.
 */
export function withModelName(json: string, model: unknown, name: string): string | null {
  if (typeof model !== "string") return null;
  const key = json.indexOf('"model"');
  if (key === -1 || json.indexOf('"model"', key + 1) !== -1) return null;
  const old = quoted(model);
  let start = key + '"model"'.length;
  while (json[start] === " " || json[start] === ":") start += 1;
  if (!json.startsWith(old, start)) return null;
  return json.slice(0, start) + quoted(name) + json.slice(start + old.length);
}

/** A name as JSON; few names have a character that JSON escapes. */
function quoted(name: string): string {
  return /^[\w .:/@+-]*$/.test(name) ? `"${name}"` : JSON.stringify(name);
}
