import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import type { Losses } from "@/lib/protocols/generation/losses";
import type { FunctionTool } from "@/lib/protocols/generation/parts";

/** Keywords whose value is a schema, a list of schemas, or a map of names to schemas. */
const single = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"];
const maps = ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"];
/** Keywords for which null is a value. */
const values = ["const", "default", "examples", "enum"];

/** The keywords that no vendor accepts at the root of a tool's schema. */
const unions = ["anyOf", "oneOf", "allOf"] as const;
const rootRefused = [...unions, "enum", "not"] as const;
const MAX_DEPTH = 8;

/**
 * Converts the schema of a function's arguments for all vendors: removes keywords that are null, and makes the root an
 * object with properties. A union at the root becomes one object: it has the properties of all branches, requires those
 * that every branch requires, and has the union as text in its description; this is reported as a change. Returns the
 * same object when nothing changes; null for a tool without a schema. Source: docs/protocols.md#s4-5-1.
 */
export function toolSchema({ parameters, source }: FunctionTool, losses: Losses): JsonObject | null {
  if (parameters === null) return null;
  const schema = withoutNulls(parameters);
  if (!rootRefused.some((keyword) => keyword in schema)) return schema;
  losses.add(`changed:${source}`);
  return flattened(schema);
}

function withoutNulls(schema: JsonObject): JsonObject {
  const cleaned: JsonObject = {};
  let changed = false;
  for (const [keyword, value] of Object.entries(schema)) {
    const kept = values.includes(keyword) ? value : cleanMember(keyword, value);
    changed ||= kept !== value;
    if (kept !== undefined) cleaned[keyword] = kept;
  }
  return changed ? cleaned : schema;
}

/** Undefined: the keyword is removed. */
function cleanMember(keyword: string, value: unknown): unknown {
  if (value === null) return undefined;
  if (single.includes(keyword)) return isObject(value) ? withoutNulls(value) : value;
  if (lists.includes(keyword) && Array.isArray(value))
    return unchangedOr(value, value.filter((entry) => entry !== null).map(cleanSchema));
  if (!maps.includes(keyword) || !isObject(value)) return value;
  const entries = Object.entries(value);
  const cleaned = entries.map(([, entry]) => (entry === null ? {} : cleanSchema(entry)));
  if (entries.every(([, entry], index) => entry === cleaned[index])) return value;
  return Object.fromEntries(entries.map(([name], index) => [name, cleaned[index]]));
}

function cleanSchema(schema: unknown): unknown {
  return isObject(schema) ? withoutNulls(schema) : schema;
}

function unchangedOr(before: unknown[], after: unknown[]): unknown[] {
  const isSame = before.length === after.length && before.every((entry, index) => entry === after[index]);
  return isSame ? before : after;
}

/** The most text of the union in the description. Units: characters. */
const MAX_TOLD = 4_000;

function flattened(root: JsonObject): JsonObject {
  const { properties, required } = new Flattening(root).shapeOf(root, 0);
  const kept: JsonObject = { ...root, type: "object" };
  const union: JsonObject = {};
  for (const keyword of rootRefused) {
    if (keyword in kept) union[keyword] = kept[keyword];
    delete kept[keyword];
  }
  const own = typeof root.description === "string" && root.description !== "" ? `${root.description}\n` : "";
  kept.description = `${own}The arguments must also match: ${printJson(union).slice(0, MAX_TOLD)}`;
  kept.properties = Object.fromEntries(
    [...properties].map(([name, known]) => {
      const schemas = [...known.values()];
      return [name, schemas.length === 1 ? schemas[0] : { anyOf: schemas }];
    }),
  );
  delete kept.required;
  if (required.size > 0) kept.required = [...required];
  // A branch may allow properties that the other branches do not have.
  if (unions.some((keyword) => keyword in root)) delete kept.additionalProperties;
  return kept;
}

/**
 * The allowed and required properties of an object: the different schemas of each property by their text, and the
 * required names.
 */
interface Shape {
  properties: Map<string, Map<string, unknown>>;
  required: Set<string>;
}

/** Reads the branches of one schema; the read values are bounded, because references can lead anywhere. */
class Flattening {
  readonly #root: JsonObject;
  #left = 5_000;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  shapeOf(schema: JsonObject, depth: number): Shape {
    const shape: Shape = { properties: new Map(), required: new Set() };
    this.#left -= 1;
    if (depth > MAX_DEPTH || this.#left < 0) return shape;
    const target = typeof schema.$ref === "string" ? resolved(schema.$ref, this.#root) : null;
    if (target !== null) this.#add(shape, this.shapeOf(target, depth + 1));
    if (isObject(schema.properties)) {
      for (const [name, property] of Object.entries(schema.properties)) {
        this.#left -= 1;
        if (this.#left < 0) break;
        schemasOf(shape, name).set(printJson(property), property);
      }
    }
    if (Array.isArray(schema.required))
      for (const name of schema.required) if (typeof name === "string") shape.required.add(name);
    for (const keyword of unions) {
      const branches: unknown = schema[keyword];
      if (!Array.isArray(branches)) continue;
      const shapes = branches.filter(isObject).map((branch) => this.shapeOf(branch, depth + 1));
      for (const branch of shapes) this.#add(shape, branch, keyword === "allOf");
      if (keyword !== "allOf") for (const name of requiredOfAll(shapes)) shape.required.add(name);
    }
    return shape;
  }

  #add(shape: Shape, { properties, required }: Shape, isRequired = true): void {
    for (const [name, schemas] of properties) {
      const known = schemasOf(shape, name);
      for (const [text, schema] of schemas) known.set(text, schema);
    }
    if (isRequired) for (const name of required) shape.required.add(name);
  }
}

function schemasOf({ properties }: Shape, name: string): Map<string, unknown> {
  const known = properties.get(name) ?? new Map<string, unknown>();
  properties.set(name, known);
  return known;
}

function requiredOfAll([first, ...others]: readonly Shape[]): string[] {
  return [...(first?.required ?? [])].filter((name) => others.every(({ required }) => required.has(name)));
}

/** The schema that a reference within the document names; null for any other. */
function resolved(ref: string, root: JsonObject): JsonObject | null {
  if (!ref.startsWith("#/")) return null;
  let found: unknown = root;
  for (const step of ref.slice(2).split("/"))
    found = isObject(found) ? rowOf(found, step.replaceAll("~1", "/").replaceAll("~0", "~")) : null;
  return isObject(found) ? found : null;
}
