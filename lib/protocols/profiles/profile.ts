import { z } from "zod";
import { type ModelCapability, modelCapabilities, type NodeProtocol } from "@/lib/protocols/protocol";

/**
 * Capabilities of one upstream model, as data; every "if the upstream supports" is a look-up here. These comments are
 * the table in section 3 of the document; `same protocol too` (or `only`) marks what changes requests that are not
 * converted.
 * Source: docs/protocols.md#s3, #s6-1.
 */
const profileShape = z.strictObject({
  /**
   * The most output tokens a request asks of the model, unless the alias says its own `maxOutputTokens`, larger or
   * smaller; same protocol too.
   * Source: docs/protocols.md#s4-1.
   */
  maxOutput: z.int().min(1),
  /**
   * Whether temperature, top_p and top_k may be sent; same protocol too for temperature and top_p of chat.
   * Source: docs/protocols.md#s4-1, #s5-1.
   */
  sampling: z.enum(["full", "none", "default-only"]),
  /**
   * Sampling is accepted after all when the reasoning effort is `none`; same protocol too.
   * Source: docs/protocols.md#s5-1.
   */
  samplingAtEffortNone: z.boolean(),
  /**
   * A higher temperature is lowered to it, or to 1 where that is less; same protocol too for chat.
   * Source: docs/protocols.md#s4-1, #d2.
   */
  tempMax: z.number().positive(),
  /** A messages upstream takes temperature and top_p together. Source: docs/protocols.md#ec-26. */
  tempAndTopP: z.boolean(),
  /** A chat upstream takes `top_k`. Source: docs/protocols.md#s5-1. */
  topK: z.boolean(),
  /** Accepted `thinking.type` values. Source: docs/protocols.md#s4-7. */
  thinking: z.array(z.enum(["enabled", "adaptive", "disabled", "between_tools"])),
  /**
   * Thinking text comes back empty unless `display: summarized` is asked for.
   * Source: docs/protocols.md#s4-7.
   */
  omitsThinking: z.boolean(),
  /** Accepted words for the reasoning effort. Source: docs/protocols.md#s4-7, #s5-6. */
  effortLevels: z.array(z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"])),
  /** The least thinking budget of a Gemini upstream without efforts. Source: docs/gemini.md#thinking. */
  leastThinking: z.int().min(0),
  /** The most thinking budget of a Gemini upstream without efforts. Source: docs/gemini.md#thinking. */
  mostThinking: z.int().min(1),
  /** A Gemini upstream takes ids of calls; same protocol too. Source: docs/gemini.md#nodes. */
  callIds: z.boolean(),
  /** A Gemini upstream has fields for JSON schemas; else it gets the older form. Source: docs/gemini.md#schemas. */
  jsonSchema: z.boolean(),
  /** A Gemini upstream takes functions together with JSON as the form of the answer. Source: docs/gemini.md#to-nodes. */
  formatWithTools: z.boolean(),
  /** The switch a chat upstream understands for reasoning. Source: docs/protocols.md#s5-6. */
  reasoningSwitch: z.enum(["reasoning_effort", "thinking", "enable_thinking"]),
  /**
   * May think before it answers although no other field says how that is asked for.
   * Source: docs/contract.md#b8.
   */
  reasons: z.boolean(),
  /** A chat upstream knows custom tools; else they become functions. Source: docs/responses.md#s1-6. */
  customTools: z.boolean(),
  /** A chat upstream takes `allowed_tools`; else it gets those only. Source: docs/responses.md#s1-5. */
  allowedTools: z.boolean(),
  /** A chat upstream takes `verbosity`. Source: docs/responses.md#s1-2. */
  verbosity: z.boolean(),
  /** Calls tools; told to users, and changes no request. Source: docs/contract.md#capabilities. */
  tools: z.boolean(),
  /** Can be forced to call a tool. Source: docs/protocols.md#s4-6. */
  forcedTool: z.boolean(),
  /** Takes a JSON schema for its answer. Source: docs/protocols.md#s4-8, #s5-7. */
  structuredOutput: z.boolean(),
  /** Continues a trailing assistant turn. Source: docs/protocols.md#s4-3, #s5-2. */
  prefill: z.boolean(),
  /**
   * Field that marks a trailing assistant message as a prefix, e.g. `prefix`.
   * Source: docs/protocols.md#s5-2.
   */
  prefillField: z.string().nullable(),
  /**
   * Where a later system message goes: its place, the first system message, or a user turn; same protocol too.
   * Source: docs/protocols.md#s4-3, #s5-2.
   */
  midSystem: z.enum(["native", "merge", "user"]),
  /** How a chat upstream calls the output limit; same protocol too. Source: docs/protocols.md#s5-1. */
  maxTokensField: z.enum(["max_tokens", "max_completion_tokens"]),
  /** The role of a chat upstream's instructions. Source: docs/protocols.md#s5-2. */
  systemRole: z.enum(["system", "developer"]),
  /**
   * A chat upstream knows the role `developer`, else it gets `system`; same protocol only.
   * Source: docs/protocols.md#s6-1.
   */
  developerRole: z.boolean(),
  /**
   * A chat upstream takes function tools together with a reasoning effort; same protocol too.
   * Source: docs/protocols.md#ec-30.
   */
  toolsWithEffort: z.boolean(),
  /**
   * A chat upstream takes `stream_options.include_usage`; same protocol too.
   * Source: docs/protocols.md#s5-1.
   */
  streamOptions: z.boolean(),
  /** A chat upstream takes `parallel_tool_calls`; same protocol too. Source: docs/protocols.md#s5-5. */
  parallelFlag: z.boolean(),
  /** Takes images. Source: docs/protocols.md#s4-4, #s5-3. */
  imagesIn: z.boolean(),
  /** Takes images by their URL. Source: docs/protocols.md#s4-4, #s5-3. */
  imageUrl: z.boolean(),
  /** Takes PDF files. Source: docs/protocols.md#s4-4, #s5-3. */
  pdfIn: z.boolean(),
  /** Takes images inside the results of tools. Source: docs/protocols.md#s5-3, docs/gemini.md#to-nodes. */
  imageInToolMsg: z.boolean(),
  /** The chat upstream takes message content only as a string. Source: docs/protocols.md#s5-2. */
  stringContent: z.boolean(),
  /**
   * An assistant message may have the content null beside tool calls; else it gets an empty string.
   * Source: docs/protocols.md#s5-2.
   */
  nullContent: z.boolean(),
  /**
   * The field in which a chat upstream wants earlier reasoning back; same protocol too.
   * Source: docs/protocols.md#s8-4, docs/contract.md#b13.
   */
  reasoningEcho: z.enum(["none", "reasoning_content", "reasoning_details"]),
  /**
   * While it thinks, a chat upstream refuses a call in the history without reasoning; it gets an empty text; same
   * protocol too. Source: docs/protocols.md#s8-4.
   */
  emptyReasoning: z.boolean(),
  /**
   * Refuses a turn with calls whose first one has no signature; one made elsewhere gets the vendor's stand-in; same
   * protocol too. Source: docs/protocols.md#s8-5, docs/gemini.md#signatures.
   */
  signedCalls: z.boolean(),
  /** A Responses upstream reads reasoning as text; else it refuses it. Source: docs/responses.md#s3-3. */
  reasoningContentIn: z.boolean(),
  /** A chat upstream takes `prompt_cache_breakpoint`. Source: docs/protocols.md#s11-4. */
  cacheBreakpoint: z.boolean(),
  /** Mark the prompt prefix for caching on behalf of clients that cannot. Source: docs/protocols.md#d15. */
  autoCache: z.boolean(),
  /** A chat upstream takes `prompt_cache_key`. Source: docs/protocols.md#s5-1. */
  promptCacheKey: z.boolean(),
  /** The chat upstream's field for who asks; null: it has none. Source: docs/protocols.md#s5-1. */
  userField: z.enum(["user", "safety_identifier"]).nullable(),
  /** Takes `service_tier`. Source: docs/protocols.md#s4-1, #s5-1. */
  serviceTier: z.boolean(),
  /**
   * `web_search_options` for a chat upstream, the server tool's type for a messages one; null: no search.
   * Source: docs/protocols.md#s4-1, #s5-4.
   */
  webSearch: z.string().nullable(),
  /** Definitions are demanded as soon as the history holds tool calls. Source: docs/protocols.md#s4-5-6. */
  toolsForHistory: z.boolean(),
  /** The most stop sequences a chat upstream takes; null: any number. Source: docs/protocols.md#s5-1. */
  stopMax: z.int().min(1).nullable(),
  /** A chat upstream takes stop sequences at all; same protocol too. Source: docs/protocols.md#s5-1. */
  stopAllowed: z.boolean(),
  /** Longest name of a tool; longer ones get an alias. Source: docs/protocols.md#s7. */
  toolNameMax: z.int().min(16).max(128),
  /**
   * Longest tool call id the upstream takes back in a history; null: any; same protocol too for chat.
   * Source: docs/protocols.md#s7.
   */
  toolIdMax: z.int().min(33).nullable(),
  /**
   * Newest `anthropic-version` the upstream knows; null: all; same protocol only.
   * Source: docs/protocols.md#s2-1.
   */
  latestVersion: z.string().nullable(),
  /**
   * The client may name further models for the upstream to fall back to, past its own alias; same protocol only.
   * Source: docs/protocols.md#s6-1.
   */
  modelFallbacks: z.boolean(),
  /**
   * Fields that the upstream refuses: of the body, `messages[].x` of each message, `messages[user].x` of one role;
   * same protocol too. Those of a provider's facts join the ones of the family.
   * Source: docs/protocols.md#s3-1.
   */
  refusedFields: z.array(z.string()),
  /**
   * Fields and types of tools that cost extra and pass without a price, at the price of tokens; same protocol too.
   * Source: docs/protocols.md#s6-3.
   */
  unpricedExtras: z.array(z.string()),
  /**
   * The upstream is the protocol's own vendor: what its programs tell about themselves goes through; same protocol
   * only.
   * Source: docs/protocols.md#s14.
   */
  vendorHeaders: z.boolean(),
});

/** Capabilities of one upstream model. Source: docs/protocols.md#s3. */
export type Profile = z.infer<typeof profileShape>;

/**
 * Differences of a provider, for all its models or for those whose lower-case id matches. A value of `set` replaces
 * that of protocol, family and earlier facts; only `refusedFields` are added to theirs.
 */
export interface ProviderFact {
  readonly protocol: NodeProtocol;
  readonly models?: RegExp;
  readonly set: Partial<Profile>;
}

/** The values that an operator may override per alias (`profile:` of the config file). Source: docs/contract.md#s3. */
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
  leastThinking: 0,
  mostThinking: 24_576,
  callIds: true,
  jsonSchema: true,
  formatWithTools: true,
  reasoningSwitch: "reasoning_effort",
  reasons: false,
  customTools: false,
  allowedTools: false,
  verbosity: false,
  tools: true,
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
  emptyReasoning: false,
  signedCalls: false,
  reasoningContentIn: false,
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
  unpricedExtras: [],
  vendorHeaders: false,
};

/** The assumptions about a model that no family matches. */
export const unknownModel: Record<NodeProtocol, Profile> = {
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
  gemini: {
    ...shared,
    topK: true,
    formatWithTools: false,
    midSystem: "user",
    pdfIn: true,
    serviceTier: true,
    stopMax: 5,
    toolNameMax: 128,
    userField: null,
    webSearch: "googleSearch",
  },
  responses: { ...shared, pdfIn: true, prefill: true, allowedTools: true, toolIdMax: 64 },
};

/** True for a model that may use output for reasoning before it answers. Source: docs/contract.md#b8. */
export function mayReason({ reasons, thinking, effortLevels }: Partial<Profile>): boolean {
  return (
    reasons === true ||
    thinking?.some((type) => type !== "disabled") === true ||
    effortLevels?.some((word) => word !== "none") === true
  );
}

/** The known capabilities of a model; assumed ones are left out. Source: docs/contract.md#capabilities. */
export function capabilitiesOf(known: Partial<Profile>): ModelCapability[] {
  const { imagesIn: images, structuredOutput: json, tools } = known;
  const has: Record<ModelCapability, boolean | undefined> = {
    images,
    json,
    tools,
    reasoning: mayReason(known),
  };
  return modelCapabilities.filter((name) => has[name] === true);
}
