import { pricedServices, type ServedTier } from "@/lib/kernel/usage";

/** The service tier that a node names in an answer; absent: it names none. Shape: to be spread into a usage. */
export function servedBy(word: unknown): { served?: ServedTier } {
  if (typeof word !== "string" || word === "" || word === "auto") return {};
  return { served: pricedServices.find((service) => service === word) ?? "standard" };
}
