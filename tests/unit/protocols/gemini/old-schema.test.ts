import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { oldSchema } from "@/lib/protocols/gemini/node/old-schema";
import { Losses } from "@/lib/protocols/generation/losses";

/** The fields of a schema of the older form, and which of them hold schemas. */
const words = new Set(
  "type format title description nullable enum items minItems maxItems minimum maximum anyOf properties required propertyOrdering".split(
    " ",
  ),
);

function written(schema: JsonObject) {
  const losses = new Losses();
  return { schema: oldSchema(schema, losses), losses: losses.list() };
}

describe("the older form of a schema", () => {
  test("has references written out, and a cycle ends in any object", () => {
    const { schema, losses } = written({
      type: "object",
      properties: {
        first: { $ref: "#/$defs/leaf" },
        tree: { $ref: "#/definitions/tree" },
        none: { $ref: "#/x" },
      },
      $defs: { leaf: { type: "string", const: "a" } },
      definitions: { tree: { type: "object", properties: { left: { $ref: "#/definitions/tree" } } } },
    });
    expect(schema).toEqual({
      type: "object",
      properties: {
        first: { type: "string", enum: ["a"] },
        tree: { type: "object", properties: { left: { type: "object" } } },
        none: { type: "object" },
      },
    });
    expect(losses).toEqual(["schema:_ref"]);
  });

  test.each<[string, JsonObject, JsonObject, string[]]>([
    [
      "null",
      { type: ["string", "null"], enum: ["a", null] },
      { type: "string", nullable: true, enum: ["a"] },
      [],
    ],
    ["two types", { type: ["string", "integer"] }, { anyOf: [{ type: "string" }, { type: "integer" }] }, []],
    ["oneOf", { oneOf: [{ type: "string" }] }, { anyOf: [{ type: "string" }] }, []],
    ["numbers in enum", { type: "integer", enum: [1, 2] }, { type: "integer" }, ["schema:enum"]],
    [
      "additionalProperties",
      { type: "object", additionalProperties: false },
      { type: "object" },
      ["schema:additionalProperties"],
    ],
    ["one allOf", { allOf: [{ type: "string" }] }, { type: "string" }, []],
    [
      "items that are anything",
      { type: "array", items: true },
      { type: "array", items: { type: "object" } },
      [],
    ],
  ])("says %s in its own way", (_name, schema, expected, losses) => {
    expect(written(schema)).toEqual({ schema: expected, losses });
  });

  test("has no word of its own that nodes do not know, whatever comes", () => {
    const keyword = fc.constantFrom(
      ..."type enum const items prefixItems properties required anyOf oneOf allOf $ref $defs definitions additionalProperties patternProperties exclusiveMinimum pattern default not if $schema nullable examples".split(
        " ",
      ),
    );
    const { schema: anySchema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.dictionary(
        keyword,
        fc.oneof(
          { depthSize: "small" },
          fc.constantFrom("string", "#/$defs/type", "#/definitions/enum", true, 1),
          fc.array(fc.constantFrom("string", "null", "a", 1), { maxLength: 3 }),
          tie("schema"),
          fc.array(tie("schema"), { maxLength: 2 }),
        ),
        { maxKeys: 4 },
      ) as fc.Arbitrary<JsonObject>,
    }));
    fc.assert(
      fc.property(anySchema, (schema) => {
        const { schema: once } = written(schema);
        expect(unknownWords(once)).toEqual([]);
        expect(written(schema).schema).toEqual(once);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The keywords of a schema and those inside it that the older form does not have. */
function unknownWords(schema: JsonObject): string[] {
  const inner = [
    schema.items,
    ...(Array.isArray(schema.anyOf) ? schema.anyOf : []),
    ...(isObject(schema.properties) ? Object.values(schema.properties) : []),
  ];
  return [
    ...Object.keys(schema).filter((word) => !words.has(word)),
    ...inner.filter(isObject).flatMap(unknownWords),
  ];
}
