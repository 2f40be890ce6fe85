import { describe, expect, it } from "vitest";
import { profileFor } from "@/lib/protocols/profiles/families";
import { profileOverrides } from "@/lib/protocols/profiles/profile";

describe("profileFor", () => {
  it("gives an unknown model the defaults of its protocol", () => {
    expect(profileFor("demo", "chat", {})).toMatchObject({
      maxOutput: 8192,
      sampling: "full",
      stopMax: 4,
      toolNameMax: 64,
      thinking: [],
    });
    expect(profileFor("demo", "messages", {})).toMatchObject({
      maxOutput: 8192,
      tempMax: 1,
      midSystem: "user",
      structuredOutput: false,
    });
  });

  it.each([
    [
      "claude-sonnet-5-5",
      { sampling: "none", forcedTool: false, thinking: ["adaptive", "between_tools"], maxOutput: 128_000 },
    ],
    ["claude-opus-5-5", { sampling: "none", forcedTool: false, thinking: ["adaptive"] }],
    ["claude-haiku-5-5-20261001", { sampling: "none", forcedTool: true, thinking: ["adaptive", "disabled"] }],
    ["claude-opus-5", { sampling: "none", forcedTool: true, thinking: ["enabled", "adaptive", "disabled"] }],
    ["claude-fable-5", { sampling: "none", forcedTool: true, thinking: ["adaptive"] }],
    ["claude-fable-5-1", { forcedTool: false }],
    ["claude-opus-4-8", { sampling: "none", maxOutput: 128_000, forcedTool: true, midSystem: "native" }],
    ["claude-opus-4-7", { thinking: ["adaptive", "disabled"] }],
    ["claude-sonnet-5", { sampling: "none", thinking: ["enabled", "adaptive", "disabled"] }],
    [
      "claude-opus-4-6",
      { sampling: "full", thinking: ["enabled", "adaptive", "disabled"], structuredOutput: true },
    ],
    [
      "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
      { maxOutput: 64_000, thinking: ["enabled", "disabled"], structuredOutput: true },
    ],
    ["claude-opus-4-1-20250805", { maxOutput: 32_000, structuredOutput: true }],
    ["claude-opus-4-20250514", { maxOutput: 32_000, structuredOutput: false }],
    ["claude-3-7-sonnet-latest", { maxOutput: 64_000, thinking: ["enabled", "disabled"] }],
    ["claude-3-5-haiku-latest", { maxOutput: 8192, thinking: [], prefill: true }],
  ])("knows %s", (model, expected) => {
    expect(profileFor(model, "messages", {})).toMatchObject(expected);
  });

  it.each([
    [
      "gpt-4o-mini",
      { maxOutput: 16_384, maxTokensField: "max_completion_tokens", sampling: "full", systemRole: "system" },
    ],
    [
      "gpt-5-mini",
      { sampling: "default-only", systemRole: "developer", toolsWithEffort: true, stopAllowed: false },
    ],
    ["openai/gpt-5.1", { samplingAtEffortNone: true, effortLevels: ["none", "low", "medium", "high"] }],
    ["gpt-5.4-mini", { toolsWithEffort: false }],
    ["gpt-6.1", { toolsWithEffort: false, samplingAtEffortNone: false }],
    ["gpt-5-chat-latest", { sampling: "full", stopAllowed: true }],
    ["gpt-35-turbo", { maxOutput: 4096, sampling: "full" }],
    ["o3-mini", { parallelFlag: false, sampling: "default-only" }],
    ["openai/gpt-oss-120b", { maxTokensField: "max_tokens", effortLevels: ["low", "medium", "high"] }],
    ["deepseek-reasoner", { reasoningEcho: "reasoning_content", maxOutput: 65_536 }],
    ["mistral-large-latest", { streamOptions: false, prefillField: "prefix" }],
    ["anthropic/claude-sonnet-4.6", { reasoningEcho: "reasoning_details" }],
  ])("knows %s on chat", (model, expected) => {
    expect(profileFor(model, "chat", {})).toMatchObject(expected);
  });

  it("lets an alias override single capabilities", () => {
    const profile = profileFor("claude-opus-4-6", "messages", { maxOutput: 5, sampling: "none" });
    expect(profile).toMatchObject({
      maxOutput: 5,
      sampling: "none",
      thinking: ["enabled", "adaptive", "disabled"],
    });
  });

  it("refuses overrides nobody knows or of the wrong kind", () => {
    expect(profileOverrides.safeParse({ maxOutptu: 5 }).success).toBe(false);
    expect(profileOverrides.safeParse({ maxOutput: "5" }).success).toBe(false);
    expect(() => profileFor("m", "chat", { sampling: "some" })).toThrow();
  });
});
