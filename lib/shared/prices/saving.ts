import { promptTokens, type Usage } from "@/lib/kernel/usage";
import { tokensMicroCents } from "./cost";
import { effectivePrice } from "./effective-price";
import type { Prices, PriceTerms } from "./price-version";
import { countsOf } from "./token-kinds";

/**
 * How much less a request costs than with the input price for all of its cached input; below 0 when writing to the cache
 * cost more than reading from it saved. Units: micro-cents. Throws: RangeError as `costMicroCents`.
 * Source: docs/contract.md#cache-saving.
 */
export function savingMicroCents(usage: Usage, prices: Prices | undefined, terms: PriceTerms): bigint {
  if (prices === undefined || usage.cacheRead + usage.cacheWrite === 0) return 0n;
  const effective = effectivePrice(prices, terms, promptTokens(usage));
  const { input } = effective.rates;
  const uncached = { ...effective.rates, cacheRead: input, cacheWrite: input, cacheWrite1h: input };
  const counts = countsOf(usage);
  return tokensMicroCents(counts, { ...effective, rates: uncached }) - tokensMicroCents(counts, effective);
}
