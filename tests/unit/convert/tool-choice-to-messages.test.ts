import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/protocol/protocol";
import { type ContextChoice, prepareFor, refusalOf, validated } from "@/tests/unit/convert/support";

const tool = (name: string) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: {} } },
});

function convert(fields: JsonObject, choice: ContextChoice = {}) {
  const request = { model: "m", max_tokens: 4000, messages: [{ role: "user", content: "hi" }], ...fields };
  const compatibility = choice.compatibility ?? "standard";
  return prepareFor(validated(request, "chat", { compatibility }), choice);
}

const _budgetModel: ContextChoice = { upstreamModel: "claude-sonnet-4-5" };
const _adaptiveModel: ContextChoice = { upstreamModel: "claude-opus-4-6" };

describe("tool choice to a messages upstream", () => {
  it("EC-34: tool_choice none is sent without a parallel flag", () => {
    const prepared = convert({ tools: [tool("f")], tool_choice: "none", parallel_tool_calls: false });
    expect(prepared.body.tool_choice).toEqual({ type: "none" });
  });

  it("EC-35: tool_choice none is sent, and the tools stay", () => {
    const { body } = convert({ tools: [tool("f")], tool_choice: "none" });
    expect(body.tool_choice).toEqual({ type: "none" });
    expect(body.tools).toHaveLength(1);
  });

  it("EC-36: parallel_tool_calls false creates an automatic choice with the flag", () => {
    const { body } = convert({ tools: [tool("f")], parallel_tool_calls: false });
    expect(body.tool_choice).toEqual({ type: "auto", disable_parallel_tool_use: true });
  });

  it.each([
    ["auto", { type: "auto" }],
    ["required", { type: "any" }],
    ["any", { type: "any" }],
    ["f", { type: "tool", name: "f" }],
    [
      { type: "function", function: { name: "f" } },
      { type: "tool", name: "f" },
    ],
    [{ function: { name: "f" } }, { type: "tool", name: "f" }],
  ])("translates tool_choice %j", (choice, expected) => {
    expect(convert({ tools: [tool("f")], tool_choice: choice }).body.tool_choice).toEqual(expected);
  });

  it("offers only the allowed tools", () => {
    const allowed = { mode: "required", tools: [{ type: "function", function: { name: "g" } }] };
    const { body } = convert({
      tools: [tool("f"), tool("g")],
      tool_choice: { type: "allowed_tools", allowed_tools: allowed },
    });
    expect(body.tools).toMatchObject([{ name: "g" }]);
    expect(body.tool_choice).toEqual({ type: "any" });
  });

  it("refuses a choice that names no tool of the request", () => {
    expect(refusalOf(() => convert({ tools: [tool("f")], tool_choice: "g" })).details.param).toBe(
      "tool_choice",
    );
    const named = { type: "function", function: { name: "g" } };
    expect(refusalOf(() => convert({ tools: [tool("f")], tool_choice: named })).details.param).toBe(
      "tool_choice.function.name",
    );
  });
});
