import { GatewayError, invalid } from "./errors";
import { type JsonBounds, parseExact, printJson, scanJson } from "./exact-json";

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
  for (const byte of new TextEncoder().encode(printJson(value ?? null)))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  return hash.toString(36);
}

const MAX_DEPTH = 64;
/** Values that the JSON of a request may hold. Source: docs/reliability.md#s3-10. */
export const MAX_VALUES = 200_000;

/** The JSON of a request's body. */
export interface JsonText {
  text: string;
  body: unknown;
  /** How many members the outermost object has, counting repeated names. */
  members: number;
}

/** Pure, so that no page of the browser has it. */
const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });

function requestBounds(maxValues = MAX_VALUES): JsonBounds {
  return { maxDepth: MAX_DEPTH, maxValues };
}

/**
 * Refuses a JSON text with too many levels or values before it is parsed.
 * Throws: INVALID_REQUEST beyond 64 levels or 200,000 values. Source: docs/reliability.md#s3-10.
 */
export function checkJsonShape(text: string): void {
  scanJson(text, requestBounds());
}

/**
 * Reads the JSON of a request's body; values of the client's keep their numbers as they are written (`parseExact`).
 * Throws: INVALID_REQUEST. Source: docs/reliability.md#s3-10.
 */
export function readJson(raw: Uint8Array, maxValues?: number): JsonText {
  const text = decoded(raw);
  const { members, literals } = scanJson(text, requestBounds(maxValues));
  return { text, body: readable(() => parseExact(text, literals)), members };
}

/** As `readJson`, but other work has its turn between the steps, each of which takes long for a body of megabytes. */
export async function readLargeJson(raw: Uint8Array, maxValues?: number): Promise<JsonText> {
  await nextTurn();
  const text = decoded(raw);
  await nextTurn();
  const { members, literals } = scanJson(text, requestBounds(maxValues));
  await nextTurn();
  const body = readable(() => parseExact(text, literals));
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
    return parseExact(text);
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
