import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { type PricedService, pricedServices } from "@/lib/kernel/usage";
import {
  cardOf,
  type KnownRates,
  knownRates,
  type ListEntry,
  type ListedCard,
  type ListedRates,
  type ListedTier,
  ownPerMillion,
  perMillion,
  ratesOf,
  tokenCount,
} from "./list-entry";
import type { TokenKind } from "./token-kinds";

const names: Record<TokenKind, string> = {
  input: "input_cost_per_token",
  cacheRead: "cache_read_input_token_cost",
  cacheWrite: "cache_creation_input_token_cost",
  cacheWrite1h: "cache_creation_input_token_cost_above_1hr",
  audioInput: "input_cost_per_audio_token",
  imageInput: "input_cost_per_image_token",
  output: "output_cost_per_token",
  reasoning: "output_cost_per_reasoning_token",
  audioOutput: "output_cost_per_audio_token",
  imageOutput: "output_cost_per_image_token",
};

/** What the names of a service tier end in. */
const endings: Record<PricedService, string> = { priority: "_priority", flex: "_flex", batch: "_batches" };

/** A price of longer prompts: `…_above_200k_tokens`, for a service tier with its ending. */
const sizeName = new RegExp(
  `^(?:${Object.values(names).join("|")})_above_(\\d{1,6})k_tokens(?:${Object.values(endings).join("|")})?$`,
);

/** An entry of the map that LiteLLM publishes; null where it has no prices of tokens. Source: docs/prices.md#lists. */
export function entryOfMap(name: string, model: unknown): ListEntry | null {
  if (!isObject(model)) return null;
  const ranged = rangedCard(model);
  const card = ranged ?? sizedCard(model);
  if (card === null) return null;
  const search = model.search_context_cost_per_query;
  return {
    name,
    ...card,
    services: ranged === null ? servicesOf(model, card.rates) : {},
    webSearch: ownPerMillion(isObject(search) ? search.search_context_size_medium : null),
    perRequest: ownPerMillion(model.input_cost_per_request),
    contextWindow: tokenCount(model.max_input_tokens),
    maxOutputTokens: tokenCount(model.max_output_tokens),
  };
}

/** The card of `tiered_pricing`. A range has all of its prices, but for an output that only the model tells; the first is the base. */
function rangedCard(model: JsonObject): ListedCard | null {
  const ranges = Array.isArray(model.tiered_pricing) ? model.tiered_pricing.filter(isObject) : [];
  const output = perMillion(model.output_cost_per_token);
  const tiers = ranges.flatMap((told): ListedTier[] => {
    const above: unknown = Array.isArray(told.range) ? told.range[0] : null;
    const rates = knownRates({
      ...(output !== null && { output }),
      ...ratesOf((kind) => told[names[kind]]),
    });
    return typeof above === "number" && rates !== null ? [{ above, rates }] : [];
  });
  const [first, ...longer] = tiers.sort((a, b) => a.above - b.above);
  if (first === undefined) return null;
  // A range without the price of its output would make long answers free.
  if (first.rates.output != null && longer.some(({ rates }) => rates.output == null)) return null;
  return { rates: first.rates, tiers: longer };
}

/** The card of prices by name, with those `…_above_<size>_tokens`. */
function sizedCard(model: JsonObject): ListedCard | null {
  const rates = knownRates(told(model));
  if (rates === null) return null;
  const longer = sizesOf(model).map((size) => ({ above: size * 1000, rates: told(model, size) }));
  return cardOf(rates, longer);
}

/** Service tiers with a price of input; what is not told of one costs what it does without the service tier. */
function servicesOf(model: JsonObject, standard: KnownRates): ListEntry["services"] {
  const services = pricedServices.flatMap((service) => {
    const own = told(model, null, service);
    const rates = own.input === undefined ? null : knownRates({ ...standard, ...own });
    if (rates === null) return [];
    const sizes = sizesOf(model).map((size) => ({
      above: size * 1000,
      rates: { ...told(model, size), ...told(model, size, service) },
    }));
    return [[service, cardOf(rates, sizes)] as const];
  });
  return Object.fromEntries(services);
}

/** The sizes that have prices of their own. Units: thousands of tokens. */
function sizesOf(model: JsonObject): number[] {
  const sizes = Object.keys(model).flatMap((name) => sizeName.exec(name)?.[1] ?? []);
  return [...new Set(sizes.map(Number))].sort((a, b) => a - b);
}

function told(
  model: JsonObject,
  size: number | null = null,
  service: PricedService | null = null,
): ListedRates {
  const ending = (size === null ? "" : `_above_${size}k_tokens`) + (service === null ? "" : endings[service]);
  return ratesOf((kind) => model[names[kind] + ending]);
}
