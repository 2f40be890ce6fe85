import { ceilDiv, NANO_PER_MICRO } from "@/lib/kernel/money";
import { type PricedService, pricedServices } from "@/lib/kernel/usage";
import { checkedCount, checkedRate, MAX_TOKENS } from "./cost";
import { cardOf, FACTOR_SCALE } from "./effective-price";
import { type Prices, type RateCard, rateOf } from "./price-version";
import { inputKinds, outputKinds, type TokenKind } from "./token-kinds";

/** What a request may be billed as. */
export interface HoldTerms {
  /** The service tier that was asked for; `any`: the node chooses; null: the standard tier. */
  readonly service: PricedService | "any" | null;
  /** Index of the window of now; null: none. */
  readonly window: number | null;
  /** Kinds of tokens that the request can have beside text, its cache and reasoning. */
  readonly kinds: ReadonlySet<TokenKind>;
}

/** The kinds that any request can have. */
const plainKinds: ReadonlySet<TokenKind> = new Set([
  "input",
  "cacheRead",
  "cacheWrite",
  "output",
  "reasoning",
]);

/** No kinds beside them. */
export const NO_KINDS: ReadonlySet<TokenKind> = new Set();

/**
 * The amount to hold for a request, calls of tools aside: all of its estimated prompt and all the output that it may produce, each at the
 * highest rate that it can be billed at. A request of at most these tokens never costs more.
 * Units: tokens in, micro-cents out. Throws: RangeError as `costMicroCents`. Source: docs/reliability.md#s2-4.
 */
export function holdMicroCents(
  inputTokens: number,
  maxTokens: number,
  prices: Prices,
  terms: HoldTerms,
): bigint {
  const [input, output] = [checkedCount(inputTokens), checkedCount(maxTokens)];
  let most = 0n;
  for (const { card, factor } of cardsOf(prices, terms)) {
    const highest = highestRates(card, inputTokens, terms.kinds);
    const amount = (input * highest.input + output * highest.output) * factor;
    if (amount > most) most = amount;
  }
  return ceilDiv(most, NANO_PER_MICRO * FACTOR_SCALE) + prices.perRequest;
}

/** Output tokens that an amount pays for beside nothing else, at most 100,000,000. Units: micro-cents in, tokens out. */
export function affordableOutput(
  microCents: bigint,
  inputTokens: number,
  prices: Prices,
  terms: HoldTerms,
): number {
  let least = MAX_TOKENS;
  for (const { card, factor } of cardsOf(prices, terms)) {
    const rate = highestRates(card, inputTokens, terms.kinds).output * factor;
    if (rate === 0n) continue;
    const tokens = (microCents * NANO_PER_MICRO * FACTOR_SCALE) / rate;
    if (tokens < BigInt(least)) least = Number(tokens);
  }
  return least;
}

/** The rates of all service tiers that may serve the request. */
function cardsOf(prices: Prices, { service, window }: HoldTerms) {
  const standard = cardOf(prices, { service: null, window });
  if (service === null) return [standard];
  const asked = service === "any" ? pricedServices : [service];
  return [standard, ...asked.map((one) => cardOf(prices, { service: one, window }))];
}

/** The highest rates of all tiers of size that the prompt may belong to. Units: nano-cents per token. */
function highestRates({ rates, tiers }: RateCard, inputTokens: number, kinds: ReadonlySet<TokenKind>) {
  const reachable = [rates, ...tiers.filter(({ above }) => inputTokens > above).map((tier) => tier.rates)];
  const highest = (among: readonly TokenKind[]) => {
    let most = 0n;
    for (const one of reachable) {
      for (const kind of among) {
        if (!plainKinds.has(kind) && !kinds.has(kind)) continue;
        const rate = checkedRate(rateOf(one, kind));
        if (rate > most) most = rate;
      }
    }
    return most;
  };
  return { input: highest(inputKinds), output: highest(outputKinds) };
}
