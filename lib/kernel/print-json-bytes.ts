import { printJson } from "./exact-json";
import type { JsonObject } from "./json-object";

/** A list of no more entries, e.g. the turns of a conversation, is printed entry by entry. */
const MAX_PARTS = 256;

/**
 * The bytes of `printJson`, for a large object: its lists are printed in parts, because most of them are ASCII, which
 * takes a fraction of the time that other texts take. Source: docs/performance.md#s5.
 */
export function printJsonBytes(object: JsonObject): Buffer {
  const parts: string[] = [];
  let before = "{";
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) addList(parts, `${before}${inner({ [name]: [] }).slice(0, -1)}`, value);
    else parts.push(`${before}${inner({ [name]: value })}`);
    before = ",";
  }
  parts.push(before === "{" ? "{}" : "}");
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

/** The JSON of an object without its braces. */
function inner(object: JsonObject): string {
  return printJson(object).slice(1, -1);
}

function addList(parts: string[], opening: string, list: readonly unknown[]): void {
  const size = Math.max(1, Math.ceil(list.length / MAX_PARTS));
  parts.push(opening);
  for (let from = 0; from < list.length; from += size) {
    const before = from === 0 ? "" : ",";
    parts.push(`${before}${printJson(list.slice(from, from + size)).slice(1, -1)}`);
  }
  parts.push("]");
}
