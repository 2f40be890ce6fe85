import type { z } from "zod";
import { GatewayError } from "@/lib/kernel/errors";
import { isObject } from "@/lib/kernel/json-object";
import { isUuid } from "@/lib/kernel/uuid";
import { messagesByField } from "./schemas/messages-by-field";

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

/** An id as the database writes it: a UUID may be sent in upper case. Other texts stay unchanged. */
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
