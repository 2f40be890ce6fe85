import { describe, expect, it } from "vitest";
import { profileFor } from "@/lib/protocols/profiles/families";
import { mayReason } from "@/lib/protocols/profiles/profile";
import type { Protocol } from "@/lib/protocols/protocol";
import { type ContextChoice, prepareFor, validated } from "@/tests/unit/protocols/requests/support";

const thinker = { upstreamProtocol: "chat", upstreamModel: "o3" } as const;

function limitOf(choice: ContextChoice, fields: Record<string, unknown> = {}) {
  const body = validated({ model: "m", messages: [{ role: "user", content: "hi" }], ...fields }, "chat");
  const { maxTokens, limitChosen, losses } = prepareFor(body, choice);
  return { maxTokens, limitChosen, losses };
}

/** Source: docs/contract.md#b8. */
describe("the output limit of a chat request that names none", () => {
  it.each([
    ["32,768 for a model that thinks first", {}, 32_768],
    ["what the balance covers", { affordableOutput: 10_000 }, 10_000],
    ["4,096 at least, however little is left", { affordableOutput: 0 }, 4_096],
    ["never more than the alias gives", { maxOutputTokens: 9_000 }, 9_000],
    [
      "never more than the alias gives, not even the least",
      { maxOutputTokens: 700, affordableOutput: 0 },
      700,
    ],
    ["what the prompt leaves of the context", { contextLeft: 12_000 }, 12_000],
    ["4,096 at least, however little the prompt leaves", { contextLeft: -5 }, 4_096],
    ["the configured one, whatever the balance", { defaultMaxTokens: 50_000, affordableOutput: 0 }, 50_000],
    ["the configured one, also when it is the usual one", { defaultMaxTokens: 4_096 }, 4_096],
    ["the configured one up to what the alias gives", { defaultMaxTokens: 9_000, maxOutputTokens: 800 }, 800],
  ])("is %s, and the warning says the figure", (_, choice, expected) => {
    const { maxTokens, limitChosen, losses } = limitOf({ ...thinker, ...choice });
    expect(maxTokens).toBe(expected);
    expect(limitChosen).toBe(true);
    expect(losses).toEqual([`added:max_tokens:${expected}`]);
  });

  it("is that of each choice: the balance is to cover them all", () => {
    const choice = { ...thinker, affordableOutput: 30_000 };
    expect(limitOf(choice, { n: 3 })).toEqual({
      maxTokens: 30_000,
      limitChosen: true,
      losses: ["added:max_tokens:10000"],
    });
    expect(limitOf(choice, { n: 10 }).maxTokens).toBe(40_960);
  });

  it.each(["gpt-4o", "gpt-3.5-turbo", "some-model", "mistral-large-latest"])(
    "stays 4,096 for %s, which answers at once",
    (upstreamModel) => {
      expect(limitOf({ upstreamProtocol: "chat", upstreamModel }).maxTokens).toBe(4_096);
    },
  );

  it("is nobody's choice but the client's when it names one, clamped or not", () => {
    for (const fields of [{ max_tokens: 7 }, { max_completion_tokens: 7 }, { max_tokens: 900_000 }])
      expect(limitOf(thinker, fields).limitChosen).toBe(false);
    expect(limitOf(thinker, { max_tokens: 900_000 }).maxTokens).toBe(100_000);
  });

  it("holds for a chat client of a messages model too", () => {
    const claude = { upstreamModel: "claude-sonnet-5-5", affordableOutput: 20_000 };
    expect(limitOf(claude).maxTokens).toBe(20_000);
    expect(limitOf({ upstreamModel: "claude-3-haiku-20240307" }).maxTokens).toBe(4_096);
  });
});

describe("which models think first", () => {
  const chat = ["o3-mini", "gpt-5.2", "openai/gpt-oss-120b", "deepseek-reasoner", "deepseek-v4", "glm-4.6"];
  const moreChat = ["kimi-k2-thinking", "kimi-k2.5", "qwen3-235b-a22b", "gemini-2.5-pro", "gemini-3-flash"];
  const others = [
    "grok-4",
    "MiniMax-M2.5",
    "mimo-v2-flash",
    "anthropic/claude-sonnet-4.5",
    "magistral-medium",
  ];
  const messages = ["claude-sonnet-5-5", "claude-opus-4-1", "claude-3-7-sonnet-latest", "kimi-k2-thinking"];
  const plain = [
    "gpt-4.1",
    "gpt-5-chat-latest",
    "gemini-1.5-pro",
    "gemini-2.0-flash",
    "glm-4-plus",
    "kimi-k2-0905",
  ];
  const morePlain = [
    "moonshot-v1-8k",
    "qwen3-coder-plus",
    "qwen3-30b-a3b-instruct-2507",
    "mistral-large-latest",
  ];
  const rest = ["grok-4-fast-non-reasoning", "anthropic/claude-3-haiku", "llama-3.3-70b", "grok-2"];

  const all: [string, Protocol, boolean][] = [
    ...[...chat, ...moreChat, ...others].map((model): [string, Protocol, boolean] => [model, "chat", true]),
    ...messages.map((model): [string, Protocol, boolean] => [model, "messages", true]),
    ...[...plain, ...morePlain, ...rest].map((model): [string, Protocol, boolean] => [model, "chat", false]),
    ["claude-3-5-sonnet-latest", "messages", false],
    ["some-model", "messages", false],
  ];

  it.each(all)("%s on %s: %s", (model, protocol, expected) => {
    expect(mayReason(profileFor(model, protocol, {}))).toBe(expected);
  });

  it("the operator may say so", () => {
    for (const profile of [{ reasons: true }, { effortLevels: ["low"] }, { thinking: ["enabled"] }])
      expect(mayReason(profileFor("own-model", "chat", profile))).toBe(true);
  });
});
