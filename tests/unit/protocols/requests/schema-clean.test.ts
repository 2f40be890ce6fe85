import { describe, expect, it } from "vitest";
import { cleanSchema, isFullyRequired } from "@/lib/protocols/passes/schema-clean";

const text = { type: "string" };

describe("cleanSchema", () => {
  it("closes objects at every depth and keeps definitions, enums and constants", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        a: { $ref: "#/$defs/A" },
        b: { type: "array", items: { type: "object", properties: { c: { const: 1 } }, required: ["c"] } },
      },
      required: ["a", "b"],
      $defs: { A: { type: "object", properties: { d: { enum: ["x"] } }, required: ["d"] } },
    };
    expect(cleanSchema(schema)).toEqual({
      type: "object",
      additionalProperties: false,
      properties: {
        a: { $ref: "#/$defs/A" },
        b: {
          type: "array",
          items: {
            type: "object",
            additionalProperties: false,
            properties: { c: { const: 1 } },
            required: ["c"],
          },
        },
      },
      required: ["a", "b"],
      $defs: {
        A: {
          type: "object",
          additionalProperties: false,
          properties: { d: { enum: ["x"] } },
          required: ["d"],
        },
      },
    });
  });

  it("moves bounds into the description behind what is there", () => {
    expect(cleanSchema({ type: "integer", minimum: 1, maximum: 5, description: "Stars" })).toEqual({
      type: "integer",
      description: "Stars {minimum: 1, maximum: 5}",
    });
    expect(cleanSchema({ ...text, format: "date" })).toEqual({ ...text, format: "date" });
    expect(cleanSchema({ ...text, format: "color" })).toEqual({ ...text, description: '{format: "color"}' });
  });

  it("leaves a property alone that is named like a keyword", () => {
    const schema = {
      type: "object",
      properties: { minimum: text, oneOf: text },
      required: ["minimum", "oneOf"],
    };
    expect(cleanSchema(schema)).toEqual({ ...schema, additionalProperties: false });
  });

  it.each([
    ["recursion", { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] }],
    [
      "recursion through definitions",
      {
        $ref: "#/$defs/A",
        $defs: { A: { type: "object", properties: { a: { $ref: "#/$defs/A" } }, required: ["a"] } },
      },
    ],
    ["an open map", { type: "object", additionalProperties: text }],
    ["an object of anything", { type: "object" }],
    [
      "a nested open map",
      { type: "object", properties: { a: { type: "object", additionalProperties: true } }, required: ["a"] },
    ],
    [
      "eleven optional properties",
      { type: "object", properties: Object.fromEntries([..."abcdefghijk"].map((name) => [name, text])) },
    ],
  ])("gives up on %s", (_reason, schema) => {
    expect(cleanSchema(schema)).toBeNull();
  });

  it("does not change the schema it was given", () => {
    const schema = { type: "object", properties: { a: { ...text, minLength: 1 } }, required: ["a"] };
    const before = structuredClone(schema);
    cleanSchema(schema);
    expect(schema).toEqual(before);
  });
});

describe("isFullyRequired", () => {
  it("wants every object closed and every property required, nested ones too", () => {
    const inner = { type: "object", properties: { b: text }, required: ["b"], additionalProperties: false };
    const outer = (child: object) => ({
      type: "object",
      properties: { a: child },
      required: ["a"],
      additionalProperties: false,
    });
    expect(isFullyRequired(outer(inner))).toBe(true);
    expect(isFullyRequired(outer({ ...inner, required: [] }))).toBe(false);
    expect(isFullyRequired({ properties: { a: text } })).toBe(false);
    expect(isFullyRequired({ type: "object" })).toBe(false);
    expect(isFullyRequired({ ...outer(inner), additionalProperties: undefined })).toBe(false);
  });
});
