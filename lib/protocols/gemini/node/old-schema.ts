import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { Losses } from "@/lib/protocols/generation/losses";
import { nodeSchema } from "./schema";

/** The keywords of the older form; any other one makes a node refuse the whole request. */
const known: ReadonlySet<string> = new Set([
  "type",
  "format",
  "title",
  "description",
  "nullable",
  "enum",
  "items",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "anyOf",
  "properties",
  "required",
  "propertyOrdering",
]);

/** Keywords that only name places of a schema. */
const silent: ReadonlySet<string> = new Set(["$id", "$anchor", "$defs"]);

/**
 * A JSON schema in the older form, for nodes without fields for JSON schemas: one type, `nullable`, texts as `enum`, and
 * no references. What cannot be said so is left out and told as `schema:<keyword>`. Source: docs/gemini.md#schemas.
 */
export function oldSchema(schema: JsonObject, losses: Losses): JsonObject {
  const root = nodeSchema(schema, losses);
  return new OldSchemas(isObject(root.$defs) ? root.$defs : {}, losses).write(root, []);
}

class OldSchemas {
  readonly #definitions: JsonObject;
  readonly #losses: Losses;

  constructor(definitions: JsonObject, losses: Losses) {
    this.#definitions = definitions;
    this.#losses = losses;
  }

  /** `open`: the references that this schema stands in. */
  write(schema: JsonObject, open: readonly string[]): JsonObject {
    if (typeof schema.$ref === "string") return this.#inPlaceOf(schema.$ref, open);
    const written: JsonObject = {};
    for (const [keyword, value] of Object.entries(inOlderWords(schema))) {
      if (known.has(keyword)) written[keyword] = this.#cleaned(keyword, value, open);
      else if (!silent.has(keyword)) this.#losses.add(`schema:${keyword}`);
    }
    return this.#withTexts(written);
  }

  /** A schema that refers to itself, or to nothing, ends in any object. */
  #inPlaceOf(reference: string, open: readonly string[]): JsonObject {
    const definition = this.#definitions[reference.replace(/^#\/\$defs\//, "")];
    if (isObject(definition) && !open.includes(reference))
      return this.write(definition, [...open, reference]);
    this.#losses.add("schema:$ref");
    return { type: "object" };
  }

  #cleaned(keyword: string, value: unknown, open: readonly string[]): unknown {
    const inner = (one: unknown) => (isObject(one) ? this.write(one, open) : { type: "object" });
    if (keyword === "items") return inner(value);
    if (keyword === "anyOf" && Array.isArray(value)) return value.map(inner);
    if (keyword === "properties" && isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]));
    return value;
  }

  /** Only texts can be enumerated. */
  #withTexts({ enum: allowed, ...schema }: JsonObject): JsonObject {
    if (!Array.isArray(allowed)) return schema;
    const values = allowed.filter((value) => value !== null);
    if (values.length > 0 && values.every((value) => typeof value === "string"))
      return { ...schema, ...(values.length < allowed.length && { nullable: true }), enum: values };
    this.#losses.add("schema:enum");
    return schema;
  }
}

/** Several types become alternatives, and null a switch. */
function inOlderWords({ oneOf, ...schema }: JsonObject): JsonObject {
  const written: JsonObject = { ...schema };
  if (oneOf !== undefined && written.anyOf === undefined) written.anyOf = oneOf;
  if (!Array.isArray(written.type)) return written;
  const types = written.type.filter((type) => type !== "null");
  if (types.length < written.type.length) written.nullable = true;
  delete written.type;
  if (types.length === 1) written.type = types[0];
  else if (types.length > 1 && written.anyOf === undefined) written.anyOf = types.map((type) => ({ type }));
  return written;
}
