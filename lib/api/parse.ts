import type { z } from "zod";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { isUuid, requireJsonType } from "@/lib/kernel/http";
import { checkJsonShape, isObject } from "@/lib/kernel/json";
import { messagesByField } from "./schemas/fields";

/** Parses a value. Throws: INVALID_REQUEST with the problem of every field. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refusalOf(messagesByField(parsed.error.issues));
}

/** Parses a change: every field is optional, and defaults do not count as changes. Throws: INVALID_REQUEST. */
export function parseChanges<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
): Partial<z.infer<Schema>> {
  const parsed = parse(schema.partial(), value);
  const sent = Object.entries(parsed).filter(([name]) => isObject(value) && Object.hasOwn(value, name));
  return Object.fromEntries(sent) as Partial<z.infer<Schema>>; // a subset of the parsed fields
}

/** An id as the database writes it: the letters of a UUID may be capitals. Other texts stay. */
export function lowerCaseId(name: string, text: string): string {
  return /id$/i.test(name) && isUuid(text) ? text.toLowerCase() : text;
}

/** The most unknown names that a refusal lists, and the most characters of each. */
const MAX_NAMES = 10;
const MAX_NAME = 100;

/** Refuses names that an operation does not take. Throws: INVALID_REQUEST with every such name. Source: docs/contract.md#query-names. */
export function refuseUnknownNames(known: readonly string[], query: URLSearchParams): void {
  const unknown = new Set([...query.keys()].filter((name) => !known.includes(name)));
  if (unknown.size === 0) return;
  const takes = known.length === 0 ? "this takes none" : `this takes ${known.join(", ")}`;
  const names = [...unknown].slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME).toWellFormed());
  throw refusalOf(Object.fromEntries(names.map((name) => [name, [`is no query parameter here: ${takes}`]])));
}

/** Parses a query string. Refuses unknown and repeated names. Throws: INVALID_REQUEST. */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: URLSearchParams,
): z.infer<Schema> {
  refuseUnknownNames(Object.keys(schema.shape), query);
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = query.getAll(name);
    if (values.length > 1) throw refusalOf({ [name]: ["is given more than once"] });
    const [value] = values;
    if (value === undefined || value === "") continue;
    if (value.includes("\0")) throw refusalOf({ [name]: ["holds a NUL"] });
    given[name] = lowerCaseId(name, value);
  }
  return parse(schema, given);
}

function refusalOf(fields: Record<string, string[]>): GatewayError {
  const [first] = Object.entries(fields);
  const message = first ? `\`${first[0]}\` ${first[1][0]}` : "the request is not valid";
  return new GatewayError("INVALID_REQUEST", `${message}.`, { param: first?.[0], fields });
}

/** Bodies of `/api` are forms and much smaller. Units: bytes. */
const MAX_BYTES = 1024 * 1024;

/** Characters that PostgreSQL cannot store in text: NUL and lone surrogates. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The JSON object of a request. Throws: UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_REQUEST.
 * Source: docs/reliability.md#s3-10.
 */
export async function readJson(request: Request): Promise<unknown> {
  refuseEncoding(request.headers.get("content-encoding"));
  requireJsonType(request.headers.get("content-type"));
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BYTES) throw tooLarge();
  const raw = await readAll(request.body);
  if (raw.length === 0) throw badField("body", "is empty; a JSON object is wanted");
  const text = readable(() => utf8.decode(raw));
  checkJsonShape(text);
  const value: unknown = readable(() => JSON.parse(text));
  refuseUnstorable(value);
  return value;
}

/** Refuses texts that the database cannot store, including member names. Throws: INVALID_REQUEST. */
export function refuseUnstorable(value: unknown): void {
  const unstorable = findUnstorable(value, "");
  if (unstorable !== null) throw badField(unstorable, "holds a NUL or half a surrogate pair");
}

function refuseEncoding(encoding: string | null): void {
  if (encoding === null || encoding === "identity") return;
  throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", "Send the body without Content-Encoding.");
}

async function readAll(body: ReadableStream<Uint8Array> | null): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new GatewayError("INVALID_REQUEST", "The body is not valid JSON.", {
      fields: { body: ["is not valid JSON"] },
      cause,
    });
  }
}

function findUnstorable(value: unknown, path: string): string | null {
  if (typeof value === "string") return UNSTORABLE.test(value) ? path || "body" : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [name, part] of Object.entries(value)) {
    if (UNSTORABLE.test(name)) return path || "body";
    const found = findUnstorable(part, path === "" ? name : `${path}.${name}`);
    if (found !== null) return found;
  }
  return null;
}

function tooLarge(): GatewayError {
  return new GatewayError("PAYLOAD_TOO_LARGE", `The body is larger than ${MAX_BYTES} bytes.`);
}
