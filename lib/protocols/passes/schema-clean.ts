import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";

const maxOptional = 10;
const formats = ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];
const bounds = [
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
  "contains",
  "minContains",
  "maxContains",
  "minProperties",
  "maxProperties",
  "propertyNames",
  "dependentRequired",
  "not",
];
const noise = ["$schema", "$id", "$comment", "examples"];
const schemaMaps = ["properties", "$defs", "definitions"];
const schemaLists = ["anyOf", "allOf", "prefixItems"];

/**
 * Converts a JSON schema for structured output of the messages protocol: closes objects, replaces `oneOf` by `anyOf`,
 * and moves unsupported bounds into the description. Null for a schema that cannot be expressed: recursion, open maps,
 * too many optional properties. Source: docs/protocols.md#s4-8.
 */
export function cleanSchema(schema: JsonObject): JsonObject | null {
  if (hasOpenMap(schema) || isRecursive(schema) || optionalCount(schema) > maxOptional) return null;
  return clean(schema);
}

/**
 * True when every object of the schema is closed and requires all its properties. Source: docs/protocols.md#s5-4,
 * #s5-7.
 */
export function isFullyRequired(schema: unknown): boolean {
  return everySchema(schema, (node) => {
    if (node.type !== "object" && !isObject(node.properties)) return true;
    const required = Array.isArray(node.required) ? node.required : [];
    const properties = isObject(node.properties) ? Object.keys(node.properties) : [];
    return node.additionalProperties === false && properties.every((name) => required.includes(name));
  });
}

/** True when every object of the schema is closed. Source: docs/protocols.md#s4-5-2. */
export function isClosed(schema: unknown): boolean {
  return everySchema(schema, (node) => !isObject(node.properties) || node.additionalProperties === false);
}

function clean(schema: JsonObject): JsonObject {
  const out: JsonObject = {};
  const moved: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (noise.includes(key)) continue;
    if (bounds.includes(key) || (key === "format" && !formats.includes(String(value)))) {
      moved.push(`${key}: ${printJson(value)}`);
    } else {
      out[key === "oneOf" ? "anyOf" : key] = cleanValue(key, value);
    }
  }
  if (schema.type === "object" || isObject(schema.properties)) out.additionalProperties = false;
  if (moved.length > 0) out.description = describe(schema.description, moved);
  return out;
}

function cleanValue(key: string, value: unknown): unknown {
  if (schemaMaps.includes(key) && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, isObject(inner) ? clean(inner) : inner]),
    );
  }
  if ((schemaLists.includes(key) || key === "oneOf") && Array.isArray(value)) {
    return value.map((inner) => (isObject(inner) ? clean(inner) : inner));
  }
  return key === "items" && isObject(value) ? clean(value) : value;
}

function describe(description: unknown, moved: string[]): string {
  const note = `{${moved.join(", ")}}`;
  return typeof description === "string" && description !== "" ? `${description} ${note}` : note;
}

function children(schema: JsonObject): JsonObject[] {
  const found: unknown[] = [schema.items];
  for (const key of schemaMaps) if (isObject(schema[key])) found.push(...Object.values(schema[key]));
  for (const key of [...schemaLists, "oneOf"]) if (Array.isArray(schema[key])) found.push(...schema[key]);
  return found.filter(isObject);
}

function everySchema(schema: unknown, holds: (node: JsonObject) => boolean): boolean {
  return isObject(schema) && holds(schema) && children(schema).every((child) => everySchema(child, holds));
}

function hasOpenMap(schema: JsonObject): boolean {
  const extra = schema.additionalProperties;
  const isObjectType = schema.type === "object";
  const isOpen =
    isObject(extra) ||
    (extra === true && isObjectType) ||
    isObject(schema.patternProperties) ||
    (isObjectType &&
      !isObject(schema.properties) &&
      extra !== false &&
      !schemaLists.concat("oneOf", "$ref").some((key) => key in schema));
  return isOpen || children(schema).some(hasOpenMap);
}

function optionalCount(schema: JsonObject): number {
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  const own = names.filter((name) => !required.includes(name)).length;
  return children(schema).reduce((sum, child) => sum + optionalCount(child), own);
}

function isRecursive(root: JsonObject): boolean {
  const visit = (schema: JsonObject, open: readonly string[]): boolean => {
    const ref = schema.$ref;
    if (typeof ref === "string") {
      if (ref === "#" || open.includes(ref)) return true;
      const target = resolve(root, ref);
      if (target !== null && visit(target, [...open, ref])) return true;
    }
    return inline(schema).some((child) => visit(child, open));
  };
  return visit(root, []);
}

// Definitions are visited through the references to them.
function inline(schema: JsonObject): JsonObject[] {
  const { $defs: _defs, definitions: _definitions, ...rest } = schema;
  return children(rest);
}

function resolve(root: JsonObject, ref: string): JsonObject | null {
  let node: unknown = root;
  for (const step of ref.replace(/^#\/?/, "").split("/")) node = isObject(node) ? rowOf(node, step) : null;
  return isObject(node) ? node : null;
}
