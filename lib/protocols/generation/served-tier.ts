import { pricedServices, type ServedTier } from "@/lib/kernel/usage";
import { standardTierWords } from "./service-tier";

/**
 * The service tier that a node names in an answer; absent: it names none. Shape: to be spread into a usage.
 * Source: docs/prices.md#service-tiers.
 */
export function servedBy(word: unknown): { served?: ServedTier } {
  if (typeof word !== "string" || word === "") return {};
  const named = word.toLowerCase();
  if (named === "auto") return {};
  if (standardTierWords.includes(named)) return { served: "standard" };
  return { served: pricedServices.find((service) => service === named) ?? "other" };
}
