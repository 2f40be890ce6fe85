import type { z } from "zod";
import type { JsonObject } from "@/lib/kernel/json-object";
import { familyName } from "@/lib/protocols/profiles/model-name";
import {
  type Profile,
  type ProviderFact,
  profileOverrides,
  unknownModel,
} from "@/lib/protocols/profiles/profile";
import type { NodeProtocol } from "@/lib/protocols/protocol";

/** The differences between models whose lower-case id matches and an unknown model. */
interface Family {
  protocol: NodeProtocol;
  pattern: RegExp;
  set: Partial<Profile>;
}

function claude(pattern: RegExp, set: Partial<Profile>): Family {
  return { protocol: "messages", pattern, set };
}

function chat(pattern: RegExp, set: Partial<Profile>): Family {
  return { protocol: "chat", pattern, set };
}

function responses(pattern: RegExp, set: Partial<Profile>): Family {
  return { protocol: "responses", pattern, set };
}

function gemini(pattern: RegExp, set: Partial<Profile>): Family {
  return { protocol: "gemini", pattern, set };
}

const allEfforts: Profile["effortLevels"] = ["low", "medium", "high", "xhigh", "max"];
/** Shown to users, and equal to the assumptions about other models. Source: docs/contract.md#capabilities. */
const seeing: Partial<Profile> = { imagesIn: true, tools: true };
const able: Partial<Profile> = { ...seeing, structuredOutput: true };
const generalGpt = /(?:^|\/)gpt-(?:4o|4\.1|[5-9]|[12]\d)(?![\w.-]*-(?:audio|chat|image|realtime|search|t))/;
const withoutSampling: Partial<Profile> = { sampling: "none", maxOutput: 128_000, omitsThinking: true };

/**
 * Facts about model families; later rows override earlier ones. Data only: a new model is a new row, or an
 * override of the alias. Source: docs/protocols.md#s3 (November 2026).
 */
const families: readonly Family[] = [
  claude(/claude/, { structuredOutput: true }),
  claude(/claude-(?:2|instant)/, { maxOutput: 4096, prefill: true, structuredOutput: false }),
  claude(/claude-3/, { maxOutput: 4096, prefill: true, structuredOutput: false }),
  claude(/claude-3[.-]5/, { maxOutput: 8192 }),
  claude(/claude-3[.-]7/, { maxOutput: 64_000, thinking: ["enabled", "disabled"] }),
  claude(/claude-(?:opus|sonnet|haiku)-4/, {
    maxOutput: 64_000,
    thinking: ["enabled", "disabled"],
    prefill: true,
    structuredOutput: false,
  }),
  claude(/claude-opus-4(?:[.-][01](?!\d)|-2025|$)/, { maxOutput: 32_000 }),
  claude(/claude-opus-4[.-]1(?!\d)/, { structuredOutput: true }),
  claude(/claude-(?:opus|sonnet|haiku)-4[.-]5/, { structuredOutput: true }),
  claude(/claude-(?:opus|sonnet)-4[.-]6/, {
    maxOutput: 128_000,
    thinking: ["enabled", "adaptive", "disabled"],
    effortLevels: ["low", "medium", "high", "max"],
    prefill: false,
    structuredOutput: true,
  }),
  claude(/claude-(?:opus-4[.-][78]|sonnet-5)/, {
    ...withoutSampling,
    thinking: ["enabled", "adaptive", "disabled"],
    effortLevels: allEfforts,
    prefill: false,
    structuredOutput: true,
  }),
  // Two sources report that 4.7 refuses budgets, one that it accepts them; adaptive fits all three.
  claude(/claude-opus-4[.-]7/, { thinking: ["adaptive", "disabled"] }),
  claude(/claude-opus-4[.-]8/, { midSystem: "native" }),
  claude(/claude-opus-5/, {
    ...withoutSampling,
    thinking: ["enabled", "adaptive", "disabled"],
    effortLevels: allEfforts,
    midSystem: "native",
  }),
  claude(/claude-(?:sonnet|opus|haiku)-5[.-]5/, {
    ...withoutSampling,
    thinking: ["adaptive"],
    effortLevels: allEfforts,
    forcedTool: false,
    midSystem: "native",
  }),
  claude(/claude-sonnet-5[.-]5/, { thinking: ["adaptive", "between_tools"] }),
  claude(/claude-haiku-5[.-]5/, { thinking: ["adaptive", "disabled"], forcedTool: true }),
  claude(/claude-fable-5/, {
    ...withoutSampling,
    thinking: ["adaptive"],
    effortLevels: allEfforts,
    midSystem: "native",
  }),
  claude(/claude-fable-5[.-]1/, { forcedTool: false }),

  chat(/claude/, { maxOutput: 64_000, reasoningEcho: "reasoning_details", stopMax: null }),
  chat(/claude-(?:3[.-]7|(?:opus|sonnet|haiku|fable)-\d)/, { reasons: true }),
  chat(/(?:^|\/)(?:gpt-|o\d|chatgpt)/, {
    developerRole: true,
    toolIdMax: 40,
    promptCacheKey: true,
    serviceTier: true,
    userField: "safety_identifier",
    maxTokensField: "max_completion_tokens",
  }),
  chat(/gpt-oss/, {
    developerRole: false,
    toolIdMax: null,
    promptCacheKey: false,
    serviceTier: false,
    userField: "user",
    maxTokensField: "max_tokens",
    maxOutput: 65_536,
    effortLevels: ["low", "medium", "high"],
    imagesIn: false,
  }),
  chat(/gpt-3\.?5/, { maxOutput: 4096, imagesIn: false }),
  chat(/gpt-4/, { maxOutput: 8192 }),
  chat(/gpt-4-(?:turbo|vision|1106|0125)/, { maxOutput: 4096 }),
  chat(/gpt-4o/, { maxOutput: 16_384, pdfIn: true }),
  chat(/gpt-4\.1/, { maxOutput: 32_768, pdfIn: true }),
  chat(/(?:^|\/)o[134](?:$|-)/, {
    maxOutput: 100_000,
    sampling: "default-only",
    systemRole: "developer",
    effortLevels: ["low", "medium", "high"],
    parallelFlag: false,
    stopAllowed: false,
    pdfIn: true,
  }),
  chat(/(?:^|\/)gpt-(?:[5-9]|[12]\d)(?![\w.-]*-chat)/, {
    maxOutput: 128_000,
    sampling: "default-only",
    systemRole: "developer",
    effortLevels: ["minimal", "low", "medium", "high"],
    stopAllowed: false,
    pdfIn: true,
    customTools: true,
    allowedTools: true,
    verbosity: true,
  }),
  chat(/(?:^|\/)gpt-5\.1(?![\w.-]*-chat)/, {
    effortLevels: ["none", "low", "medium", "high"],
    samplingAtEffortNone: true,
  }),
  chat(/(?:^|\/)gpt-5\.[2-9](?![\w.-]*-chat)/, {
    effortLevels: ["none", "low", "medium", "high", "xhigh"],
    samplingAtEffortNone: true,
  }),
  chat(/(?:^|\/)gpt-(?:[6-9]|[12]\d)(?![\w.-]*-chat)/, {
    effortLevels: ["none", "low", "medium", "high", "xhigh"],
  }),
  chat(/(?:^|\/)gpt-(?:5\.[4-9]|[6-9]|[12]\d)(?![\w.-]*-chat)/, { toolsWithEffort: false }),
  chat(/(?:^|\/)gpt-[\w.-]*-chat/, { maxOutput: 16_384, pdfIn: true }),
  chat(/search-preview|search-api/, { webSearch: "web_search_options" }),
  chat(/deepseek/, {
    reasoningEcho: "reasoning_content",
    emptyReasoning: true,
    reasoningSwitch: "thinking",
    thinking: ["enabled", "disabled"],
    structuredOutput: false,
    imagesIn: false,
  }),
  chat(/deepseek-(?:reasoner|v[4-9]|r\d)/, { maxOutput: 65_536 }),
  chat(/magistral/, { reasons: true }),
  chat(/(?:mi|mini|code|dev|magi)stral|mixtral|pixtral/, {
    streamOptions: false,
    prefill: true,
    prefillField: "prefix",
    userField: null,
    midSystem: "user",
    maxOutput: 32_768,
  }),
  chat(/kimi|moonshot/, { reasoningEcho: "reasoning_content", maxOutput: 32_768 }),
  chat(/kimi-k(?:2\.[5-9]|[3-9])|kimi[\w.-]*thinking/, { reasons: true, emptyReasoning: true }),
  chat(/mimo-v\d/, { reasoningEcho: "reasoning_content", emptyReasoning: true, reasons: true }),
  chat(/minimax-m\d/, { reasoningEcho: "reasoning_details", reasons: true }),
  chat(/(?:^|[/-])glm-/, {
    reasoningEcho: "reasoning_content",
    reasoningSwitch: "thinking",
    thinking: ["enabled", "disabled"],
    structuredOutput: false,
    maxOutput: 98_304,
  }),
  chat(/(?:^|[/-])glm-4(?![.\d])/, {
    reasoningEcho: "none",
    reasoningSwitch: "reasoning_effort",
    thinking: [],
  }),
  // The prompt template allows one system message, at the start.
  ...[chat, responses].map((of) => of(/qwen-?3/, { midSystem: "user" })),
  chat(/qwen-?3/, {
    reasoningSwitch: "enable_thinking",
    thinking: ["enabled", "disabled"],
    topK: true,
    maxOutput: 32_768,
  }),
  chat(/qwen-?3[\w.-]*(?:instruct|coder)/, { reasoningSwitch: "reasoning_effort", thinking: [] }),
  chat(/gemini/, {
    maxOutput: 65_536,
    effortLevels: ["low", "medium", "high"],
    pdfIn: false,
    userField: null,
  }),
  chat(/^(?:models\/)?gemini-(?:[3-9]|\d\d)/, { signedCalls: true }),
  chat(/gemini-(?:1|2\.0|pro(?:$|-vision))(?!.*thinking)/, { maxOutput: 8192, effortLevels: [] }),
  chat(/grok-(?:[4-9]|code)(?!.*non-reasoning)/, { reasons: true }),
  chat(/grok-3-mini/, { effortLevels: ["low", "high"], maxOutput: 65_536 }),
  // Ids with a vendor prefix are those of aggregators, which seal reasoning and require it back.
  chat(/^(?:openai\/(?:gpt-\d|o\d)|google\/gemini|x-ai\/grok)/, { reasoningEcho: "reasoning_details" }),

  responses(/(?:^|\/)(?:gpt-|o\d|chatgpt|codex|computer-use)/, {
    systemRole: "developer",
    promptCacheKey: true,
    serviceTier: true,
    userField: "safety_identifier",
    customTools: true,
    maxOutput: 16_384,
  }),
  responses(/gpt-oss/, {
    systemRole: "system",
    promptCacheKey: false,
    serviceTier: false,
    userField: "user",
    customTools: false,
    reasoningContentIn: true,
    maxOutput: 65_536,
    effortLevels: ["low", "medium", "high"],
    imagesIn: false,
  }),
  responses(/gpt-4\.1/, { maxOutput: 32_768 }),
  responses(/(?:^|\/)(?:o[134](?:$|-)|codex)/, {
    maxOutput: 100_000,
    sampling: "none",
    effortLevels: ["low", "medium", "high"],
  }),
  responses(/(?:^|\/)gpt-(?:[5-9]|[12]\d)(?![\w.-]*-chat)/, {
    maxOutput: 128_000,
    sampling: "none",
    effortLevels: ["minimal", "low", "medium", "high"],
    verbosity: true,
  }),
  responses(/(?:^|\/)gpt-5\.1(?![\w.-]*-chat)/, {
    effortLevels: ["none", "low", "medium", "high"],
    samplingAtEffortNone: true,
  }),
  responses(/(?:^|\/)gpt-5\.[2-9](?![\w.-]*-chat)/, {
    effortLevels: ["none", "low", "medium", "high", "xhigh"],
    samplingAtEffortNone: true,
  }),
  responses(/(?:^|\/)gpt-(?:[6-9]|[12]\d)(?![\w.-]*-chat)/, {
    effortLevels: ["none", "low", "medium", "high", "xhigh"],
  }),
  responses(/deepseek/, { reasoningContentIn: true, imagesIn: false, maxOutput: 65_536, reasons: true }),
  responses(/grok-(?:[4-9]|code)(?!.*non-reasoning)/, { reasons: true, maxOutput: 65_536 }),

  gemini(/gemini/, { maxOutput: 65_536 }),
  gemini(/gemini-(?:1|2\.0)(?!.*thinking)/, { maxOutput: 8192, imageUrl: false }),
  gemini(/gemini-2\.5/, { thinking: ["enabled", "adaptive", "disabled"] }),
  gemini(/gemini-2\.5-pro/, { thinking: ["enabled", "adaptive"], leastThinking: 128, mostThinking: 32_768 }),
  gemini(/gemini-2\.5-flash-lite/, { leastThinking: 512 }),
  gemini(/gemini-(?:[3-9]|\d\d)/, {
    effortLevels: ["minimal", "low", "medium", "high"],
    signedCalls: true,
    imageInToolMsg: true,
    formatWithTools: true,
  }),
  gemini(/gemini-[\w.-]*-(?:image|audio|tts|live)/, { thinking: [], effortLevels: [], signedCalls: false }),
  gemini(/gemini-(?:1\.5|[2-9])(?![\w.-]*-(?:audio|embedding|image|live|tts))/, able),
  gemini(/gemma|learnlm/, { maxOutput: 8192, webSearch: null }),

  ...[claude, chat].map((of) => of(/claude-(?:3|(?:opus|sonnet|haiku|fable)-\d)/, seeing)),
  ...[chat, responses].flatMap((of) => [of(generalGpt, able), of(/^sim-/, able)]),
  claude(/^sim-/, seeing), // the simulated provider
  chat(/gemini-(?:1\.5|[2-9])(?![\w.-]*-(?:audio|embedding|image|live|tts))/, able),
  chat(/gpt-oss|deepseek-(?:chat|v[3-9])|mistral-(?:large|medium|small)|kimi-k\d/, { tools: true }),
  chat(/(?:^|[/-])glm-(?:4\.[5-9]|[5-9])|qwen-?3|grok-(?:[4-9]|code)/, { tools: true }),

  // Model ids of any vendor that contain the word.
  chat(/qwq|(?<!non-)(?:thinking|reason)/, { reasons: true }),
  claude(/(?<!non-)(?:thinking|reason)/, { reasons: true }),
  responses(/(?<!non-)(?:thinking|reason)/, { reasons: true }),
];

/**
 * The profile of an upstream model: the protocol's values, then every matching family in order, then the provider's
 * facts, then the alias's overrides.
 * Throws: ZodError when `profileOverrides` has not checked the overrides before. Source: docs/protocols.md#s3.
 */
export function profileFor(...upstream: Parameters<typeof knownOf>): Profile {
  return { ...unknownModel[upstream[1]], ...knownOf(...upstream) };
}

/** The part of a profile that is known, not assumed. Throws as `profileFor`. */
export function knownOf(
  upstreamModel: string,
  protocol: NodeProtocol,
  overrides: JsonObject,
  facts: readonly ProviderFact[] = [],
): Partial<Profile> {
  const model = familyName(upstreamModel);
  const known: Partial<Profile> = {};
  for (const family of families) {
    if (family.protocol === protocol && family.pattern.test(model)) Object.assign(known, family.set);
  }
  for (const fact of facts) {
    if (fact.protocol !== protocol || fact.models?.test(model) === false) continue;
    const refusedFields = [...(known.refusedFields ?? []), ...(fact.set.refusedFields ?? [])];
    Object.assign(known, fact.set, { refusedFields });
  }
  return Object.keys(overrides).length === 0
    ? known
    : { ...known, ...withoutUndefined(profileOverrides.parse(overrides)) };
}

function withoutUndefined(overrides: z.infer<typeof profileOverrides>): Partial<Profile> {
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
}
