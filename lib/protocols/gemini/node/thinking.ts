import type { JsonObject } from "@/lib/kernel/json-object";
import { type Effort, effortOfWish, type ReasoningWish } from "@/lib/protocols/generation/request";
import { nearestEffort, type Rendering } from "@/lib/protocols/passes/rendering";
import { mayReason } from "@/lib/protocols/profiles/profile";

/** The budgets of efforts, for models that take no words. Units: tokens. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 512,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: Number.POSITIVE_INFINITY,
  max: Number.POSITIVE_INFINITY,
};

/** The model decides how much it thinks. */
const DYNAMIC = -1;

/**
 * `thinkingConfig` for the client's wishes: a level where the model takes words, else a budget, never both; null for a
 * model that does not think. Thoughts are shown unless the client does not want them. Units: `maxTokens` in tokens.
 * Source: docs/gemini.md#thinking.
 */
export function thinkingConfig(maxTokens: number, rendering: Rendering): JsonObject | null {
  const { profile, losses, request } = rendering;
  const { wish, hidden, overridden } = request.reasoning;
  for (const field of overridden) losses.dropped(field);
  if (!mayReason(profile)) {
    if (wish !== null && wish.kind !== "shown" && effortOfWish(wish) !== "none") losses.dropped(wish.source);
    return null;
  }
  const config: JsonObject = hidden ? {} : { includeThoughts: true };
  if (wish === null || wish.kind === "shown") return hidden ? null : config;
  if (profile.effortLevels.length > 0) addLevel(config, wish, rendering);
  else if (profile.thinking.includes("enabled")) addBudget(config, wish, maxTokens, rendering);
  else losses.dropped(wish.source);
  return config;
}

function addLevel(config: JsonObject, wish: ReasoningWish, { profile, losses }: Rendering): void {
  const wanted = effortOfWish(wish);
  if (wanted === null) return;
  const level = nearestEffort(wanted, profile.effortLevels);
  if (level === null) return;
  if (level !== wanted && wish.kind === "effort") losses.add(`changed:${wish.source}`);
  config.thinkingLevel = level.toUpperCase();
}

function addBudget(
  config: JsonObject,
  wish: ReasoningWish,
  maxTokens: number,
  { profile, losses }: Rendering,
): void {
  const wanted = budgetOf(wish);
  if (wanted === DYNAMIC) {
    config.thinkingBudget = DYNAMIC;
    return;
  }
  if (wanted === 0 && profile.thinking.includes("disabled")) {
    config.thinkingBudget = 0;
    return;
  }
  const { leastThinking: least, mostThinking: most } = profile;
  // The limit of the output includes the thoughts.
  const budget = Math.max(least, Math.min(wanted, most, maxTokens - 1));
  const isExact = wish.kind === "budget" || wanted === 0;
  if (budget !== wanted && isExact) losses.add(`${wanted === 0 ? "changed" : "clamped"}:${wish.source}`);
  config.thinkingBudget = budget;
}

function budgetOf(wish: ReasoningWish): number {
  if (wish.kind === "budget") return wish.budget ?? DYNAMIC;
  const effort = effortOfWish(wish);
  return effort === null ? DYNAMIC : budgets[effort];
}
