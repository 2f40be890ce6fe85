import { invalid } from "@/lib/kernel/errors";
import type { Effort, Reasoning, ReasoningWish } from "@/lib/protocols/generation/request";
import type { GenerationConfig } from "./schema";

const thinking = "generationConfig.thinkingConfig";

const efforts: Readonly<Record<string, Effort>> = {
  MINIMAL: "minimal",
  LOW: "low",
  MEDIUM: "medium",
  HIGH: "high",
  XHIGH: "xhigh",
};

/** The wishes about reasoning; it is shown only where the client asks for it. Throws: INVALID_REQUEST. */
export function parseReasoning({ thinkingConfig }: GenerationConfig): Reasoning {
  const { includeThoughts, thinkingBudget: budget, thinkingLevel } = thinkingConfig ?? {};
  const level = thinkingLevel?.toUpperCase();
  const hidden = includeThoughts !== true;
  const asked = (wish: ReasoningWish): Reasoning => ({ wish, hidden, overridden: [] });
  if (level !== undefined && level !== "THINKING_LEVEL_UNSPECIFIED") {
    const source = `${thinking}.thinkingLevel`;
    const effort = efforts[level];
    if (effort === undefined)
      throw invalid(source, `${source} must be one of ${Object.keys(efforts).join(", ")}.`);
    return asked({ kind: "effort", effort, source });
  }
  const source = `${thinking}.thinkingBudget`;
  if (budget === 0) return asked({ kind: "effort", effort: "none", source });
  if (budget === -1) return asked({ kind: "mode", mode: "adaptive", source });
  if (budget != null) return asked({ kind: "budget", budget, explicit: true, source });
  if (hidden) return { wish: null, hidden, overridden: [] };
  return asked({ kind: "shown", source: `${thinking}.includeThoughts` });
}
