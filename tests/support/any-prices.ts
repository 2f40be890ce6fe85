import fc from "fast-check";
import { pricedServices, type TokenParts, tokenParts, type Usage } from "@/lib/kernel/usage";
import {
  MAX_NANO_CENTS,
  type PriceChange,
  type Prices,
  type PriceTerms,
  type PriceWindow,
  type RateCard,
  type Rates,
} from "@/lib/shared/prices/price-version";
import { type ChildKind, childKinds } from "@/lib/shared/prices/token-kinds";

/** The largest rate that no factor of `anyPrices` takes beyond the highest price. */
const MOST_RATE = MAX_NANO_CENTS / 10_000n;

const rate = fc.oneof(
  fc.bigInt({ min: 0n, max: MOST_RATE }),
  fc.constantFrom(0n, 1n, 999n, 1_000n, MOST_RATE),
);

const children = Object.fromEntries(childKinds.map((kind) => [kind, fc.option(rate)]));

/** Any rates, with and without those of child kinds. */
const anyRates: fc.Arbitrary<Rates> = fc.record({
  ...(children as Record<ChildKind, fc.Arbitrary<bigint | null>>), // each kind has an entry
  input: rate,
  output: rate,
});

const size = fc.oneof(fc.integer({ min: 1, max: 400_000 }), fc.constantFrom(1, 200_000, 272_000));

const anyCard: fc.Arbitrary<RateCard> = fc.record({
  rates: anyRates,
  tiers: fc
    .uniqueArray(fc.record({ above: size, rates: anyRates }), {
      maxLength: 4,
      selector: ({ above }) => above,
    })
    .map((tiers) => [...tiers].sort((a, b) => a.above - b.above)),
});

const anyChange: fc.Arbitrary<PriceChange> = fc.oneof(
  fc.record({ factor: fc.bigInt({ min: 0n, max: 1_000_000n }) }),
  anyCard,
);

const anyWindow: fc.Arbitrary<PriceWindow> = fc.record({
  timeZone: fc.constantFrom("UTC", "Asia/Shanghai", "America/New_York"),
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  fromMinute: fc.integer({ min: 0, max: 1_439 }),
  toMinute: fc.integer({ min: 0, max: 1_440 }),
  change: anyChange,
});

/** Any prices: rates, tiers of size, service tiers, windows. */
export const anyPrices: fc.Arbitrary<Prices> = fc
  .record({
    card: anyCard,
    perRequest: fc.bigInt({ min: 0n, max: 1_000_000_000_000n }),
    services: fc.dictionary(fc.constantFrom(...pricedServices), anyChange),
    windows: fc.array(anyWindow, { maxLength: 3 }),
  })
  .map(({ card, ...others }) => ({ ...card, ...others, perCall: {} }));

const count = fc.oneof(
  fc.integer({ min: 0, max: 500_000 }),
  fc.constantFrom(0, 1, 200_000, 200_001, 10_000_000),
);

const anyParts: fc.Arbitrary<TokenParts> = fc.dictionary(fc.constantFrom(...tokenParts), count);

/** Any usage of a request. */
export const anyUsage: fc.Arbitrary<Usage> = fc
  .record({
    inputUncached: count,
    cacheRead: count,
    cacheWrite: count,
    output: count,
    reasoning: count,
    parts: fc.option(anyParts),
  })
  .map(({ parts, ...counts }) => (parts === null ? counts : { ...counts, parts }));

/** Any terms, also ones that a price does not have. */
export const anyTerms: fc.Arbitrary<PriceTerms> = fc.record({
  service: fc.option(fc.constantFrom(...pricedServices)),
  window: fc.option(fc.integer({ min: 0, max: 3 })),
});
