import { describe, expect, it } from "vitest";
import { bareTool, type ContextChoice, refusalOf } from "@/tests/unit/protocols/requests/support";
import { toMessages } from "@/tests/unit/protocols/requests/tool-support";

const budgetModel: ContextChoice = { upstreamModel: "claude-sonnet-4-5" };
const adaptiveModel: ContextChoice = { upstreamModel: "claude-opus-4-6" };

describe("reasoning parameters to a messages upstream", () => {
  it("EC-37: a forced call on a budget model takes the thinking that only an effort asked for away", () => {
    const prepared = toMessages(
      { tools: [bareTool("f")], tool_choice: "required", reasoning_effort: "high" },
      budgetModel,
    );
    expect(prepared.body).not.toHaveProperty("thinking");
    expect(prepared.body.tool_choice).toEqual({ type: "any" });
    expect(prepared.losses).toContain("dropped:reasoning_effort");
  });

  it("EC-37: explicit thinking stays and the forced call becomes automatic", () => {
    const thinking = { type: "enabled", budget_tokens: 2000 };
    const prepared = toMessages({ tools: [bareTool("f")], tool_choice: "f", thinking }, budgetModel);
    expect(prepared.body.thinking).toEqual(thinking);
    expect(prepared.body.tool_choice).toEqual({ type: "auto" });
    expect(prepared.losses).toContain("changed:tool_choice");
  });

  it("makes a forced call automatic for a model that knows none", () => {
    const prepared = toMessages(
      { tools: [bareTool("f")], tool_choice: "required" },
      { upstreamModel: "claude-opus-5-5" },
    );
    expect(prepared.body.tool_choice).toEqual({ type: "auto" });
    expect(prepared.losses).toContain("changed:tool_choice");
  });

  it("EC-41: effort none on a model that always thinks becomes between_tools", () => {
    const { body } = toMessages({ reasoning_effort: "none" }, { upstreamModel: "claude-sonnet-5-5" });
    expect(body.thinking).toEqual({ type: "between_tools" });
  });

  it("EC-41: effort none is disabled thinking where that exists, low effort where nothing else does", () => {
    expect(toMessages({ reasoning_effort: "none" }, adaptiveModel).body.thinking).toEqual({
      type: "disabled",
    });
    const always = toMessages({ reasoning_effort: "none" }, { upstreamModel: "claude-opus-5-5" });
    expect(always.body).not.toHaveProperty("thinking");
    expect(always.body.output_config).toEqual({ effort: "low" });
    expect(toMessages({ reasoning_effort: "none" }, budgetModel).body).not.toHaveProperty("thinking");
  });

  it("EC-42: a limit too small for a budget means no thinking, with a warning", () => {
    const prepared = toMessages({ reasoning_effort: "high", max_tokens: 800 }, budgetModel);
    expect(prepared.body).not.toHaveProperty("thinking");
    expect(prepared.body.max_tokens).toBe(800);
    expect(prepared.losses).toContain("dropped:reasoning_effort");
  });

  it.each([
    ["minimal", 1024],
    ["low", 1024],
    ["medium", 2048],
    ["high", 3999],
    ["max", 3999],
  ])("gives a budget model for effort %s a budget inside the limit", (effort, budget) => {
    const { body } = toMessages({ reasoning_effort: effort }, budgetModel);
    expect(body.thinking).toEqual({ type: "enabled", budget_tokens: budget });
  });

  it.each([
    ["minimal", "low"],
    ["high", "high"],
    ["xhigh", "high"],
    ["max", "max"],
  ])("gives an adaptive model for effort %s the nearest effort it knows", (effort, sent) => {
    const { body } = toMessages({ reasoning_effort: effort }, adaptiveModel);
    expect(body.thinking).toEqual({ type: "adaptive" });
    expect(body.output_config).toEqual({ effort: sent });
  });

  it("reads the other fields for reasoning, thinking first", () => {
    expect(toMessages({ reasoning: { effort: "low" } }, adaptiveModel).body.output_config).toEqual({
      effort: "low",
    });
    expect(toMessages({ reasoning: { max_tokens: 2000 } }, budgetModel).body.thinking).toEqual({
      type: "enabled",
      budget_tokens: 2000,
    });
    expect(
      toMessages({ reasoning: { effort: "high", enabled: false } }, adaptiveModel).body.thinking,
    ).toEqual({
      type: "disabled",
    });
    const both = toMessages(
      { thinking: { type: "enabled", budget_tokens: 1500 }, reasoning_effort: "high" },
      budgetModel,
    );
    expect(both.body.thinking).toEqual({ type: "enabled", budget_tokens: 1500 });
    expect(toMessages({ reasoning: { exclude: true } }).hideReasoning).toBe(true);
    expect(toMessages({ include_reasoning: false }).hideReasoning).toBe(true);
  });

  it("turns a budget into adaptive thinking, reported, for a model that takes no budgets", () => {
    const thinking = { type: "enabled", budget_tokens: 2000 };
    const prepared = toMessages({ thinking }, { upstreamModel: "claude-opus-4-7" });
    expect(prepared.body.thinking).toMatchObject({ type: "adaptive" });
    expect(prepared.losses).toEqual(["changed:thinking"]);
    expect(toMessages({ thinking }).losses).toEqual(["dropped:thinking"]);
  });

  it("asks models that hide their thinking for a summary, unless the client does not want it", () => {
    const hiding = { upstreamModel: "claude-opus-4-8" };
    expect(toMessages({ reasoning_effort: "high" }, hiding).body.thinking).toEqual({
      type: "adaptive",
      display: "summarized",
    });
    const excluded = toMessages({ reasoning: { effort: "high", exclude: true } }, hiding);
    expect(excluded.body.thinking).toEqual({ type: "adaptive" });
  });

  it("refuses an effort nobody knows and drops one the model has no use for", () => {
    expect(refusalOf(() => toMessages({ reasoning_effort: "huge" })).details.param).toBe("reasoning_effort");
    expect(toMessages({ reasoning_effort: "high" }).losses).toContain("dropped:reasoning_effort");
  });
});
