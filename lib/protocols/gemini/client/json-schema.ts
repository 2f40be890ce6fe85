import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/** The vendor's words for types, with the JSON schema's. */
const types: ReadonlyMap<unknown, string> = new Map([
  ["STRING", "string"],
  ["NUMBER", "number"],
  ["INTEGER", "integer"],
  ["BOOLEAN", "boolean"],
  ["ARRAY", "array"],
  ["OBJECT", "object"],
  ["NULL", "null"],
]);

/** Keywords that the vendor's schema has under another name. */
const keywords: ReadonlyMap<string, string> = new Map([
  ["ref", "$ref"],
  ["defs", "$defs"],
]);

const single: ReadonlySet<string> = new Set(["items", "additionalProperties", "not"]);
const lists: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const maps: ReadonlySet<string> = new Set(["properties", "defs", "$defs", "definitions"]);
/** Numbers of 64 bits, which this protocol also writes as texts. */
const counts: ReadonlySet<string> = new Set([
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minProperties",
  "maxProperties",
]);

/**
 * A schema in the vendor's form, which is a subset of OpenAPI's, as JSON schema; a JSON schema stays what it is.
 * `propertyOrdering` exists in this protocol only. Source: docs/gemini.md#schemas.
 */
export function jsonSchema(schema: JsonObject): JsonObject {
  const { nullable, propertyOrdering: _order, ...members } = schema;
  const converted: JsonObject = {};
  for (const [keyword, value] of Object.entries(members)) {
    const member = memberOf(keyword, value);
    if (member !== undefined) converted[keywords.get(keyword) ?? keyword] = member;
  }
  return nullable === true ? orNull(converted) : converted;
}

/** Undefined: the keyword says nothing. */
function memberOf(keyword: string, value: unknown): unknown {
  if (keyword === "type") return typeOf(value);
  if (keyword === "format" && value === "enum") return undefined;
  if (single.has(keyword)) return isObject(value) ? jsonSchema(value) : value;
  if (lists.has(keyword) && Array.isArray(value))
    return value.map((entry: unknown) => (isObject(entry) ? jsonSchema(entry) : entry));
  if (maps.has(keyword) && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [name, isObject(entry) ? jsonSchema(entry) : entry]),
    );
  if (counts.has(keyword) && typeof value === "string" && /^\d+$/.test(value)) return Number(value);
  return value;
}

function typeOf(type: unknown): unknown {
  if (type === "TYPE_UNSPECIFIED") return undefined;
  if (Array.isArray(type)) return type.map((one: unknown) => types.get(one) ?? one);
  return types.get(type) ?? type;
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values, anyOf } = schema;
  if (typeof type === "string") schema.type = [type, "null"];
  else if (Array.isArray(type) && !type.includes("null")) schema.type = [...type, "null"];
  else if (Array.isArray(anyOf)) schema.anyOf = [...anyOf, { type: "null" }];
  if (Array.isArray(values) && !values.includes(null)) schema.enum = [...values, null];
  return schema;
}
