import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { FieldRule } from "./concepts";
import type { Tool, Turn } from "./parts";
import type { ProblemWords } from "./problems";

/**
 * What a client asks for, in no protocol's words: every protocol's `parse` makes it, every protocol's `render` reads
 * it. `source` is always a path in the client's own body, so that an error names the client's field.
 * Source: docs/architecture.md#s2.
 */
export interface GenerationRequest {
  /** The top-level fields that ask for something, in the client's order. */
  fields: readonly GivenField[];
  /** How the client's protocol words what a node cannot take. */
  words: ProblemWords;
  /** What reading the request has noted, e.g. `version:unknown`. */
  notes: readonly string[];
  /** What the client says before the conversation begins. */
  instructions: readonly Turn[];
  turns: readonly Turn[];
  /** The client's protocol has the results of calls in the very next turn; else they may come before any later one. */
  answersFollowCalls: boolean;
  tools: readonly Tool[];
  /** Some tool or call is a custom one. */
  customTools: boolean;
  /** Null: the client has no wish, or no tools. */
  toolChoice: ToolChoice | null;
  /** False: one call at a time. Null: the client has no wish. */
  parallelToolCalls: boolean | null;
  sampling: Sampling;
  /** Null: the client names none. Units: tokens. */
  outputLimit: number | null;
  /** Clients of the protocol that name no limit count on long answers. */
  longAnswers: boolean;
  stop: readonly string[];
  reasoning: Reasoning;
  /** Null: free text. */
  outputFormat: OutputFormat | null;
  /** How long answers should be, in the client's word; null: no wish. */
  verbosity: string | null;
  choices: number;
  logProbabilities: LogProbabilities | null;
  /** Who asks, as the client knows them; never sent as it is. */
  caller: string | null;
  /** What the requests of one conversation have in common, for caches. */
  session: string | null;
  serviceTier: ServiceTier | null;
  /** The client wants a stream. */
  stream: boolean;
  /** The client wants audio as an answer. */
  audioOutput: boolean;
  /** The client wants anything but text as an answer. */
  otherModalities: boolean;
  /** The client's moderation policy may block an answer. */
  blockingModeration: boolean;
}

/** A top-level field of the client's body. Without a rule, or without concepts, it is an extension of its protocol. */
export interface GivenField {
  name: string;
  rule: FieldRule | undefined;
}

/** How the model may choose among the tools. */
export type ToolChoice =
  | { kind: "auto" | "none" | "required" }
  | { kind: "one"; name: string | null; source: string }
  | { kind: "allowed"; names: readonly string[]; required: boolean };

/** Sampling parameters; null: the node's default. */
export interface Sampling {
  temperature: number | null;
  topP: number | null;
  topK: number | null;
}

/** How much the model is asked to reason, weakest first. */
export const effortWords = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof effortWords)[number];

/** What the client wants of the model's reasoning. */
export interface Reasoning {
  wish: ReasoningWish | null;
  /** The client does not want to see it. */
  hidden: boolean;
  /** Fields that asked for something else and were overridden. */
  overridden: readonly string[];
}

/** `shown` asks for nothing but to see it. Shape: `budget` null is a budget that the client did not number; `explicit`: exactly this was asked for. */
export type ReasoningWish =
  | { kind: "effort"; effort: Effort; source: string }
  | { kind: "budget"; budget: number | null; explicit: boolean; source: string }
  | { kind: "mode"; mode: "adaptive" | "between_tools"; source: string }
  | { kind: "shown"; source: string };

/** The effort that stands for what the client wants of reasoning; null: the model decides itself. */
export function effortOfWish(wish: ReasoningWish): Effort | null {
  switch (wish.kind) {
    case "effort":
      return wish.effort;
    case "budget":
      return effortOfBudget(wish.budget ?? 0);
    case "mode":
      return wish.mode === "between_tools" ? "minimal" : null;
    case "shown":
      return null;
  }
}

function effortOfBudget(budget: number): Effort {
  if (budget < 2048) return "low";
  if (budget < 8192) return "medium";
  return budget < 24_576 ? "high" : "xhigh";
}

/** The form of the answer: any JSON object, or JSON of a schema. */
export type OutputFormat = { kind: "json"; source: string } | SchemaFormat;

/** JSON of a schema. Shape: null for what the client did not say. */
export interface SchemaFormat {
  kind: "json_schema";
  schema: JsonObject;
  name: string | null;
  description: string | null;
  /** The answer must follow the schema exactly. */
  strict: boolean | null;
  source: string;
}

/** Log probabilities of the answer's tokens, and how many alternatives of each. */
export interface LogProbabilities {
  top: number | null;
}

/** Service tier: chosen by the provider, standard only, priority, or an unknown word. */
export type ServiceTier = "auto" | "standard" | "priority" | "other";

/** True for a moderation policy that may block an answer. */
export function blocksAnswers(policy: unknown): boolean {
  if (policy === "block") return true;
  if (Array.isArray(policy)) return policy.some(blocksAnswers);
  return isObject(policy) && Object.values(policy).some(blocksAnswers);
}
