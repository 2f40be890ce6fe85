import { invalid } from "@/lib/kernel/errors";
import { isObject } from "@/lib/kernel/json";
import type { ChatRequest } from "@/lib/protocols/chat/schema";

/** Effort words of both protocols, weakest first. */
export const effortWords = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof effortWords)[number];

/** What a chat client wants of the model's reasoning, whichever of the usual fields it used. */
export type ReasoningRequest =
  | { kind: "absent" }
  | { kind: "effort"; effort: Effort; field: string }
  | { kind: "budget"; budget: number | null; explicit: boolean; field: string }
  | { kind: "type"; type: "adaptive" | "between_tools"; field: string };

/** True when the client does not want to see reasoning. Source: docs/protocols.md#s4-2. */
export function excludesReasoning(request: ChatRequest): boolean {
  return request.include_reasoning === false || request.reasoning?.exclude === true;
}

/**
 * Reads `thinking`, `reasoning_effort` and `reasoning`, in this order of precedence.
 * Throws: INVALID_REQUEST for words nobody knows. Source: docs/protocols.md#s4-2, #s4-7.
 */
export function readReasoning(request: ChatRequest): ReasoningRequest {
  const thinking = request.thinking;
  if (isObject(thinking) && thinking.type != null) return readThinking(thinking.type, thinking.budget_tokens);
  if (request.reasoning_effort != null) return effortOf(request.reasoning_effort, "reasoning_effort");
  const reasoning = request.reasoning;
  if (!isObject(reasoning)) return { kind: "absent" };
  if (reasoning.enabled === false) return { kind: "effort", effort: "none", field: "reasoning" };
  if (reasoning.effort != null) return effortOf(reasoning.effort, "reasoning.effort");
  if (reasoning.max_tokens != null) {
    return {
      kind: "budget",
      budget: wholeTokens(reasoning.max_tokens, "reasoning.max_tokens"),
      explicit: false,
      field: "reasoning",
    };
  }
  return reasoning.enabled === true
    ? { kind: "effort", effort: "medium", field: "reasoning" }
    : { kind: "absent" };
}

function readThinking(type: unknown, budget: unknown): ReasoningRequest {
  const field = "thinking";
  switch (type) {
    case "enabled": {
      const tokens = budget == null ? null : wholeTokens(budget, "thinking.budget_tokens");
      return { kind: "budget", budget: tokens, explicit: true, field };
    }
    case "adaptive":
    case "between_tools":
      return { kind: "type", type, field };
    case "disabled":
      return { kind: "effort", effort: "none", field };
    default:
      throw invalid(
        "thinking.type",
        "thinking.type must be one of enabled, adaptive, disabled, between_tools.",
      );
  }
}

function effortOf(word: unknown, field: string): ReasoningRequest {
  const effort = effortWords.find((known) => known === word);
  if (effort === undefined) throw invalid(field, `${field} must be one of ${effortWords.join(", ")}.`);
  return { kind: "effort", effort, field };
}

function wholeTokens(value: unknown, param: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalid(param, `${param} must be a whole number of tokens.`);
}

/** The wanted effort, or the nearest lower one that exists, or the lowest of all; null when there is none. */
export function nearestEffort(wanted: Effort, levels: readonly Effort[]): Effort | null {
  if (levels.length === 0) return null;
  const rank = (word: Effort) => effortWords.indexOf(word);
  const ordered = levels.toSorted((left, right) => rank(left) - rank(right));
  return ordered.findLast((level) => rank(level) <= rank(wanted)) ?? ordered[0] ?? null;
}
