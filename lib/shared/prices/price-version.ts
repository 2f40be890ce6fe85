import type { CallPrices, PricedService } from "@/lib/kernel/usage";
import { type ChildKind, parentKinds, type TokenKind } from "./token-kinds";

/** Largest price. Units: nano-cents per token. Source: docs/reliability.md#s2-2. */
export const MAX_NANO_CENTS = 1_000_000_000_000n;

/** The parts of a factor: a factor of 1 is so many. */
export const FACTOR_UNITS = 10_000n;

/**
 * The rate of each kind of tokens; null: that of its parent. Units: nano-cents per token (= cents per 1M tokens x 1000).
 */
export type Rates = Readonly<Record<"input" | "output", bigint> & Record<ChildKind, bigint | null>>;

/** Rates of requests whose whole prompt has more than so many tokens. */
export interface SizeTier {
  readonly above: number;
  readonly rates: Rates;
}

/** Rates, and those of longer prompts, ascending. */
export interface RateCard {
  readonly rates: Rates;
  readonly tiers: readonly SizeTier[];
}

/** What a service tier or a window changes: a factor on the rates, in `FACTOR_UNITS`, or rates of its own. */
export type PriceChange = { readonly factor: bigint } | RateCard;

/** A part of each week, by the clock of a zone. Source: docs/prices.md#windows. */
export interface WeekWindow {
  readonly timeZone: string;
  /** Days on which the window begins: 1 Monday to 7 Sunday. */
  readonly days: readonly number[];
  /** Minutes since midnight; an end that is not after the begin is on the next day. */
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** A part of each week with other prices. */
export interface PriceWindow extends WeekWindow {
  readonly change: PriceChange;
}

/** One insert-only version of an alias's prices. Source: docs/reliability.md#s2-2. */
export interface PriceVersion extends RateCard {
  readonly version: number;
  /** Units: micro-cents per call. */
  readonly perCall: CallPrices;
  /** What each billed request costs beside its tokens. Units: micro-cents. */
  readonly perRequest: bigint;
  /** Tiers that are absent may not be asked for. */
  readonly services: Readonly<Partial<Record<PricedService, PriceChange>>>;
  /** The first one that the time lies in applies. */
  readonly windows: readonly PriceWindow[];
}

/** A price version without its number. */
export type Prices = Omit<PriceVersion, "version">;

/** What of a request chooses among the prices of a version. */
export interface PriceTerms {
  /** Null: the standard tier. */
  readonly service: PricedService | null;
  /** Index of the window in which the hold was made; null: none. */
  readonly window: number | null;
}

/** The standard tier outside of all windows. */
export const STANDARD_TERMS: PriceTerms = Object.freeze({ service: null, window: null });

/** The rate of a kind, or that of its next ancestor that has one. Units: nano-cents per token. */
export function rateOf(rates: Rates, kind: TokenKind): bigint {
  if (kind === "input" || kind === "output") return rates[kind];
  return rates[kind] ?? rateOf(rates, parentKinds[kind]);
}
