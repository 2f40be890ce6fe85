import { type PricedTool, pricedServices, pricedTools } from "@/lib/kernel/usage";
import { fromScaled, toScaled } from "../decimal";
import type { DeclaredChange, DeclaredPrices } from "./declared-prices";
import { FACTOR_UNITS } from "./price-version";
import { tokenKinds } from "./token-kinds";

/** A thousandth of a cent per million tokens: prices have no smaller part. */
const PRICE_STEP = toScaled("0.001");

/** A micro-cent per call or request. */
const CALL_STEP = toScaled(1);

/**
 * Declared prices times a factor, each rounded to the nearest, halves up: of tokens, calls and requests, also those of tiers and
 * windows. Factors inside stay as they are. Units: the factor has at most 4 decimals.
 */
export function scaledPrices(prices: DeclaredPrices, factor: number): DeclaredPrices {
  const { perCall, perRequest, services, windows, ...card } = prices;
  const perUse = (microCents: number | null | undefined) =>
    microCents == null ? null : scaled(microCents, factor, CALL_STEP);
  const ofCalls = pricedTools.map((tool) => [tool, perUse(perCall?.[tool])] as const);
  const ofServices = pricedServices.flatMap((service) => {
    const change = services?.[service];
    return change == null ? [] : [[service, scaledRates(change, factor)] as const];
  });
  return {
    ...scaledRates(card, factor),
    perCall: Object.fromEntries(ofCalls) as Record<PricedTool, number | null>, // each tool has an entry
    ...(perRequest != null && { perRequest: perUse(perRequest) }),
    ...(services != null && { services: Object.fromEntries(ofServices) }),
    ...(windows != null && { windows: windows.map((window) => scaledRates(window, factor)) }),
  };
}

/** Rates are scaled; a factor is already one of the scaled rates. */
function scaledRates<Declared extends DeclaredChange>(declared: Declared, factor: number): Declared {
  const changed: Declared = { ...declared };
  for (const kind of tokenKinds) {
    const rate = changed[kind];
    if (rate != null) Object.assign(changed, { [kind]: scaledRate(rate, factor) });
  }
  if (declared.tiers != null) changed.tiers = declared.tiers.map((tier) => scaledRates(tier, factor));
  return changed;
}

/** One price of tokens times a factor, rounded to the nearest, halves up. Units: cents per million tokens. */
export function scaledRate(cents: number, factor: number): number {
  return scaled(cents, factor, PRICE_STEP);
}

function scaled(price: number, factor: number, step: bigint): number {
  const units = BigInt(Math.round(factor * Number(FACTOR_UNITS)));
  const whole = step * FACTOR_UNITS;
  return Number(fromScaled(((toScaled(price) * units * 2n + whole) / (2n * whole)) * step));
}
