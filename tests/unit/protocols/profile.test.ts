import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject } from "@/lib/kernel/json-object";
import { knownOf, profileFor } from "@/lib/protocols/profiles/families";
import { capabilitiesOf, profileOverrides, unknownModel } from "@/lib/protocols/profiles/profile";

const DOCUMENT = "docs/protocols.md";
const BEGIN = "<!-- profile: begin -->\n";
const END = "<!-- profile: end -->";

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

  it.each([
    ["gpt-5.2", "chat", ["images", "json", "tools", "reasoning"]],
    ["gpt-4o-audio-preview", "chat", []],
    ["claude-sonnet-4-5", "messages", ["images", "json", "tools", "reasoning"]],
    ["claude-2.1", "messages", []],
    ["deepseek-chat", "chat", ["tools", "reasoning"]],
    ["sim-chat", "chat", ["images", "json", "tools"]],
    ["some-model", "messages", []],
  ] as const)("tells users of %s on %s only what is known", (model, protocol, expected) => {
    expect(capabilitiesOf(knownOf(model, protocol, {}))).toEqual(expected);
  });

  it("tells users what an alias says of its model", () => {
    const own = { imagesIn: true, tools: false, reasons: true };
    expect(capabilitiesOf(knownOf("some-model", "chat", own))).toEqual(["images", "reasoning"]);
  });

  it("refuses overrides nobody knows or of the wrong kind", () => {
    expect(profileOverrides.safeParse({ maxOutptu: 5 }).success).toBe(false);
    expect(profileOverrides.safeParse({ maxOutput: "5" }).success).toBe(false);
    expect(() => profileFor("m", "chat", { sampling: "some" })).toThrow();
  });
});

/** The comment of each field in profile.ts, with its sources apart. */
const documented = [
  ...readFileSync("lib/protocols/profiles/profile.ts", "utf8").matchAll(
    /^ {2}\/\*\*(.+?)Sourc[e]: (.+?)\.\s+\*\/\n {2}(\w+): z\./gms,
  ),
].map(([, text = "", sources = "", flag = ""]) => ({ flag, text: joined(text), sources: joined(sources) }));

it("every field of the profile says what it means and which rules use it", () => {
  expect(documented.map(({ flag }) => flag)).toEqual(Object.keys(unknownModel.chat));
});

it("the document of protocols has every field of the profile", () => {
  const document = readFileSync(DOCUMENT, "utf8");
  const from = document.indexOf(BEGIN);
  const to = document.indexOf(END);
  expect(from, `${DOCUMENT} holds ${BEGIN}`).toBeGreaterThan(0);
  if (process.env.UPDATE_DOCS === "1") {
    writeFileSync(DOCUMENT, document.slice(0, from + BEGIN.length) + table() + document.slice(to));
    return;
  }
  expect(
    document.slice(from + BEGIN.length, to),
    "run UPDATE_DOCS=1 npx vitest run tests/unit/protocols/profile.test.ts",
  ).toBe(table());
});

function joined(lines: string): string {
  return lines
    .replace(/\n\s*\*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function table(): string {
  const rows = documented.map(({ flag, text, sources }) => {
    const cells = [
      `\`${flag}\`${choicesOf(flag)}`,
      defaultOf(flag),
      text.replace(/\.$/, ""),
      rulesOf(sources),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return ["| Flag | Default | Meaning | Rules |", "|---|---|---|---|", ...rows, ""].join("\n");
}

const properties: JsonObject = z.toJSONSchema(profileOverrides).properties ?? {};

/** The words that a flag may hold. */
function choicesOf(flag: string): string {
  const words = /"enum":\[([^\]]+)\]/.exec(JSON.stringify(properties[flag]))?.[1];
  return words === undefined ? "" : `: ${words.replaceAll('"', "").split(",").join(", ")}`;
}

function defaultOf(flag: string): string {
  const [chat, messages] = [unknownModel.chat, unknownModel.messages].map((profile: JsonObject) =>
    JSON.stringify(profile[flag]).replaceAll('"', ""),
  );
  return chat === messages ? `${chat}` : `chat ${chat}, messages ${messages}`;
}

function rulesOf(sources: string): string {
  const rules = sources.replaceAll("docs/protocols.md#", "#").split(", ");
  return rules.map((rule) => `[${ruleName(rule)}](${rule.replace(/^docs\//, "")})`).join(", ");
}

/** `#s4-1` is section 4.1, `docs/contract.md#b8` rule B8 of the contract. */
function ruleName(rule: string): string {
  const [file = "", anchor = ""] = rule.split("#");
  const name = /^s\d/.test(anchor) ? anchor.slice(1).replaceAll("-", ".") : anchor.toUpperCase();
  return file === "" ? name : `contract ${name}`;
}
