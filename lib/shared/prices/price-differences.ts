import { type PricedService, type PricedTool, pricedServices, pricedTools } from "@/lib/kernel/usage";
import type { DeclaredCard, DeclaredChange, DeclaredPrices, DeclaredRates } from "./declared-prices";
import { type ChildKind, parentKinds, type TokenKind, tokenKinds } from "./token-kinds";

/** Kinds whose prices do not stand beside input and output everywhere. */
const otherKinds = [
  "cacheWrite1h",
  "audioInput",
  "imageInput",
  "reasoning",
  "audioOutput",
  "imageOutput",
] as const satisfies ChildKind[];

/** What differs between prices beside those of the standard input, output and caches. */
export interface OtherDifferences {
  /** Null: the price of the parent. Units: cents per million tokens. */
  kinds: { kind: (typeof otherKinds)[number]; now: number | null; after: number | null }[];
  /** How many there are; null: they are the same. */
  tiers: number | null;
  services: PricedService[];
  /** Units: micro-cents per call. */
  calls: { tool: PricedTool; now: number | null; after: number | null }[];
  /** Units: micro-cents per request. */
  request: { now: number | null; after: number | null } | null;
}

/** The price of a kind of tokens, or that of its parent. Units: cents per million tokens. */
export function declaredRateOf(rates: DeclaredRates, kind: TokenKind): number {
  if (kind === "input" || kind === "output") return rates[kind];
  return rates[kind] ?? declaredRateOf(rates, parentKinds[kind]);
}

/** True when every request costs the same by both: absent, null and the price of the parent are one. */
export function samePrices(a: DeclaredPrices, b: DeclaredPrices): boolean {
  return JSON.stringify(valuesOf(a)) === JSON.stringify(valuesOf(b));
}

/** True when each kind of tokens costs the same by both. */
export function sameRates(a: DeclaredRates, b: DeclaredRates): boolean {
  return tokenKinds.every((kind) => declaredRateOf(a, kind) === declaredRateOf(b, kind));
}

/** What differs beside the standard prices of input, output and caches. Null: there are no prices now. */
export function otherDifferences(now: DeclaredPrices | null, after: DeclaredPrices): OtherDifferences {
  const kinds = otherKinds.map((kind) => ({
    kind,
    now: now && ownRateOf(now, kind),
    after: ownRateOf(after, kind),
  }));
  const calls = pricedTools.map((tool) => ({
    tool,
    now: now?.perCall?.[tool] ?? null,
    after: after.perCall?.[tool] ?? null,
  }));
  const request = { now: now?.perRequest || null, after: after.perRequest || null };
  const serviceValues = (prices: DeclaredPrices | null, service: PricedService) =>
    JSON.stringify(changeValues(prices?.services?.[service]));
  const sameTiers = JSON.stringify(tierValues(now)) === JSON.stringify(tierValues(after));
  return {
    kinds: kinds.filter(differs),
    tiers: sameTiers ? null : (after.tiers?.length ?? 0),
    services: pricedServices.filter(
      (service) => serviceValues(now, service) !== serviceValues(after, service),
    ),
    calls: calls.filter(differs),
    request: differs(request) ? request : null,
  };
}

function differs({ now, after }: { now: number | null; after: number | null }): boolean {
  return now !== after;
}

/** Null for a kind that costs what its parent does. */
function ownRateOf(rates: DeclaredRates, kind: ChildKind): number | null {
  const rate = declaredRateOf(rates, kind);
  return rate === declaredRateOf(rates, parentKinds[kind]) ? null : rate;
}

/** All that prices have, in one order, with the price that applies in place of one that is absent. */
function valuesOf(prices: DeclaredPrices): unknown[] {
  return [
    cardValues(prices),
    pricedTools.map((tool) => prices.perCall?.[tool] ?? null),
    prices.perRequest ?? 0,
    pricedServices.map((service) => changeValues(prices.services?.[service])),
    (prices.windows ?? []).map((window) => [
      window.from,
      window.to,
      window.timeZone,
      [...(window.days ?? everyDay)].sort((a, b) => a - b),
      changeValues(window),
    ]),
  ];
}

const everyDay = [1, 2, 3, 4, 5, 6, 7];

function changeValues(change: DeclaredChange | null | undefined): unknown[] | null {
  if (change == null) return null;
  const { factor, input, output, ...others } = change;
  return input != null && output != null ? cardValues({ ...others, input, output }) : [factor ?? 1];
}

function cardValues(card: DeclaredCard): unknown[] {
  return [tokenKinds.map((kind) => declaredRateOf(card, kind)), tierValues(card)];
}

function tierValues(card: Pick<DeclaredCard, "tiers"> | null): unknown[] {
  return (card?.tiers ?? []).map((tier) => [
    tier.above,
    ...tokenKinds.map((kind) => declaredRateOf(tier, kind)),
  ]);
}
