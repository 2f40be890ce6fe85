import { badField } from "@/lib/kernel/errors";
import { type JsonObject, rowOf } from "@/lib/kernel/json-object";
import { type PricedService, pricedServices } from "@/lib/kernel/usage";
import { serviceTierWords } from "@/lib/protocols/passes/extra-costs";
import type { CatalogModel } from "@/lib/router/catalog";

/**
 * Refuses a service tier that the model has no price for, before any node is asked.
 * Throws: INVALID_REQUEST. Source: docs/prices.md#service-tiers.
 */
export function requirePricedTier(
  { alias, price, profile }: CatalogModel,
  { service_tier: word }: JsonObject,
): void {
  if (typeof word !== "string" || rowOf(serviceTierWords, word) === "tokens") return;
  if (isPricedService(word) && price.services[word] !== undefined) return;
  if (Array.isArray(profile.unpricedExtras) && profile.unpricedExtras.includes("service_tier")) return;
  const usable = [
    "auto",
    "default",
    ...pricedServices.filter((service) => price.services[service] !== undefined),
  ];
  throw badField(
    "service_tier",
    `${JSON.stringify(word)} has no price on ${alias}; leave it out, or use ${usable.join(", ")}`,
  );
}

/**
 * The priced tier that a body asks for; `any`: the node chooses, as vendors do when nothing is said; null: the standard tier.
 */
export function askedService({ service_tier: word }: Readonly<JsonObject>): PricedService | "any" | null {
  if (word == null || word === "auto") return "any";
  return isPricedService(word) ? word : null;
}

function isPricedService(word: unknown): word is PricedService {
  return pricedServices.some((service) => service === word);
}
