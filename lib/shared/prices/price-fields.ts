import { callPriceRecord, type PricedService, pricedServices } from "@/lib/kernel/usage";
import { centsPerMillion } from "./cents-per-million";
import type { DeclaredChange, DeclaredTier, DeclaredWindow } from "./declared-prices";
import {
  FACTOR_UNITS,
  type PriceChange,
  type Prices,
  type PriceWindow,
  type RateCard,
  type Rates,
  rateOf,
} from "./price-version";
import { type ChildKind, childKinds } from "./token-kinds";

/**
 * Prices as APIs show them: the caches of the standard rates with the price that applies; a kind of tokens without a price of its
 * own is null there and left out below. Units: cents per million tokens, micro-cents per call and request.
 */
export function priceFieldsOf({ rates, tiers, perCall, perRequest, services, windows }: Prices) {
  return {
    input: centsPerMillion(rates.input),
    output: centsPerMillion(rates.output),
    cacheRead: centsPerMillion(rateOf(rates, "cacheRead")),
    cacheWrite: centsPerMillion(rateOf(rates, "cacheWrite")),
    cacheWrite1h: centsOrNull(rates.cacheWrite1h),
    audioInput: centsOrNull(rates.audioInput),
    imageInput: centsOrNull(rates.imageInput),
    reasoning: centsOrNull(rates.reasoning),
    audioOutput: centsOrNull(rates.audioOutput),
    imageOutput: centsOrNull(rates.imageOutput),
    perCall: callPriceRecord(perCall),
    perRequest: perRequest === 0n ? null : Number(perRequest),
    tiers: tiers.map(tierOf),
    services: servicesOf(services),
    windows: windows.map(windowOf),
  };
}

function centsOrNull(nanoCents: bigint | null): number | null {
  return nanoCents === null ? null : centsPerMillion(nanoCents);
}

function ratesOf(rates: Rates) {
  const own = childKinds.flatMap((kind) => {
    const nanoCents = rates[kind];
    return nanoCents === null ? [] : [[kind, centsPerMillion(nanoCents)] as const];
  });
  const children: { [Kind in ChildKind]?: number } = Object.fromEntries(own);
  return { input: centsPerMillion(rates.input), output: centsPerMillion(rates.output), ...children };
}

function tierOf({ above, rates }: RateCard["tiers"][number]): DeclaredTier {
  return { above, ...ratesOf(rates) };
}

function changeOf(change: PriceChange): DeclaredChange {
  if ("factor" in change) return { factor: Number(change.factor) / Number(FACTOR_UNITS) };
  const tiers = change.tiers.map(tierOf);
  return { ...ratesOf(change.rates), ...(tiers.length > 0 && { tiers }) };
}

function servicesOf(services: Prices["services"]): { [Service in PricedService]?: DeclaredChange } {
  const shown = pricedServices.flatMap((service) => {
    const change = services[service];
    return change === undefined ? [] : [[service, changeOf(change)] as const];
  });
  return Object.fromEntries(shown);
}

function windowOf({ timeZone, days, fromMinute, toMinute, change }: PriceWindow): DeclaredWindow {
  return { from: timeOf(fromMinute), to: timeOf(toMinute), timeZone, days: [...days], ...changeOf(change) };
}

function timeOf(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
