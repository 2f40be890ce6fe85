import type { ModelKind } from "@/lib/protocols/protocol";
import { fromScaled, toScaled } from "../decimal";
import type { DeclaredCard, DeclaredPrices, DeclaredRates, DeclaredTier } from "./declared-prices";
import type { KnownRates, ListEntry, ListedCard } from "./list-entry";
import type { TokenPrices } from "./price-check";
import { sameRates } from "./price-differences";
import { type ChildKind, childKinds } from "./token-kinds";

/** How dollars of a list become prices. Units: yuan per dollar, percent; decimal text. */
export interface Terms {
  rate: string;
  markup: string;
}

/** Prices that name those of the caches. */
export type FullPrices = DeclaredPrices & TokenPrices;

const ONE = toScaled(1);
/** Thousandths of a cent in a yuan: prices of tokens have no smaller part. */
const TOKEN_STEPS = 100_000n;
/** Cents in a yuan: prices of a million calls have no smaller part. */
const CALL_STEPS = 100n;

/** Yuan for dollars, with a markup, rounded to the smallest part of a price, halves up. Units: steps in a yuan; cents. */
function centsOf(dollars: string, { rate, markup }: Terms, stepsOfYuan: bigint): number {
  const whole = ONE * ONE * ONE * 100n;
  const yuan = toScaled(dollars) * toScaled(rate) * (ONE * 100n + toScaled(markup));
  const steps = (2n * yuan * stepsOfYuan + whole) / (2n * whole);
  return Number(fromScaled((steps * ONE * 100n) / stepsOfYuan));
}

/** The prices of an entry. Embeddings cost their input only. */
export function pricesFromList(entry: ListEntry, kind: ModelKind, terms: Terms): FullPrices {
  const { rates, webSearch, perRequest } = entry;
  const input = centsOf(rates.input, terms, TOKEN_STEPS);
  if (kind === "embedding") return { input, output: 0, cacheRead: input, cacheWrite: input };
  const services = Object.entries(entry.services).map(
    ([name, card]) => [name, cardFrom(card, terms)] as const,
  );
  const card = cardFrom(entry, terms);
  return {
    ...card,
    cacheRead: card.cacheRead ?? input,
    cacheWrite: card.cacheWrite ?? input,
    ...(webSearch !== null && { perCall: { ...noCalls, webSearch: microCentsOf(webSearch, terms) } }),
    ...(perRequest !== null && { perRequest: microCentsOf(perRequest, terms) }),
    ...(services.length > 0 && { services: Object.fromEntries(services) }),
  };
}

const noCalls = { webSearch: null, fileSearch: null, codeInterpreter: null, imageGeneration: null };

/** Micro-cents of one are cents of a million. */
function microCentsOf(dollarsPerMillion: string, terms: Terms): number {
  return centsOf(dollarsPerMillion, terms, CALL_STEPS);
}

/** What a list says nothing of stays as it is now: prices per call and request, service tiers, windows. */
export function keptBeside(listed: FullPrices, now: DeclaredPrices | null): FullPrices {
  if (now === null) return listed;
  const { webSearch } = listed.perCall ?? noCalls;
  const perRequest = listed.perRequest ?? now.perRequest;
  const services = { ...now.services, ...listed.services };
  return {
    ...listed,
    perCall: { ...noCalls, ...now.perCall, ...(webSearch !== null && { webSearch }) },
    ...(perRequest != null && { perRequest }),
    ...(Object.keys(services).length > 0 && { services }),
    ...(now.windows != null && now.windows.length > 0 && { windows: now.windows }),
  };
}

function cardFrom({ rates, tiers }: ListedCard, terms: Terms): DeclaredCard {
  const card = ratesFrom(rates, terms);
  const kept: DeclaredTier[] = [];
  for (const { above, rates: longer } of tiers) {
    const tier = { above, ...ratesFrom(longer, terms) };
    if (!sameRates(kept.at(-1) ?? card, tier)) kept.push(tier);
  }
  return { ...card, ...(kept.length > 0 && { tiers: kept }) };
}

function ratesFrom(rates: KnownRates, terms: Terms): DeclaredRates {
  const price = (dollars: string) => centsOf(dollars, terms, TOKEN_STEPS);
  const own = childKinds.flatMap((kind) => {
    const dollars = rates[kind];
    return dollars === undefined ? [] : [[kind, price(dollars)] as const];
  });
  const children: { [Kind in ChildKind]?: number } = Object.fromEntries(own);
  return { input: price(rates.input), output: price(rates.output ?? "0"), ...children };
}
