import type { Conversion } from "@/lib/convert/conversion";
import { type Effort, effortWords, nearestEffort } from "@/lib/convert/reasoning-request";
import { invalid } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json";
import type { MessagesRequest } from "@/lib/protocols/messages/schema";

/**
 * thinking and output_config.effort in the words of a chat node. Throws: INVALID_REQUEST.
 * Source: docs/protocols.md#s5-6, #d11.
 */
export function convertEffort(
  request: MessagesRequest,
  hasTools: boolean,
  conversion: Conversion,
): JsonObject {
  checkBudget(request, conversion);
  const wanted = wantedEffort(request);
  switch (conversion.profile.reasoningSwitch) {
    case "reasoning_effort":
      return effortField(wanted, hasTools, conversion);
    case "thinking":
      return wanted === null ? {} : { thinking: { type: wanted.effort === "none" ? "disabled" : "enabled" } };
    case "enable_thinking":
      return wanted === null ? {} : { enable_thinking: wanted.effort !== "none" };
  }
}

interface WantedEffort {
  effort: Effort;
  field: string;
}

function wantedEffort(request: MessagesRequest): WantedEffort | null {
  const word = request.output_config?.effort;
  if (word != null) return { effort: effortOf(word), field: "output_config.effort" };
  const thinking = request.thinking;
  if (thinking == null) return null;
  const field = "thinking";
  switch (thinking.type) {
    case "disabled":
      return { effort: "none", field };
    case "between_tools":
      return { effort: "minimal", field };
    case "adaptive":
      return null;
    case "enabled":
      return { effort: effortOfBudget(thinking.budget_tokens ?? 0), field };
    default:
      throw invalid(
        "thinking.type",
        "thinking.type must be one of enabled, adaptive, disabled, between_tools.",
      );
  }
}

function effortOf(word: string): Effort {
  const effort = effortWords.find((known) => known === word);
  if (effort !== undefined) return effort;
  throw invalid("output_config.effort", "output_config.effort must be one of low, medium, high, xhigh, max.");
}

function effortOfBudget(budget: number): Effort {
  if (budget < 2048) return "low";
  if (budget < 8192) return "medium";
  return budget < 24_576 ? "high" : "xhigh";
}

function effortField(wanted: WantedEffort | null, hasTools: boolean, conversion: Conversion): JsonObject {
  const { effortLevels, toolsWithEffort } = conversion.profile;
  if (hasTools && !toolsWithEffort) {
    if (wanted !== null && wanted.effort !== "none") conversion.warnings.add("changed:reasoning_effort");
    return { reasoning_effort: "none" };
  }
  if (wanted === null) return {};
  // Between tools means as little as possible, but not none.
  const levels =
    wanted.effort === "minimal" ? effortLevels.filter((level) => level !== "none") : effortLevels;
  const effort = nearestEffort(wanted.effort, levels);
  if (effort !== null) {
    if (effort !== wanted.effort && wanted.field !== "thinking")
      conversion.warnings.add("changed:output_config.effort");
    return { reasoning_effort: effort };
  }
  if (wanted.effort !== "none") conversion.warnings.dropped(wanted.field);
  return {};
}

// As the protocol's own servers check it, so that the request fails alike on every alias.
function checkBudget(request: MessagesRequest, conversion: Conversion): void {
  if (request.thinking?.type !== "enabled") return;
  const budget = request.thinking.budget_tokens;
  const param = "thinking.budget_tokens";
  if (budget == null || budget < 1024) throw invalid(param, `${param} must be at least 1024.`);
  const interleaved =
    conversion.context.headers?.["anthropic-beta"]?.includes("interleaved-thinking") === true;
  if (budget >= request.max_tokens && !interleaved)
    throw invalid(param, `${param} must be less than max_tokens.`);
}
