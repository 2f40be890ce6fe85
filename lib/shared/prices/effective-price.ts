import type { PricedService } from "@/lib/kernel/usage";
import {
  FACTOR_UNITS,
  type PriceChange,
  type Prices,
  type PriceTerms,
  type RateCard,
  type Rates,
} from "./price-version";

/** The rates of one request. */
export interface EffectivePrice {
  rates: Rates;
  /** On the sum of all tokens; in parts of `FACTOR_SCALE`. */
  factor: bigint;
  /** The size that the prompt exceeds; null: no tier of size applies. Units: tokens. */
  above: number | null;
  /** What changed the rates, as receipts name it. */
  service: PricedService | null;
  window: number | null;
}

/** A factor of 1: those of a service tier and of a window may be multiplied. */
export const FACTOR_SCALE = FACTOR_UNITS * FACTOR_UNITS;

/** Rates before the size of the prompt is known. */
interface Card {
  card: RateCard;
  factor: bigint;
  service: PricedService | null;
  window: number | null;
}

/**
 * The rates by which a request is billed. A window comes first, then the service tier: rates of its own replace all
 * others, factors are multiplied; then the size of the whole prompt chooses. A tier or window that the version does not have
 * changes nothing. Units: tokens. Source: docs/reliability.md#s2-2.
 */
export function effectivePrice(prices: Prices, terms: PriceTerms, promptTokens: number): EffectivePrice {
  const { card, factor, service, window } = cardOf(prices, terms);
  let rates = card.rates;
  let above: number | null = null;
  for (const tier of card.tiers) {
    if (promptTokens <= tier.above) break;
    rates = tier.rates;
    above = tier.above;
  }
  return { rates, factor, above, service, window };
}

/** The rates and factor before the size of the prompt is known. */
export function cardOf(prices: Prices, { service, window }: PriceTerms): Card {
  const standard: Card = { card: prices, factor: FACTOR_SCALE, service: null, window: null };
  const ofWindow = window === null ? undefined : prices.windows[window]?.change;
  const inWindow = ofWindow === undefined ? standard : { ...changed(standard, ofWindow), window };
  const ofService = service === null ? undefined : prices.services[service];
  if (ofService === undefined) return inWindow;
  if ("rates" in ofService) return { ...changed(standard, ofService), service };
  return { ...changed(inWindow, ofService), service };
}

function changed(before: Card, change: PriceChange): Card {
  if ("rates" in change) return { ...before, card: change };
  return { ...before, factor: (before.factor * change.factor) / FACTOR_UNITS };
}
