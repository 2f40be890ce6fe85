import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import {
  cardOf,
  knownRates,
  type ListEntry,
  type ListedRates,
  type ListedTier,
  ownPerMillion,
  ratesOf,
  tokenCount,
} from "./list-entry";
import type { TokenKind } from "./token-kinds";

/** Without `image` and `image_output`, which are prices of an image in some entries and of a token in others. */
const names: Partial<Record<TokenKind, string>> = {
  input: "prompt",
  cacheRead: "input_cache_read",
  cacheWrite: "input_cache_write",
  cacheWrite1h: "input_cache_write_1h",
  audioInput: "audio",
  output: "completion",
  reasoning: "internal_reasoning",
  audioOutput: "audio_output",
};

/** An entry of the list of OpenRouter; null where it has no prices of tokens. Source: docs/prices.md#lists. */
export function entryOfList(model: unknown): ListEntry | null {
  if (!isObject(model) || typeof model.id !== "string" || !isObject(model.pricing)) return null;
  const { pricing, top_provider: provider } = model;
  const rates = knownRates(told(pricing));
  if (rates === null) return null;
  return {
    name: model.id,
    ...cardOf(rates, sizesOf(pricing)),
    services: {},
    webSearch: ownPerMillion(pricing.web_search),
    perRequest: ownPerMillion(pricing.request),
    contextWindow: tokenCount(model.context_length),
    maxOutputTokens: isObject(provider) ? tokenCount(provider.max_completion_tokens) : null,
  };
}

/** Prices of longer prompts: an override holds for all prompts above its size, and the last of those that hold wins. */
function sizesOf({ overrides }: JsonObject): ListedTier<ListedRates>[] {
  const bySize = (Array.isArray(overrides) ? overrides : []).flatMap((override: unknown) => {
    if (!isObject(override) || isTimed(override)) return [];
    const above = override.min_prompt_tokens;
    return typeof above === "number" ? [{ above, rates: told(override) }] : [];
  });
  const sizes = [...new Set(bySize.map(({ above }) => above))].sort((a, b) => a - b);
  return sizes.map((above) => {
    const holding = bySize.filter((tier) => tier.above <= above);
    return { above, rates: Object.assign({}, ...holding.map(({ rates }) => rates)) as ListedRates };
  });
}

/** Overrides of parts of the day or week are left out. */
function isTimed(override: JsonObject): boolean {
  return ["utc_start", "utc_end", "utc_days"].some((name) => override[name] != null);
}

function told(prices: JsonObject): ListedRates {
  return ratesOf((kind) => {
    const name = names[kind];
    return name === undefined ? null : prices[name];
  });
}
