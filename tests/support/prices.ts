import type { DeclaredPrices } from "@/lib/shared/prices/declared-prices";
import type { PriceVersion } from "@/lib/shared/prices/price-version";
import { pricesOfDeclared } from "@/lib/shared/prices/stored-price";

/** The first version of declared prices. Units: cents per million tokens, micro-cents per call. */
export function priceOf(declared: DeclaredPrices, version = 1): PriceVersion {
  return { version, ...pricesOfDeclared(declared) };
}
