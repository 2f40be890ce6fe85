import { describe, expect, it } from "vitest";
import { refusalOf } from "@/tests/unit/protocols/requests/support";
import { blocks, chatLoop, definition, toMessages } from "@/tests/unit/protocols/requests/tool-support";

describe("tool definitions for a messages upstream", () => {
  it("EC-55: a function without parameters gets an empty object schema", () => {
    for (const rest of [{}, { parameters: null }, { parameters: {} }]) {
      expect(toMessages({ tools: [definition("f", rest)] }).body.tools).toEqual([
        { name: "f", input_schema: { type: "object", properties: {} } },
      ]);
    }
  });

  it("EC-56: the whole schema goes over, definitions and all", () => {
    const parameters = {
      properties: { a: { $ref: "#/$defs/A" } },
      $defs: { A: { type: "string" } },
      additionalProperties: false,
    };
    const { body } = toMessages({ tools: [definition("f", { parameters, description: "d" })] });
    expect(body.tools).toEqual([
      { name: "f", description: "d", input_schema: { type: "object", ...parameters } },
    ]);
  });

  it("EC-57: empty arguments in a history are an empty object", () => {
    const { body } = toMessages({ messages: chatLoop([{ id: "x", args: "" }]) });
    expect(blocks(body)[1]).toMatchObject({ type: "tool_use", input: {} });
  });

  it("EC-58: broken arguments are kept whole under a key of their own, with a warning", () => {
    const prepared = toMessages({ messages: chatLoop([{ id: "x", args: '{"a":' }]) });
    expect(blocks(prepared.body)[1]).toMatchObject({ input: { _raw_arguments: '{"a":' } });
    expect(prepared.losses).toContain("changed:tool_calls.arguments");
  });

  it.each(["[1]", '"x"', "null", "7"])("EC-59: arguments %s are wrapped into an object", (args) => {
    const { body } = toMessages({ messages: chatLoop([{ id: "x", args }]) });
    expect(blocks(body)[1]).toMatchObject({ input: { _raw_arguments: args } });
  });

  it("EC-69: a custom tool becomes a function whose only argument is the text", () => {
    const grammar = { syntax: "lark", definition: "start: /a+/" };
    const custom = { name: "g", description: "G", format: { type: "grammar", grammar } };
    const called = { id: "x", type: "custom", custom: { name: "g", input: 'a"\n' } };
    const prepared = toMessages({
      tools: [definition("f"), { type: "custom", custom }],
      tool_choice: { type: "custom", custom: { name: "g" } },
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: null, tool_calls: [called] },
        { role: "tool", tool_call_id: "x", content: "ok" },
      ],
    });
    expect(prepared.wrappedTools).toEqual(new Set(["g"]));
    expect(prepared.body.tools).toContainEqual({
      name: "g",
      description: "G\n\nInput format (lark):\nstart: /a+/",
      input_schema: expect.objectContaining({ required: ["input"] }),
    });
    expect(prepared.body.tool_choice).toEqual({ type: "tool", name: "g" });
    expect(JSON.stringify(prepared.body.messages)).toContain(JSON.stringify({ input: 'a"\n' }));
  });

  it("EC-70: calls in a history without tools get minimal definitions that the model may not use", () => {
    const prepared = toMessages({ messages: chatLoop([{ id: "x" }, { id: "y" }, { id: "z", name: "g" }]) });
    expect(prepared.body.tools).toEqual([
      { name: "f", input_schema: { type: "object" } },
      { name: "g", input_schema: { type: "object" } },
    ]);
    expect(prepared.body.tool_choice).toEqual({ type: "none" });
    expect(prepared.losses).toContain("added:tools");
  });

  it("keeps strict only for a closed schema on a model with structured output", () => {
    const parameters = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    };
    const fields = { tools: [definition("f", { parameters, strict: true })] };
    expect(toMessages(fields, { upstreamModel: "claude-sonnet-4-5" }).body.tools).toMatchObject([
      { strict: true },
    ]);
    const without = toMessages(fields);
    expect(without.body.tools).toEqual([{ name: "f", input_schema: parameters }]);
    expect(without.losses).toEqual(["dropped:tools[0].function.strict"]);
  });

  it("accepts a tool without a type and refuses tools beside functions", () => {
    expect(toMessages({ tools: [{ function: { name: "f" } }] }).body.tools).toMatchObject([{ name: "f" }]);
    const both = { tools: [definition("f")], functions: [{ name: "g" }] };
    expect(refusalOf(() => toMessages(both)).details.param).toBe("functions");
  });

  it("sends neither tools nor a choice for an empty list", () => {
    expect(Object.keys(toMessages({ tools: [], tool_choice: "auto" }).body)).toEqual([
      "model",
      "max_tokens",
      "messages",
    ]);
  });
});
