import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { Losses } from "@/lib/protocols/generation/losses";

/** The keywords that a node reads; any other one makes it refuse the whole request. Source: docs/gemini.md#schemas. */
const known: ReadonlySet<string> = new Set([
  "$id",
  "$defs",
  "$ref",
  "$anchor",
  "type",
  "format",
  "title",
  "description",
  "enum",
  "items",
  "prefixItems",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "anyOf",
  "oneOf",
  "properties",
  "additionalProperties",
  "required",
  "propertyOrdering",
]);

/** Keywords without an effect on what a schema allows. */
const silent: ReadonlySet<string> = new Set(["$schema", "$comment"]);

const maps: ReadonlySet<string> = new Set(["properties", "$defs"]);
const lists: ReadonlySet<string> = new Set(["anyOf", "oneOf", "prefixItems"]);
const single: ReadonlySet<string> = new Set(["items", "additionalProperties"]);

/**
 * A JSON schema in the keywords that nodes read: `const`, exclusive bounds and `allOf` in other words, the rest left out
 * and told as `schema:<keyword>`. Source: docs/gemini.md#schemas.
 */
export function nodeSchema(schema: JsonObject, losses: Losses): JsonObject {
  if (typeof schema.$ref === "string") return reference(schema);
  const written: JsonObject = {};
  for (const [keyword, value] of Object.entries(inKnownWords(schema, losses))) {
    if (known.has(keyword)) written[keyword] = cleaned(keyword, value, losses);
    else if (!silent.has(keyword)) losses.add(`schema:${keyword}`);
  }
  return written;
}

/** Beside a reference nodes read nothing but keywords that begin with `$`. */
function reference(schema: JsonObject): JsonObject {
  const { $ref, $defs, $id, $anchor } = schema;
  const written: JsonObject = { $ref: String($ref).replace(/^#\/definitions\//, "#/$defs/") };
  for (const [keyword, value] of Object.entries({ $defs, $id, $anchor }))
    if (value !== undefined) written[keyword] = value;
  return written;
}

function cleaned(keyword: string, value: unknown, losses: Losses): unknown {
  const inner = (one: unknown) => (isObject(one) ? nodeSchema(one, losses) : one);
  if (maps.has(keyword) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]));
  if (lists.has(keyword) && Array.isArray(value)) return value.map(inner);
  return single.has(keyword) ? inner(value) : value;
}

/** Rewrites keywords for which nodes have another word. */
function inKnownWords(schema: JsonObject, losses: Losses): JsonObject {
  const { const: constant, definitions, exclusiveMinimum, exclusiveMaximum, allOf, ...rest } = schema;
  const { nullable, ...merged } = Array.isArray(allOf) ? mergeAll(rest, allOf, losses) : rest;
  const written: JsonObject = { ...merged };
  if (constant !== undefined) written.enum = [constant];
  if (isObject(definitions)) written.$defs = { ...definitions, ...(isObject(rest.$defs) ? rest.$defs : {}) };
  if (nullable === true) allowNull(written);
  const step = written.type === "integer" ? 1 : 0;
  // In drafts before 6 an exclusive bound is a switch beside the bound.
  if (typeof exclusiveMinimum === "number")
    written.minimum = Math.max(exclusiveMinimum + step, numberOr(written.minimum, exclusiveMinimum));
  if (typeof exclusiveMaximum === "number")
    written.maximum = Math.min(exclusiveMaximum - step, numberOr(written.maximum, exclusiveMaximum));
  return written;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function allowNull(schema: JsonObject): void {
  const { type } = schema;
  if (typeof type === "string") schema.type = [type, "null"];
  else if (Array.isArray(type) && !type.includes("null")) schema.type = [...type, "null"];
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
}

/** One schema in place of several that must all hold; those with a reference beside others are left out. */
function mergeAll(schema: JsonObject, all: readonly unknown[], losses: Losses): JsonObject {
  const parts = all.filter(isObject);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && Object.keys(schema).length === 0) return only;
  let merged = schema;
  for (const part of parts) {
    if (part.$ref === undefined) merged = merge(merged, part);
    else losses.add("schema:allOf");
  }
  return merged;
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const merged: JsonObject = { ...right, ...left };
  if (isObject(left.properties) && isObject(right.properties))
    merged.properties = { ...right.properties, ...left.properties };
  const required = [left.required, right.required].filter(Array.isArray).flat();
  if (required.length > 0) merged.required = [...new Set(required)];
  return merged;
}
