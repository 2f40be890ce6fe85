import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { protocols } from "@/lib/protocols/registry";
import { prepareFor, validated } from "./support";

const schema = { type: "object", properties: { id: { type: "integer" } } };
const ownForm = (body: JsonObject) => protocols.chat.ownForm?.(body) ?? null;
const hi = [{ role: "user", content: "hi" }];

/** Source: docs/protocols.md#s16-1. */
describe("a body at the chat path", () => {
  test("in the form of Responses is one of chat, on nodes of every protocol", () => {
    const form = ownForm({
      model: "a",
      stream: true,
      instructions: "Be brief.",
      input: [
        { role: "system", content: "s" },
        {
          role: "user",
          content: [
            { type: "input_text", text: "look" },
            { type: "input_image", image_url: "https://example.com/a.png", detail: "high" },
          ],
        },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "a" }] },
        { type: "function_call", call_id: "call_1", name: "go", arguments: "{}" },
        { type: "custom_tool_call", call_id: "call_2", name: "patch", input: "x" },
        { type: "function_call_output", call_id: "call_1", output: "done" },
        { type: "custom_tool_call_output", call_id: "call_2", output: [{ type: "input_text", text: "b" }] },
      ],
      tools: [{ type: "function", name: "go", parameters: schema, strict: false }],
      max_output_tokens: 90,
      reasoning: { effort: "low", summary: "auto" },
      text: { format: { type: "json_schema", name: "s", schema }, verbosity: "low" },
      store: false,
      include: ["reasoning.encrypted_content"],
    });
    const calls = [
      { id: "call_1", type: "function", function: { name: "go", arguments: "{}" } },
      { id: "call_2", type: "custom", custom: { name: "patch", input: "x" } },
    ];
    const image_url = { url: "https://example.com/a.png", detail: "high" };
    expect(form?.losses).toEqual(["dropped:reasoning"]);
    expect(form?.body).toEqual({
      model: "a",
      stream: true,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "system", content: "s" },
        {
          role: "user",
          content: [
            { type: "text", text: "look" },
            { type: "image_url", image_url },
          ],
        },
        { role: "assistant", content: [{ type: "text", text: "a" }], tool_calls: calls },
        { role: "tool", tool_call_id: "call_1", content: "done" },
        { role: "tool", tool_call_id: "call_2", content: [{ type: "text", text: "b" }] },
      ],
      tools: [{ type: "function", function: { name: "go", parameters: schema, strict: false } }],
      max_completion_tokens: 90,
      reasoning_effort: "low",
      verbosity: "low",
      response_format: { type: "json_schema", json_schema: { name: "s", schema } },
    });
    for (const upstreamProtocol of ["chat", "messages", "responses"] as const) {
      const { body } = prepareFor(validated(form?.body, "chat"), { upstreamProtocol });
      expect(JSON.stringify(body)).toContain("https://example.com/a.png");
    }
    const referred = [
      { role: "user", content: "hi" },
      { type: "item_reference", id: "x" },
    ];
    expect(ownForm({ model: "a", input: referred, top_logprobs: 2 })).toEqual({
      body: { model: "a", messages: hi, top_logprobs: 2, logprobs: true },
      losses: ["dropped:item_reference"],
    });
    expect(ownForm({ model: "a", input: "hi" })?.body).toEqual({ model: "a", messages: hi });
  });

  test.each(["previous_response_id", "conversation"])(
    "that refers to an earlier answer by %s is refused",
    (field) => {
      expect(() => ownForm({ model: "a", input: "hi", [field]: "x" })).toThrow(field);
    },
  );

  test.each(["hi", null, 1])("with %j in place of an item is refused", (item) => {
    expect(() => ownForm({ model: "a", input: [...hi, item] })).toThrow("input.1");
  });

  test("has tools in the form of chat, whatever form they came in", () => {
    const format = { type: "grammar", syntax: "lark", definition: "start: /x/" };
    const tools = [
      { type: "function", name: "go", description: "d", parameters: schema },
      { type: "custom", name: "patch", format },
      { name: "look", input_schema: schema },
      { type: "web_search" },
    ];
    const { type, ...grammar } = format;
    expect(ownForm({ messages: hi, tools, tool_choice: { type: "function", name: "go" } })?.body).toEqual({
      messages: hi,
      tools: [
        { type: "function", function: { name: "go", description: "d", parameters: schema } },
        { type: "custom", custom: { name: "patch", format: { type, grammar } } },
        { type: "function", function: { name: "look", parameters: schema } },
        { type: "web_search" },
      ],
      tool_choice: { type: "function", function: { name: "go" } },
    });
    expect(
      ownForm({ messages: hi, tool_choice: { type: "auto", disable_parallel_tool_use: true } })?.body,
    ).toEqual({ messages: hi, tool_choice: "auto", parallel_tool_calls: false });
    const choice = (tool_choice: unknown) => ownForm({ messages: hi, tool_choice })?.body.tool_choice;
    expect(choice({ type: "any" })).toBe("required");
    expect(
      choice({ type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "go" }] }),
    ).toEqual({
      type: "allowed_tools",
      allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "go" } }] },
    });
    expect(choice({ type: "tool", name: "go" })).toEqual({ type: "function", function: { name: "go" } });
    expect(choice({ type: "custom", name: "go" })).toEqual({ type: "custom", custom: { name: "go" } });
  });

  test("in its own form stays the very same", () => {
    const own = { type: "function", function: { name: "go", parameters: schema } };
    const named = { type: "function", function: { name: "go" } };
    expect(
      ownForm({ messages: hi, tools: [own, { type: "custom", custom: { name: "x" } }], tool_choice: named }),
    ).toBeNull();
    expect(ownForm({ messages: hi, input: "x" })).toBeNull();
    expect(ownForm({ model: "a", messages: hi, tool_choice: "auto" })).toBeNull();
  });
});
