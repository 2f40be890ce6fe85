import type { JsonObject } from "@/lib/kernel/json-object";
import type { Target } from "@/lib/protocols/adapters/rendered";
import type { Losses } from "@/lib/protocols/generation/losses";
import { refusedHere } from "@/lib/protocols/generation/problems";
import type { OtherPrice } from "@/lib/protocols/passes/extra-costs";
import { extraField, passesUnpriced } from "@/lib/protocols/passes/extras";

const FIELD = "generationConfig.responseModalities";

/** The price of the tokens of each kind of answer. */
const priceOf: ReadonlyMap<unknown, OtherPrice> = new Map([
  ["IMAGE", "imageOutput"],
  ["AUDIO", "audioOutput"],
]);

/**
 * The options without kinds of answers whose tokens have no price on the alias. Throws: INVALID_REQUEST under the strict
 * setting. Source: docs/protocols.md#s6-3.
 */
export function keepModalities(config: JsonObject, target: Target, losses: Losses): JsonObject {
  const { responseModalities: asked, ...others } = config;
  if (!Array.isArray(asked)) return config;
  const kept = asked.filter((kind: unknown) => {
    const price = priceOf.get(kind);
    return (
      price === undefined || target.extraPrices?.has(price) === true || passesUnpriced(FIELD, target.profile)
    );
  });
  if (kept.length === asked.length) return config;
  if (target.compatibility === "strict") throw refusedHere(extraField(FIELD), "it is left out");
  losses.dropped(FIELD);
  return kept.length === 0 ? others : { ...others, responseModalities: kept };
}
