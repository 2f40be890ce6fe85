import { printJson } from "./exact-json";
import type { JsonObject } from "./json-object";

/**
 * The bytes of `printJson`, for a large object: each entry of its lists is written on its own, because most of them are
 * ASCII, which takes a fraction of the time that other texts take. Source: docs/performance.md#s5.
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
  let before = opening;
  for (const entry of list) {
    parts.push(`${before}${printJson([entry]).slice(1, -1)}`);
    before = ",";
  }
  parts.push(before === "," ? "]" : `${opening}]`);
}
