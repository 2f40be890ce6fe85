import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { Losses } from "@/lib/protocols/generation/losses";
import { toolSchema } from "@/lib/protocols/passes/tool-schema";
import type { Protocol } from "@/lib/protocols/protocol";
import { prepareFor, validated } from "@/tests/unit/protocols/requests/support";

const protocols: readonly Protocol[] = ["chat", "messages", "responses"];
const crossings = protocols.flatMap((client) =>
  protocols.filter((node) => node !== client).map((node) => [client, node] as const),
);

function bodyOf(client: Protocol, schema: JsonObject): JsonObject {
  const turns = [{ role: "user", content: "hi" }];
  if (client === "chat")
    return {
      messages: turns,
      max_tokens: 9,
      tools: [{ type: "function", function: { name: "f", parameters: schema } }],
    };
  if (client === "messages")
    return { messages: turns, max_tokens: 9, tools: [{ name: "f", input_schema: schema }] };
  return { input: turns, tools: [{ type: "function", name: "f", parameters: schema, strict: false }] };
}

function sent(client: Protocol, node: Protocol, schema: JsonObject) {
  const body = validated({ model: "m", ...bodyOf(client, schema) }, client);
  const prepared = prepareFor(body, { clientProtocol: client, upstreamProtocol: node });
  const [tool = {}] = prepared.body.tools as JsonObject[];
  const found =
    node === "chat" ? (tool.function as JsonObject).parameters : (tool.input_schema ?? tool.parameters);
  return { schema: found as JsonObject, losses: prepared.losses };
}

/** Source: docs/protocols.md#s4-5-1. */
describe.each(crossings)("a tool of a %s client on a %s node", (client, node) => {
  it("has no keyword that is null, at any depth, and properties of such names stay", () => {
    const { schema, losses } = sent(client, node, {
      type: "object",
      required: null,
      properties: {
        required: { type: "object", properties: null, description: null },
        none: null,
        list: { type: "array", items: { type: "object", required: null, default: null, enum: [null, {}] } },
      },
      $defs: null,
    });
    expect(schema).toEqual({
      type: "object",
      properties: {
        required: { type: "object" },
        none: {},
        list: { type: "array", items: { type: "object", default: null, enum: [null, {}] } },
      },
    });
    expect(losses.filter((code) => code.startsWith("changed"))).toEqual([]);
  });

  it("has one object in place of a union at the root, which is told", () => {
    const { schema, losses } = sent(client, node, {
      description: "Changes a file.",
      oneOf: [
        {
          type: "object",
          properties: { mode: { const: "create" }, name: { type: "string" } },
          required: ["mode", "name"],
        },
        { $ref: "#/$defs/delete" },
      ],
      $defs: {
        delete: {
          properties: { mode: { const: "delete" }, id: { type: "string" } },
          required: ["mode", "id"],
        },
      },
    });
    expect(schema).toMatchObject({
      type: "object",
      properties: {
        mode: { anyOf: [{ const: "create" }, { const: "delete" }] },
        name: { type: "string" },
        id: { type: "string" },
      },
      required: ["mode"],
    });
    expect(schema.description).toMatch(/^Changes a file\.\nThe arguments must also match: \{"oneOf":\[/);
    expect(losses.filter((code) => code.startsWith("changed:tools[0]"))).toHaveLength(1);
  });
});

describe("the schema of a tool", () => {
  const losses = () => new Losses();
  const of = (parameters: JsonObject, told = losses()) =>
    toolSchema(
      {
        kind: "function",
        name: "f",
        description: null,
        parameters,
        strict: false,
        source: "tools[0]",
        cache: undefined,
      },
      told,
    );

  it("is the very same object where nothing has to change", () => {
    const schema = { type: "object", properties: { a: { anyOf: [{ type: "string" }] } }, required: ["a"] };
    expect(of(schema)).toBe(schema);
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      "requires what all parts require where all must match",
      {
        allOf: [
          { properties: { a: {} }, required: ["a"] },
          { properties: { b: {} }, required: ["b"] },
        ],
      },
      { properties: { a: {}, b: {} }, required: ["a", "b"] },
    ],
    [
      "keeps what stands beside the union",
      { properties: { a: {}, b: {} }, required: ["c"], anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      { properties: { a: {}, b: {} }, required: ["c"] },
    ],
    ["loses a list of values and a negation", { enum: [{}], not: { required: ["a"] } }, { properties: {} }],
  ])("%s", (_, schema, wanted) => {
    expect(of(schema)).toMatchObject({ type: "object", ...wanted });
  });

  it("is bounded where references lead in circles", () => {
    const branches = Array.from({ length: 50 }, () => ({ $ref: "#/$defs/a" }));
    const schema = of({ anyOf: branches, $defs: { a: { anyOf: branches, properties: { x: {} } } } });
    expect(schema).toMatchObject({ type: "object", properties: { x: {} } });
  });

  it("has no union at its root and no null keyword, whatever came", () => {
    const { tree } = fc.letrec((tie) => ({
      leaf: fc.constantFrom<unknown>(
        null,
        true,
        {},
        { type: "string" },
        { const: null },
        { $ref: "#/$defs/x" },
        [],
      ),
      tree: fc.oneof({ maxDepth: 4 }, tie("leaf"), tie("schema")),
      schema: fc.record(
        {
          type: fc.constantFrom<unknown>("object", null, ["object", "null"]),
          properties: fc.oneof(
            fc.constant(null),
            fc.dictionary(fc.constantFrom("a", "required", "__proto__"), tie("tree")),
          ),
          required: fc.constantFrom<unknown>(null, [], ["a"], [null]),
          anyOf: fc.array(tie("tree"), { maxLength: 3 }),
          allOf: fc.array(tie("tree"), { maxLength: 3 }),
          items: tie("tree"),
        },
        { requiredKeys: [] },
      ),
    }));
    fc.assert(
      fc.property(tree, (schema) => {
        if (!isObject(schema)) return;
        const cleaned = of(schema) ?? {};
        for (const keyword of ["anyOf", "oneOf", "allOf"]) expect(cleaned).not.toHaveProperty(keyword);
        const { description: _told, ...rest } = cleaned;
        expect(JSON.stringify(rest)).not.toMatch(/"(?:items|type)":null/);
      }),
    );
  });
});
