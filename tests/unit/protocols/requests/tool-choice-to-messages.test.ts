import { describe, expect, it } from "vitest";
import { bareTool, refusalOf } from "@/tests/unit/protocols/requests/support";
import { toMessages } from "@/tests/unit/protocols/requests/tool-support";

describe("tool choice to a messages upstream", () => {
  it("EC-34: tool_choice none is sent without a parallel flag", () => {
    const prepared = toMessages({ tools: [bareTool("f")], tool_choice: "none", parallel_tool_calls: false });
    expect(prepared.body.tool_choice).toEqual({ type: "none" });
  });

  it("EC-35: tool_choice none is sent, and the tools stay", () => {
    const { body } = toMessages({ tools: [bareTool("f")], tool_choice: "none" });
    expect(body.tool_choice).toEqual({ type: "none" });
    expect(body.tools).toHaveLength(1);
  });

  it("EC-36: parallel_tool_calls false creates an automatic choice with the flag", () => {
    const { body } = toMessages({ tools: [bareTool("f")], parallel_tool_calls: false });
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
    expect(toMessages({ tools: [bareTool("f")], tool_choice: choice }).body.tool_choice).toEqual(expected);
  });

  it("offers only the allowed tools", () => {
    const allowed = { mode: "required", tools: [{ type: "function", function: { name: "g" } }] };
    const { body } = toMessages({
      tools: [bareTool("f"), bareTool("g")],
      tool_choice: { type: "allowed_tools", allowed_tools: allowed },
    });
    expect(body.tools).toMatchObject([{ name: "g" }]);
    expect(body.tool_choice).toEqual({ type: "any" });
  });

  it("refuses a choice that names no tool of the request", () => {
    expect(refusalOf(() => toMessages({ tools: [bareTool("f")], tool_choice: "g" })).details.param).toBe(
      "tool_choice",
    );
    const named = { type: "function", function: { name: "g" } };
    expect(refusalOf(() => toMessages({ tools: [bareTool("f")], tool_choice: named })).details.param).toBe(
      "tool_choice.function.name",
    );
  });
});
