import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { FieldRule } from "./concepts";
import type { Tool, Turn } from "./parts";
import type { ProblemWords } from "./problems";
import type { ServiceTier } from "./service-tier";

/**
 * A client's request, independent of protocols: every protocol's `parse` makes it, every protocol's `render` reads it.
 * `source` is always a path in the client's own body, so that an error names the client's field.
 * Source: docs/architecture.md#s2.
 */
export interface GenerationRequest {
  /** The fields that have an effect, in the client's order. */
  fields: readonly GivenField[];
  /** The error texts of the client's protocol. */
  words: ProblemWords;
  /** Warnings from parsing the request, e.g. `version:unknown`. */
  notes: readonly string[];
  /** The instructions before the first turn of the conversation. */
  instructions: readonly Turn[];
  turns: readonly Turn[];
  /** True: the turn after a call contains its result. False: any later turn may contain it. */
  answersFollowCalls: boolean;
  tools: readonly Tool[];
  /** At least one tool or call is a custom one. */
  customTools: boolean;
  /** Null: the client sets none, or has no tools. */
  toolChoice: ToolChoice | null;
  /** False: one call at a time. Null: the client sets neither. */
  parallelToolCalls: boolean | null;
  sampling: Sampling;
  /** Null: the client sets none. Units: tokens. */
  outputLimit: number | null;
  /** Clients of the protocol expect long answers if they set no limit. */
  longAnswers: boolean;
  stop: readonly string[];
  reasoning: Reasoning;
  /** Null: free text. */
  outputFormat: OutputFormat | null;
  /** How long answers should be, in the client's word; null: not set. */
  verbosity: string | null;
  choices: number;
  logProbabilities: LogProbabilities | null;
  /** The id of the caller in the client's body; it is never sent unchanged. */
  caller: string | null;
  /** A text that all requests of one conversation share, for caches. */
  session: string | null;
  serviceTier: ServiceTier | null;
  /** The client wants a stream. */
  stream: boolean;
  /** The client wants audio as an answer. */
  audioOutput: boolean;
  /** The client wants output other than text. */
  otherModalities: boolean;
  /** The client's moderation policy may block an answer. */
  blockingModeration: boolean;
}

/**
 * A field of the client's body, with its path from the top. A field without a rule or without concepts is an extension of
 * its protocol.
 */
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
  seed: number | null;
  frequencyPenalty: number | null;
  presencePenalty: number | null;
}

/** Reasoning efforts, weakest first. */
export const effortWords = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof effortWords)[number];

/** The client's wishes about the model's reasoning. */
export interface Reasoning {
  wish: ReasoningWish | null;
  /** The client does not want reasoning in the answer. */
  hidden: boolean;
  /** Fields with another value that were overridden. */
  overridden: readonly string[];
}

/**
 * `shown` asks only to see the reasoning. Shape: `budget` null: a budget without a number; `explicit`: the client set
 * exactly this budget.
 */
export type ReasoningWish =
  | { kind: "effort"; effort: Effort; source: string }
  | { kind: "budget"; budget: number | null; explicit: boolean; source: string }
  | { kind: "mode"; mode: "adaptive" | "between_tools"; source: string }
  | { kind: "shown"; source: string };

/** The effort that corresponds to the client's wish; null: the model decides. */
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

/** JSON of a schema. Shape: null for what the client did not set. */
export interface SchemaFormat {
  kind: "json_schema";
  schema: JsonObject;
  name: string | null;
  description: string | null;
  /** The answer must follow the schema exactly. */
  strict: boolean | null;
  source: string;
}

/** Log probabilities of the answer's tokens, and the number of alternatives for each token. */
export interface LogProbabilities {
  top: number | null;
}

/** True for a moderation policy that may block an answer. */
export function blocksAnswers(policy: unknown): boolean {
  if (policy === "block") return true;
  if (Array.isArray(policy)) return policy.some(blocksAnswers);
  return isObject(policy) && Object.values(policy).some(blocksAnswers);
}
