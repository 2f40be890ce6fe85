import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { priceFieldsOf } from "@/lib/shared/prices/price-fields";
import type { Prices } from "@/lib/shared/prices/price-version";

/**
 * Prices as the list of models shows them: the usual four, and the others that there are. Calls of tools are not in it.
 * Units: cents per million tokens, micro-cents per request. Source: docs/contract.md#model-entry.
 */
export function pricingOf(prices: Prices): JsonObject {
  const { perCall: _calls, ...shown } = priceFieldsOf(prices);
  const there = Object.entries(shown).filter(([, value]) => value !== null && !isEmpty(value));
  return { unit: "cents_per_million_tokens", ...snakeCased(Object.fromEntries(there)) };
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** The same with names as the protocols write them, at any depth. */
function snakeCased(value: JsonObject): JsonObject {
  const inner = (member: unknown): unknown => {
    if (Array.isArray(member)) return member.map(inner);
    return isObject(member) ? snakeCased(member) : member;
  };
  const named = Object.entries(value).map(([name, member]) => [snakeCase(name), inner(member)] as const);
  return Object.fromEntries(named);
}

/** `cacheWrite1h` is `cache_write_1h`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]|(?<=[a-z])\d/g, (letter) => `_${letter.toLowerCase()}`);
}
