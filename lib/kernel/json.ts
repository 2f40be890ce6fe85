import { GatewayError, invalid } from "./errors";

/** A parsed JSON object whose fields are not known. */
export type JsonObject = Record<string, unknown>;

/** True for a JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The row of a table under a name that callers or nodes choose; names that every object inherits find nothing. */
export function rowOf<Row>(table: Readonly<Record<string, Row>>, name: string): Row | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** True when an object has no other fields than these. */
export function hasOnlyFields(object: JsonObject, fields: ReadonlySet<string>): boolean {
  for (const name in object) if (!fields.has(name)) return false;
  return true;
}

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

/** A short mark by which a value of JSON is recognized again: FNV-1a of its text, 64 bits. No protection against forgery. */
export function markOf(value: unknown): string {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(JSON.stringify(value ?? null)))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  return hash.toString(36);
}

const MAX_DEPTH = 64;
/** Values that the JSON of a request may hold. Source: docs/reliability.md#s3-10. */
export const MAX_VALUES = 200_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Scans a JSON text before JSON.parse, so that bodies with too many levels or values are refused cheaply. Returns how
 * many members the outermost object has, counting repeated names.
 * Throws: INVALID_REQUEST beyond 64 levels or `maxValues`. Source: docs/reliability.md#s3-10.
 */
export function checkJsonShape(text: string, maxValues = MAX_VALUES): number {
  let depth = 0;
  let values = 1;
  let members = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) throw invalid("body", `The JSON is nested deeper than ${MAX_DEPTH} levels.`);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
    } else if (code === COMMA) {
      values += 1;
      if (depth === 1) members += 1;
      if (values > maxValues) throw invalid("body", `The JSON has more than ${maxValues} values.`);
    }
  }
  return members;
}

/** Index of the closing quote; strings are searched natively because they make up most of a body. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

/** The JSON of a request's body. */
export interface JsonText {
  text: string;
  body: unknown;
  /** How many members the outermost object has, counting repeated names. */
  members: number;
}

/** Pure, so that no page of the browser has it. */
const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });

/** Reads the JSON of a request's body. Throws: INVALID_REQUEST. Source: docs/reliability.md#s3-10. */
export function readJson(raw: Uint8Array, maxValues?: number): JsonText {
  const text = decoded(raw);
  const members = checkJsonShape(text, maxValues);
  return { text, body: readable(() => JSON.parse(text)), members };
}

/** As `readJson`, but other work has its turn between the steps, each of which takes long for a body of megabytes. */
export async function readLargeJson(raw: Uint8Array, maxValues?: number): Promise<JsonText> {
  await nextTurn();
  const text = decoded(raw);
  await nextTurn();
  const members = checkJsonShape(text, maxValues);
  await nextTurn();
  const body = readable(() => JSON.parse(text));
  await nextTurn();
  return { text, body, members };
}

/** Resolves in the next turn of the event loop. No import of Node's: pages use other parts of this file in the browser. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function decoded(raw: Uint8Array): string {
  if (raw.length === 0) throw invalid("body", "The body is empty; a JSON object is wanted.");
  return readable(() => utf8.decode(raw));
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new GatewayError("INVALID_REQUEST", `The body is not valid JSON: ${reason(cause)}`, {
      param: "body",
      cause,
    });
  }
}

function reason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.replace(/["'].*["'] is not valid JSON/s, "the text is not valid JSON").slice(0, 200);
}

/** What a JSON text says; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The JSON text of a request or an answer with another model name and every other byte unchanged; null where the place of
 * the name is ambiguous. Quotes inside strings are escaped, so a key that occurs once belongs to the outermost object.
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
