import type { JsonObject } from "@/lib/kernel/json-object";
import type { Effort, ReasoningWish } from "@/lib/protocols/generation/request";
import { nearestEffort, type Rendering } from "@/lib/protocols/passes/rendering";
import { isThinking } from "./render-content";
import type { RenderedTurn } from "./render-history";

/** The reasoning fields of a request. `mode` decides the rules for the rest of the request. */
export interface ReasoningPlan {
  mode: "off" | "enabled" | "adaptive";
  /** The client set this mode itself; false: it was derived from an effort. */
  explicit: boolean;
  /** The client's field for it. */
  field: string;
  thinking: JsonObject | null;
  effort: Effort | null;
}

const off: ReasoningPlan = { mode: "off", explicit: false, field: "", thinking: null, effort: null };
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

/** Plans the client's reasoning wishes in the fields of messages. Source: docs/protocols.md#s4-7, #s8-4, #d6. */
export function planReasoning(
  turns: readonly RenderedTurn[],
  maxTokens: number,
  rendering: Rendering,
): ReasoningPlan {
  const { wish, hidden, overridden } = rendering.request.reasoning;
  for (const field of overridden) rendering.losses.dropped(field);
  if (wish === null) return off;
  const plan = planFor(wish, maxTokens, rendering);
  if (plan.mode === "enabled" && hasUnsignedLoop(turns)) {
    rendering.losses.dropped(wish.source);
    return off;
  }
  if (plan.thinking === null || plan.mode === "off" || hidden || !rendering.profile.omitsThinking)
    return plan;
  return { ...plan, thinking: { ...plan.thinking, display: "summarized" } };
}

function planFor(wish: ReasoningWish, maxTokens: number, rendering: Rendering): ReasoningPlan {
  switch (wish.kind) {
    case "effort":
      return wish.effort === "none"
        ? withoutThinking(rendering)
        : withEffort(wish.effort, wish.source, maxTokens, rendering);
    case "budget":
      return withBudget(wish, maxTokens, rendering);
    case "mode":
      return withMode(wish, maxTokens, rendering);
    case "shown":
      return shown(wish.source, maxTokens, rendering);
  }
}

// A model whose thinking cannot be disabled gets the lowest effort.
function withoutThinking({ profile, losses }: Rendering): ReasoningPlan {
  const { thinking, effortLevels } = profile;
  if (!thinking.includes("adaptive")) return off;
  if (thinking.includes("disabled")) return { ...off, thinking: { type: "disabled" } };
  if (thinking.includes("between_tools")) return { ...off, thinking: { type: "between_tools" } };
  losses.add("changed:reasoning_effort");
  return { ...off, effort: nearestEffort("low", effortLevels) };
}

function withEffort(effort: Effort, field: string, maxTokens: number, rendering: Rendering): ReasoningPlan {
  const { thinking, effortLevels } = rendering.profile;
  if (thinking.includes("adaptive")) {
    const level = nearestEffort(effort, effortLevels);
    if (level !== null && level !== effort && effort !== "minimal")
      rendering.losses.add("changed:reasoning_effort");
    return { mode: "adaptive", explicit: false, field, thinking: { type: "adaptive" }, effort: level };
  }
  if (thinking.includes("enabled")) return enabled(budgets[effort], maxTokens, false, field, rendering);
  rendering.losses.dropped(field);
  return off;
}

function withBudget(
  wish: Extract<ReasoningWish, { kind: "budget" }>,
  maxTokens: number,
  rendering: Rendering,
): ReasoningPlan {
  const { thinking } = rendering.profile;
  const { explicit, source: field } = wish;
  if (thinking.includes("enabled"))
    return enabled(wish.budget ?? usualBudget, maxTokens, explicit, field, rendering);
  if (thinking.includes("adaptive")) {
    rendering.losses.add(`changed:${field}`);
    return { ...off, mode: "adaptive", explicit, field, thinking: { type: "adaptive" } };
  }
  rendering.losses.dropped(field);
  return off;
}

function withMode(
  { mode, source }: Extract<ReasoningWish, { kind: "mode" }>,
  maxTokens: number,
  rendering: Rendering,
): ReasoningPlan {
  if (rendering.profile.thinking.includes(mode)) {
    const is = mode === "adaptive" ? "adaptive" : "off";
    return { ...off, mode: is, explicit: true, field: source, thinking: { type: mode } };
  }
  if (mode === "between_tools") return withoutThinking(rendering);
  return withBudget({ kind: "budget", budget: usualBudget, explicit: true, source }, maxTokens, rendering);
}

// Enables thinking on models that think only on request; models without thinking have none to show.
function shown(field: string, maxTokens: number, rendering: Rendering): ReasoningPlan {
  const { thinking } = rendering.profile;
  if (thinking.includes("adaptive"))
    return { ...off, mode: "adaptive", field, thinking: { type: "adaptive" } };
  if (!thinking.includes("enabled")) return off;
  // Thinking that the client only wants to see takes at most half of the output limit.
  if (maxTokens >= 2 * usualBudget) return enabled(usualBudget, maxTokens, false, field, rendering);
  rendering.losses.dropped(field);
  return off;
}

// The output limit bounds the client's cost: a budget above it is lowered, the limit is never raised.
function enabled(
  budget: number,
  maxTokens: number,
  explicit: boolean,
  field: string,
  { losses }: Rendering,
): ReasoningPlan {
  const fitting = Math.min(budget, maxTokens - 1);
  if (fitting < leastBudget) {
    losses.dropped(field);
    return off;
  }
  if (fitting < budget && explicit) losses.add("clamped:thinking.budget_tokens");
  return { ...off, mode: "enabled", explicit, field, thinking: { type: "enabled", budget_tokens: fitting } };
}

// With a thinking budget the last assistant turn of a running tool loop must begin with its signed thinking.
function hasUnsignedLoop(turns: readonly RenderedTurn[]): boolean {
  const isLoop = turns.at(-1)?.content.some((block) => block.type === "tool_result") === true;
  if (!isLoop) return false;
  const first = turns.findLast((turn) => turn.role === "assistant")?.content[0];
  return first === undefined || !isThinking(first);
}
