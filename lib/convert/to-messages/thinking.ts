import type { Conversion } from "@/lib/convert/conversion";
import {
  type Effort,
  excludesReasoning,
  nearestEffort,
  type ReasoningRequest,
  readReasoning,
} from "@/lib/convert/reasoning-request";
import type { Turn } from "@/lib/convert/to-messages/turns";
import type { JsonObject } from "@/lib/kernel/json";
import type { ChatRequest } from "@/lib/protocols/chat/schema";

/** How the upstream is asked to think. `mode` says which rules hold for the rest of the request. */
export interface ThinkingPlan {
  mode: "off" | "enabled" | "adaptive";
  /** The client asked for exactly this in `thinking`, rather than for some effort. */
  explicit: boolean;
  /** The client's field that asked for it. */
  field: string;
  thinking: JsonObject | null;
  effort: Effort | null;
}

const off: ThinkingPlan = { mode: "off", explicit: false, field: "", thinking: null, effort: null };
const leastBudget = 1024;
const usualBudget = 4096;
const budgets: Record<Effort, number> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 2048,
  high: 4096,
  xhigh: 8192,
  max: 16_384,
};

/**
 * Reasoning fields of a chat request in messages terms. Throws: INVALID_REQUEST. Source: docs/protocols.md#s4-7, #s8-4,
 * #d6.
 */
export function planThinking(
  request: ChatRequest,
  turns: Turn[],
  maxTokens: number,
  conversion: Conversion,
): ThinkingPlan {
  const wanted = readReasoning(request);
  if (wanted.kind === "absent") {
    if (request.thinking != null) conversion.warnings.dropped("thinking");
    return off;
  }
  if (wanted.field === "thinking" && request.reasoning_effort != null)
    conversion.warnings.dropped("reasoning_effort");
  const plan = planFor(wanted, maxTokens, conversion);
  if (plan.mode === "enabled" && hasUnsignedLoop(turns)) {
    conversion.warnings.dropped(wanted.field);
    return off;
  }
  return withDisplay(plan, excludesReasoning(request), conversion);
}

function planFor(
  wanted: Exclude<ReasoningRequest, { kind: "absent" }>,
  maxTokens: number,
  conversion: Conversion,
): ThinkingPlan {
  switch (wanted.kind) {
    case "effort":
      return wanted.effort === "none"
        ? withoutThinking(conversion)
        : withEffort(wanted.effort, wanted.field, maxTokens, conversion);
    case "budget":
      return withBudget(wanted, maxTokens, conversion);
    case "type":
      return withType(wanted.type, maxTokens, conversion);
  }
}

// A model that cannot switch thinking off thinks as little as it can.
function withoutThinking(conversion: Conversion): ThinkingPlan {
  const { thinking, effortLevels } = conversion.profile;
  if (!thinking.includes("adaptive")) return off;
  if (thinking.includes("disabled")) return { ...off, thinking: { type: "disabled" } };
  if (thinking.includes("between_tools")) return { ...off, thinking: { type: "between_tools" } };
  conversion.warnings.add("changed:reasoning_effort");
  return { ...off, effort: nearestEffort("low", effortLevels) };
}

function withEffort(effort: Effort, field: string, maxTokens: number, conversion: Conversion): ThinkingPlan {
  const { thinking, effortLevels } = conversion.profile;
  if (thinking.includes("adaptive")) {
    const level = nearestEffort(effort, effortLevels);
    if (level !== null && level !== effort && effort !== "minimal")
      conversion.warnings.add("changed:reasoning_effort");
    return { mode: "adaptive", explicit: false, field, thinking: { type: "adaptive" }, effort: level };
  }
  if (thinking.includes("enabled")) return enabled(budgets[effort], maxTokens, false, field, conversion);
  conversion.warnings.dropped(field);
  return off;
}

function withBudget(
  wanted: Extract<ReasoningRequest, { kind: "budget" }>,
  maxTokens: number,
  conversion: Conversion,
): ThinkingPlan {
  const { thinking } = conversion.profile;
  if (thinking.includes("enabled")) {
    return enabled(wanted.budget ?? usualBudget, maxTokens, wanted.explicit, wanted.field, conversion);
  }
  if (thinking.includes("adaptive")) {
    conversion.warnings.add(`changed:${wanted.field}`);
    return {
      ...off,
      mode: "adaptive",
      explicit: wanted.explicit,
      field: wanted.field,
      thinking: { type: "adaptive" },
    };
  }
  conversion.warnings.dropped(wanted.field);
  return off;
}

function withType(
  type: "adaptive" | "between_tools",
  maxTokens: number,
  conversion: Conversion,
): ThinkingPlan {
  const { thinking } = conversion.profile;
  if (thinking.includes(type)) {
    const mode = type === "adaptive" ? "adaptive" : "off";
    return { ...off, mode, explicit: true, field: "thinking", thinking: { type } };
  }
  if (type === "between_tools") return withoutThinking(conversion);
  return withBudget(
    { kind: "budget", budget: usualBudget, explicit: true, field: "thinking" },
    maxTokens,
    conversion,
  );
}

// The output ceiling is the client's cost ceiling: the budget gives way, never the ceiling.
function enabled(
  budget: number,
  maxTokens: number,
  explicit: boolean,
  field: string,
  conversion: Conversion,
): ThinkingPlan {
  const fitting = Math.min(budget, maxTokens - 1);
  if (fitting < leastBudget) {
    conversion.warnings.dropped(field);
    return off;
  }
  if (fitting < budget && explicit) conversion.warnings.add("clamped:thinking.budget_tokens");
  return { ...off, mode: "enabled", explicit, field, thinking: { type: "enabled", budget_tokens: fitting } };
}

function withDisplay(plan: ThinkingPlan, excluded: boolean, conversion: Conversion): ThinkingPlan {
  if (plan.thinking === null || plan.mode === "off" || excluded || !conversion.profile.omitsThinking)
    return plan;
  return { ...plan, thinking: { ...plan.thinking, display: "summarized" } };
}

// With a thinking budget the last assistant turn of a running tool loop must begin with its signed thinking.
function hasUnsignedLoop(turns: Turn[]): boolean {
  const isLoop = turns.at(-1)?.content.some((block) => block.type === "tool_result") === true;
  if (!isLoop) return false;
  const first = turns.findLast((turn) => turn.role === "assistant")?.content[0];
  return first?.type !== "thinking" && first?.type !== "redacted_thinking";
}
