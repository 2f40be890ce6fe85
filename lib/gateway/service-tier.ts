import { badField } from "@/lib/kernel/errors";
import { type JsonObject, rowOf } from "@/lib/kernel/json-object";
import { type PricedService, pricedServices } from "@/lib/kernel/usage";
import { serviceTierWords } from "@/lib/protocols/passes/extra-costs";
import type { CatalogModel } from "@/lib/router/catalog";

/**
 * Refuses a service tier that the model has no price for, before any node is asked.
 * Throws: INVALID_REQUEST. Source: docs/prices.md#service-tiers.
 */
export function requirePricedTier({ alias, price, profile }: CatalogModel, body: JsonObject): void {
  const word = tierWord(body);
  if (typeof word !== "string" || rowOf(serviceTierWords, word) === "tokens") return;
  if (isPricedService(word) && price.services[word] !== undefined) return;
  if (Array.isArray(profile.unpricedExtras) && profile.unpricedExtras.includes("service_tier")) return;
  const usable = [
    "auto",
    "default",
    ...pricedServices.filter((service) => price.services[service] !== undefined),
  ];
  throw badField(
    body.service_tier == null ? "serviceTier" : "service_tier",
    `${JSON.stringify(word)} has no price on ${alias}; leave it out, or use ${usable.join(", ")}`,
  );
}

/**
 * The priced tier that a body asks for; `any`: the node chooses, as vendors do when nothing is said; null: the standard tier.
 */
export function askedService(body: Readonly<JsonObject>): PricedService | "any" | null {
  const word = tierWord(body);
  if (word == null || word === "auto") return "any";
  return isPricedService(word) ? word : null;
}

/** The word for a tier, in whatever protocol; null where none says one. */
function tierWord({ service_tier: snake, serviceTier: camel }: Readonly<JsonObject>): unknown {
  if (snake != null || typeof camel !== "string") return snake;
  const word = camel.toLowerCase();
  return word === "" || word === "unspecified" ? null : word;
}

function isPricedService(word: unknown): word is PricedService {
  return pricedServices.some((service) => service === word);
}
