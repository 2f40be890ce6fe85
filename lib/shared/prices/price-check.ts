import type { ModelKind } from "@/lib/protocols/protocol";
import { fromScaled, ratio, toScaled } from "../decimal";
import { typedYuan } from "../typed";
import { hasPrices, type PriceDraft, priceNames, type StoredPrices } from "./price-units";
import type { RouteDraft } from "./route-draft";

type PriceName = (typeof priceNames)[number];

/** Units: cents per million tokens. */
export type TokenPrices = Record<PriceName, number>;

/** Tokens by the price that they are billed with. */
export type TokenUse = Record<PriceName, number>;

/** A route with what its node charges; null: not known. */
export interface CostedRoute {
  node: string;
  model: string;
  cost: StoredPrices | null;
}

/** What is checked before prices or costs of routes are saved. */
export interface Pricing {
  kind: ModelKind;
  /** Null: there are none, or they cannot be read. */
  prices: TokenPrices | null;
  /** The prices in force. */
  now: TokenPrices | null;
  routes: readonly CostedRoute[];
}

/** What makes prices look like a mistake. */
export type PriceProblem =
  | { kind: "belowCost"; price: PriceName; node: string; cost: number }
  | { kind: "jump"; price: PriceName; before: number; after: number }
  | { kind: "cacheAboveInput"; price: keyof typeof MOST_OF_INPUT }
  | { kind: "outputBelowInput"; price: "output" };

/** A price that is this many times another one is asked about. */
const FAR = 5;

/** Writing to a cache costs up to twice the input at some providers; reading from it never costs more than the input. */
const MOST_OF_INPUT = { cacheRead: 1, cacheWrite: 2 } as const;

const TOKENS_PER_PRICE = 1_000_000n;

/** The prices as typed; null while one of them cannot be read. An empty cache price is the input price. */
export function typedPrices(draft: PriceDraft, kind: ModelKind): TokenPrices | null {
  const input = typedYuan(draft.input);
  const output = kind === "embedding" ? 0 : typedYuan(draft.output);
  const [cacheRead, cacheWrite] = [draft.cacheRead, draft.cacheWrite].map(
    (typed) => typedYuan(typed) ?? input,
  );
  const prices = { input, output, cacheRead, cacheWrite };
  // Every member is a number then.
  return Object.values(prices).every((price) => typeof price === "number") ? (prices as TokenPrices) : null;
}

/** The routes with the costs as typed; a cost that cannot be read is not known. */
export function typedCosts(routes: readonly RouteDraft[], kind: ModelKind): CostedRoute[] {
  return routes.map(({ node, model, cost }) => ({
    node,
    model,
    cost: hasPrices(cost) ? typedPrices(cost, kind) : null,
  }));
}

/** What the tokens cost at these prices. Shape: cents as decimal text. */
export function costOfUse(prices: TokenPrices, use: TokenUse): string {
  let sum = 0n;
  for (const name of priceNames) sum += toScaled(prices[name]) * BigInt(use[name]);
  return fromScaled(sum / TOKENS_PER_PRICE);
}

/** The part of what is billed for a use that is left after the cost of a route; null where nothing is billed. */
export function marginOf(prices: TokenPrices, cost: StoredPrices, use: TokenUse): number | null {
  const billed = costOfUse(prices, use);
  if (Number(billed) === 0) return null;
  const { input, output } = cost;
  const caches = { cacheRead: cost.cacheRead ?? input, cacheWrite: cost.cacheWrite ?? input };
  return 1 - ratio(costOfUse({ input, output, ...caches }, use), billed);
}

/** The change from one price to another as a share; null from 0, where there is none. */
export function changeOf(before: number | string, after: number | string): number | null {
  return toScaled(before) === 0n ? null : ratio(after, before) - 1;
}

/** What an admin must confirm before the prices of a model, or what its routes cost, take effect. */
export function priceProblems({ kind, prices, now, routes }: Pricing): PriceProblem[] {
  if (prices === null) return [];
  return [
    ...belowCost(prices, routes),
    ...jumps(prices, now),
    ...cacheProblems(prices),
    ...(kind === "generation" && prices.output < prices.input
      ? [{ kind: "outputBelowInput" as const, price: "output" as const }]
      : []),
  ];
}

/** What other costs of its routes would make of the prices in force: the problems that are not there already. */
export function costProblems(
  model: Pick<Pricing, "kind" | "prices" | "routes">,
  typed: readonly CostedRoute[],
): PriceProblem[] {
  const before = { ...model, now: model.prices };
  const known = priceProblems(before).map((problem) => JSON.stringify(problem));
  return priceProblems({ ...before, routes: typed }).filter(
    (problem) => !known.includes(JSON.stringify(problem)),
  );
}

function belowCost(prices: TokenPrices, routes: Pricing["routes"]): PriceProblem[] {
  return routes.flatMap(({ node, cost }) => {
    if (cost === null) return [];
    return (["input", "output"] as const)
      .filter((price) => prices[price] < cost[price])
      .map((price) => ({ kind: "belowCost" as const, price, node, cost: cost[price] }));
  });
}

function jumps(prices: TokenPrices, now: TokenPrices | null): PriceProblem[] {
  if (now === null) return [];
  return priceNames
    .filter((price) => isFar(now[price], prices[price]))
    .map((price) => ({ kind: "jump" as const, price, before: now[price], after: prices[price] }));
}

function isFar(a: number, b: number): boolean {
  const [less, more] = a < b ? [a, b] : [b, a];
  return more > less * FAR;
}

function cacheProblems(prices: TokenPrices): PriceProblem[] {
  return (["cacheRead", "cacheWrite"] as const)
    .filter((price) => prices[price] > prices.input * MOST_OF_INPUT[price])
    .map((price) => ({ kind: "cacheAboveInput" as const, price }));
}
