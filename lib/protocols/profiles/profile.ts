import { z } from "zod";
import type { Protocol } from "@/lib/protocols/protocol";

/**
 * Capabilities of one upstream model, as data; every "if the upstream supports" is a look-up here.
 * Source: docs/protocols.md#s3.
 */
const profileShape = z.strictObject({
  /** Hard ceiling for output tokens. */
  maxOutput: z.int().min(1),
  /** Whether temperature, top_p and top_k may be sent. */
  sampling: z.enum(["full", "none", "default-only"]),
  /** Sampling is accepted after all when the reasoning effort is `none`. */
  samplingAtEffortNone: z.boolean(),
  tempMax: z.number().positive(),
  tempAndTopP: z.boolean(),
  /** A chat upstream that takes `top_k`. */
  topK: z.boolean(),
  /** Accepted `thinking.type` values. */
  thinking: z.array(z.enum(["enabled", "adaptive", "disabled", "between_tools"])),
  /** Thinking text comes back empty unless `display: summarized` is asked for. */
  omitsThinking: z.boolean(),
  effortLevels: z.array(z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"])),
  /** The switch a chat upstream understands for reasoning. */
  reasoningSwitch: z.enum(["reasoning_effort", "thinking", "enable_thinking"]),
  /** May think before it answers although no other field says how that is asked for. */
  reasons: z.boolean(),
  forcedTool: z.boolean(),
  structuredOutput: z.boolean(),
  prefill: z.boolean(),
  /** Field that marks a trailing assistant message as a prefix, e.g. `prefix`. */
  prefillField: z.string().nullable(),
  midSystem: z.enum(["native", "merge", "user"]),
  maxTokensField: z.enum(["max_tokens", "max_completion_tokens"]),
  systemRole: z.enum(["system", "developer"]),
  /** The chat upstream knows the role `developer`. */
  developerRole: z.boolean(),
  toolsWithEffort: z.boolean(),
  streamOptions: z.boolean(),
  parallelFlag: z.boolean(),
  imagesIn: z.boolean(),
  imageUrl: z.boolean(),
  pdfIn: z.boolean(),
  imageInToolMsg: z.boolean(),
  /** The chat upstream takes message content only as a string. */
  stringContent: z.boolean(),
  /** An assistant message may have the content null beside tool calls; else it gets an empty string. */
  nullContent: z.boolean(),
  reasoningEcho: z.enum(["none", "reasoning_content", "reasoning_details"]),
  cacheBreakpoint: z.boolean(),
  /** Mark the prompt prefix for caching on behalf of clients that cannot. */
  autoCache: z.boolean(),
  promptCacheKey: z.boolean(),
  userField: z.enum(["user", "safety_identifier"]).nullable(),
  serviceTier: z.boolean(),
  /** `web_search_options` for a chat upstream, the server tool's type for a messages one; null: no search. */
  webSearch: z.string().nullable(),
  /** Definitions are demanded as soon as the history holds tool calls. */
  toolsForHistory: z.boolean(),
  stopMax: z.int().min(1).nullable(),
  stopAllowed: z.boolean(),
  toolNameMax: z.int().min(16).max(128),
  /** Longest tool call id the upstream takes back in a history; null: any. */
  toolIdMax: z.int().min(33).nullable(),
  /** Newest `anthropic-version` the upstream knows; null: all. */
  latestVersion: z.string().nullable(),
  /** The client may name further models for the upstream to fall back to, past its own alias. */
  modelFallbacks: z.boolean(),
  /** Fields that the upstream refuses: of the body, `messages[].x` of each message, `messages[user].x` of one role. */
  refusedFields: z.array(z.string()),
  /** The upstream is the protocol's own vendor: what its programs tell about themselves goes through. */
  vendorHeaders: z.boolean(),
});

/** Capabilities of one upstream model. Source: docs/protocols.md#s3. */
export type Profile = z.infer<typeof profileShape>;

/** What a provider does differently, with all its models or with those whose lower-case id matches. */
export interface ProviderFact {
  readonly protocol: Protocol;
  readonly models?: RegExp;
  readonly set: Partial<Profile>;
}

/** What an operator may override per alias (`profile:` of the config file). Source: docs/contract.md#s3. */
export const profileOverrides = profileShape.partial();

const shared: Profile = {
  maxOutput: 8192,
  sampling: "full",
  samplingAtEffortNone: false,
  tempMax: 2,
  tempAndTopP: true,
  topK: false,
  thinking: [],
  omitsThinking: false,
  effortLevels: [],
  reasoningSwitch: "reasoning_effort",
  reasons: false,
  forcedTool: true,
  structuredOutput: true,
  prefill: false,
  prefillField: null,
  midSystem: "native",
  maxTokensField: "max_tokens",
  systemRole: "system",
  developerRole: false,
  toolsWithEffort: true,
  streamOptions: true,
  parallelFlag: true,
  imagesIn: true,
  imageUrl: true,
  pdfIn: false,
  imageInToolMsg: false,
  stringContent: false,
  nullContent: true,
  reasoningEcho: "none",
  cacheBreakpoint: false,
  autoCache: false,
  promptCacheKey: false,
  userField: "user",
  serviceTier: false,
  webSearch: null,
  toolsForHistory: false,
  stopMax: 4,
  stopAllowed: true,
  toolNameMax: 64,
  toolIdMax: null,
  latestVersion: null,
  modelFallbacks: false,
  refusedFields: [],
  vendorHeaders: false,
};

/** What is assumed of a model that no family matches. */
export const unknownModel: Record<Protocol, Profile> = {
  chat: shared,
  messages: {
    ...shared,
    tempMax: 1,
    tempAndTopP: false,
    structuredOutput: false,
    midSystem: "user",
    pdfIn: true,
    serviceTier: true,
    toolsForHistory: true,
    stopMax: null,
    toolNameMax: 128,
  },
};

/** True for a model that may spend output on thinking before it answers. Source: docs/contract.md#b8. */
export function mayReason({ reasons, thinking, effortLevels }: Profile): boolean {
  return (
    reasons || thinking.some((type) => type !== "disabled") || effortLevels.some((word) => word !== "none")
  );
}
