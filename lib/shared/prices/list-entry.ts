import type { PricedService } from "@/lib/kernel/usage";
import { toScaled } from "../decimal";
import { childKinds, parentKinds, type TokenKind, tokenKinds } from "./token-kinds";

/** What kinds of tokens cost; absent: not told. Units: US dollars per million tokens, as exact decimal text. */
export type ListedRates = { [Kind in TokenKind]?: string };

/** Rates without which there is no price. */
export type KnownRates = ListedRates & { input: string };

/** Rates of longer prompts. Units: tokens of the whole prompt. */
export interface ListedTier<Of = KnownRates> {
  above: number;
  rates: Of;
}

/** Rates, and those of longer prompts, ascending. */
export interface ListedCard {
  rates: KnownRates;
  tiers: ListedTier[];
}

/** What a list tells of one model; null or absent: not told. Units: US dollars per million calls, per million requests. */
export interface ListEntry extends ListedCard {
  name: string;
  services: { [Service in PricedService]?: ListedCard };
  webSearch: string | null;
  perRequest: string | null;
  contextWindow: number | null;
  maxOutputTokens: number | null;
}

/** Prices have at most so many tiers. Source: docs/prices.md#tiers. */
const MOST_TIERS = 4;

const MOST_ABOVE = 100_000_000;

/** Dollars per token have their point so many places further left than dollars per million tokens. */
const PLACES = 6;

/** A price per token, a number or text, as exact decimal text per million; null for what is no price. */
export function perMillion(value: unknown): string | null {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "";
  const [, whole, fraction = "", exponent = "0"] =
    /^(\d{1,20})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,2}))?$/i.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent) + PLACES;
  if (point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return digits.padEnd(point, "0");
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The same; null for 0 too, which lists write for what has no price of its own. */
export function ownPerMillion(value: unknown): string | null {
  const price = perMillion(value);
  return price !== null && /[1-9]/.test(price) ? price : null;
}

/** The rates that `told` has. A kind that has a parent is never free by itself. */
export function ratesOf(told: (kind: TokenKind) => unknown): ListedRates {
  const rates: ListedRates = {};
  for (const kind of tokenKinds) {
    const own = kind in parentKinds ? ownPerMillion(told(kind)) : perMillion(told(kind));
    if (own !== null) rates[kind] = own;
  }
  return rates;
}

/** The rates if there is a price in them, without those that repeat the one of their parent: such a kind follows it into tiers. */
export function knownRates(rates: ListedRates): KnownRates | null {
  const { input } = rates;
  if (input === undefined) return null;
  const known = { ...rates, input };
  for (const kind of childKinds) {
    const [own, parent] = [known[kind], priceOf(known, parentKinds[kind])];
    if (own !== undefined && parent !== undefined && toScaled(own) === toScaled(parent)) delete known[kind];
  }
  return known;
}

function priceOf(rates: ListedRates, kind: TokenKind): string | undefined {
  if (kind === "input" || kind === "output") return rates[kind];
  return rates[kind] ?? priceOf(rates, parentKinds[kind]);
}

/** A card whose tiers have the prices of the size below for what they do not tell, as lists mean it. */
export function cardOf(rates: KnownRates, told: readonly ListedTier<ListedRates>[]): ListedCard {
  const tiers: ListedTier[] = [];
  let below = rates;
  for (const { above, rates: own } of told) {
    below = { ...below, ...own };
    tiers.push({ above, rates: below });
  }
  return { rates, tiers };
}

/** False for tiers that no price can have. */
export function hasPossibleTiers({ tiers }: ListedCard): boolean {
  const isSize = ({ above }: ListedTier) => Number.isSafeInteger(above) && above >= 1 && above <= MOST_ABOVE;
  return tiers.length <= MOST_TIERS && tiers.every(isSize);
}

/** A whole number of tokens above 0; null for anything else. */
export function tokenCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}
