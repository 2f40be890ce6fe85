import { pricedServices } from "@/lib/kernel/usage";
import type { OtherPrice } from "@/lib/protocols/passes/extra-costs";
import type { PriceChange, Prices, RateCard } from "./price-version";
import type { TokenKind } from "./token-kinds";

/** Kinds of tokens that only some requests have. */
const specialKinds = ["cacheWrite1h", "audioInput", "imageInput", "audioOutput", "imageOutput"] as const;

/** What some requests are billed by and others are not. */
export interface SpecialPrices {
  /** Kinds of tokens that only some requests have and that have a rate of their own somewhere. */
  readonly kinds: ReadonlySet<TokenKind>;
  /** True when a service tier has prices. */
  readonly services: boolean;
  /** What beside tokens of text and calls of tools has a price. */
  readonly extras: ReadonlySet<OtherPrice>;
  /** True when all requests have the same rates. */
  readonly none: boolean;
}

const known = new WeakMap<Prices, SpecialPrices>();

/** What of a price version only some requests are billed by; found once for each version. */
export function specialPricesOf(prices: Prices): SpecialPrices {
  const found = known.get(prices);
  if (found !== undefined) return found;
  const ratesOfAll = cardsOf(prices).flatMap(({ rates, tiers }) => [
    rates,
    ...tiers.map((tier) => tier.rates),
  ]);
  const kinds = new Set<TokenKind>(
    specialKinds.filter((kind) => ratesOfAll.some((rates) => rates[kind] !== null)),
  );
  const services = pricedServices.filter((service) => prices.services[service] !== undefined);
  const media = (["audioOutput", "imageOutput"] as const).filter((kind) => prices.rates[kind] !== null);
  const none = kinds.size === 0 && services.length === 0 && prices.windows.length === 0;
  const special = { kinds, services: services.length > 0, extras: new Set([...services, ...media]), none };
  known.set(prices, special);
  return special;
}

/** What beside tokens of text and calls of tools has a price. */
export function extraPricesOf(prices: Prices): ReadonlySet<OtherPrice> {
  return specialPricesOf(prices).extras;
}

function cardsOf(prices: Prices): RateCard[] {
  const changes: PriceChange[] = [
    ...prices.windows.map(({ change }) => change),
    ...pricedServices.flatMap((service) => prices.services[service] ?? []),
  ];
  return [prices, ...changes.filter((change) => "rates" in change)];
}
