import { ceilDiv, NANO_PER_MICRO } from "@/lib/kernel/money";
import { callsMicroCents, promptTokens, type Usage } from "@/lib/kernel/usage";
import { type EffectivePrice, effectivePrice, FACTOR_SCALE } from "./effective-price";
import { MAX_NANO_CENTS, type Prices, type PriceTerms, type Rates, rateOf } from "./price-version";
import { countsOf, type TokenCounts, tokenKinds } from "./token-kinds";

/** Largest count of tokens of one kind in one request. Source: docs/reliability.md#s2-2. */
export const MAX_TOKENS = 100_000_000;

/**
 * The cost of one request: its tokens, rounded up once, its calls of tools and the price of a request.
 * Units: micro-cents. Throws: RangeError for counts or prices out of bounds; input validation refuses these earlier.
 * Source: docs/reliability.md#s2-2.
 */
export function costMicroCents(usage: Usage, prices: Prices, terms: PriceTerms): bigint {
  const effective = effectivePrice(prices, terms, promptTokens(usage));
  const tokens = tokensMicroCents(countsOf(usage), effective);
  return tokens + callsMicroCents(usage.calls, prices.perCall) + requestMicroCents(usage, prices);
}

/** What the request itself costs: nothing when it was not answered, or with nothing. Units: micro-cents. */
export function requestMicroCents(usage: Usage, { perRequest }: Prices): bigint {
  return promptTokens(usage) + usage.output === 0 && usage.calls === undefined ? 0n : perRequest;
}

/** The cost of tokens, rounded up once. Units: micro-cents. Throws: RangeError as `costMicroCents`. */
export function tokensMicroCents(counts: TokenCounts, { rates, factor }: EffectivePrice): bigint {
  return ceilDiv(sumOf(counts, rates) * factor, NANO_PER_MICRO * FACTOR_SCALE);
}

/** Units: nano-cents, before the factor. */
function sumOf(counts: TokenCounts, rates: Rates): bigint {
  let sum = 0n;
  for (const kind of tokenKinds) {
    const count = counts[kind];
    if (count !== 0) sum += checkedCount(count) * checkedRate(rateOf(rates, kind));
  }
  return sum;
}

/** Throws: RangeError for a count that no request can have. */
export function checkedCount(count: number): bigint {
  if (!Number.isInteger(count) || count < 0 || count > MAX_TOKENS) {
    throw new RangeError(`impossible count of tokens: ${count}`);
  }
  return BigInt(count);
}

/** Throws: RangeError for a rate that no price can have. */
export function checkedRate(nanoCents: bigint): bigint {
  if (nanoCents < 0n || nanoCents > MAX_NANO_CENTS) throw new RangeError(`impossible price: ${nanoCents}`);
  return nanoCents;
}
