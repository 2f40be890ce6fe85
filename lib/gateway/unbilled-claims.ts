import type { Meter } from "@/lib/protocols/generation/meter";
import type { Prices } from "@/lib/shared/prices/price-version";

/**
 * The warnings about counts that a node reported and that are not billed, and about a service tier without a price. Source:
 * docs/contract.md#b7, docs/responses.md#s3-6, docs/prices.md#service-tiers.
 */
export function unbilledClaims({ implausibleOutput: output, calls, usage }: Meter, prices: Prices): string[] {
  const codes = output === null ? [] : ["usage_implausible", `usage_implausible:output=${output}`];
  const { perCall, services } = prices;
  if (calls.unbilled > 0 && Object.keys(perCall).length > 0) codes.push(`unbilled_calls:${calls.unbilled}`);
  const { served = "standard" } = usage;
  if (served !== "standard" && (served === "other" || services[served] === undefined))
    codes.push(`unpriced_tier:${served}`);
  return codes;
}
