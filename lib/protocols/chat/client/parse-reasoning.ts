import { invalid } from "@/lib/kernel/errors";
import { isObject } from "@/lib/kernel/json-object";
import { effortWords, type Reasoning, type ReasoningWish } from "@/lib/protocols/generation/request";
import type { ChatRequest } from "./schema";

/** True when the client does not want reasoning. Source: docs/protocols.md#s4-2. */
export function excludesReasoning(request: ChatRequest): boolean {
  return request.include_reasoning === false || request.reasoning?.exclude === true;
}

/**
 * Reads `thinking`, `reasoning_effort` and `reasoning`, in this order of precedence.
 * Throws: INVALID_REQUEST for unknown words. Source: docs/protocols.md#s4-2, #s4-7.
 */
export function parseReasoning(request: ChatRequest): Reasoning {
  const wish = wishOf(request);
  const overridden: string[] = [];
  if (wish === null && request.thinking != null) overridden.push("thinking");
  if (wish?.source === "thinking" && request.reasoning_effort != null) overridden.push("reasoning_effort");
  return { wish, hidden: excludesReasoning(request), overridden };
}

function wishOf(request: ChatRequest): ReasoningWish | null {
  const { thinking, reasoning } = request;
  if (isObject(thinking) && thinking.type != null) return thinkingWish(thinking.type, thinking.budget_tokens);
  if (request.reasoning_effort != null) return effortOf(request.reasoning_effort, "reasoning_effort");
  if (!isObject(reasoning)) return null;
  const source = "reasoning";
  if (reasoning.enabled === false) return { kind: "effort", effort: "none", source };
  if (reasoning.effort != null) return effortOf(reasoning.effort, "reasoning.effort");
  if (reasoning.max_tokens != null) {
    const budget = wholeTokens(reasoning.max_tokens, "reasoning.max_tokens");
    return { kind: "budget", budget, explicit: false, source };
  }
  return reasoning.enabled === true ? { kind: "effort", effort: "medium", source } : null;
}

function thinkingWish(type: unknown, budget: unknown): ReasoningWish {
  const source = "thinking";
  switch (type) {
    case "enabled": {
      const tokens = budget == null ? null : wholeTokens(budget, "thinking.budget_tokens");
      return { kind: "budget", budget: tokens, explicit: true, source };
    }
    case "adaptive":
    case "between_tools":
      return { kind: "mode", mode: type, source };
    case "disabled":
      return { kind: "effort", effort: "none", source };
    default:
      throw invalid(
        "thinking.type",
        "thinking.type must be one of enabled, adaptive, disabled, between_tools.",
      );
  }
}

function effortOf(word: unknown, source: string): ReasoningWish {
  const effort = effortWords.find((known) => known === word);
  if (effort === undefined) throw invalid(source, `${source} must be one of ${effortWords.join(", ")}.`);
  return { kind: "effort", effort, source };
}

function wholeTokens(value: unknown, param: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalid(param, `${param} must be a whole number of tokens.`);
}
