import { askedKinds } from "@/lib/billing/asked-kinds";
import type { JsonObject } from "@/lib/kernel/json-object";
import { type HoldTerms, NO_KINDS } from "@/lib/shared/prices/hold";
import type { Prices } from "@/lib/shared/prices/price-version";
import { specialPricesOf } from "@/lib/shared/prices/special-prices";
import { windowAt } from "@/lib/shared/prices/window-at";
import { askedService } from "./service-tier";

/** The terms of every request whose price has nothing but rates. */
export const PLAIN_TERMS: HoldTerms = Object.freeze({ service: null, window: null, kinds: NO_KINDS });

/** What a request with this body can be billed as, held at this time. Source: docs/reliability.md#s2-4. */
export function holdTermsOf(prices: Prices, body: Readonly<JsonObject>, at: Date): HoldTerms {
  const special = specialPricesOf(prices);
  if (special.none) return PLAIN_TERMS;
  return {
    service: special.services ? askedService(body) : null,
    window: prices.windows.length === 0 ? null : windowAt(prices.windows, at),
    kinds: special.kinds.size === 0 ? NO_KINDS : askedKinds(body, special.kinds),
  };
}
