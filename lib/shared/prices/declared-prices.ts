import type { PricedService, PricedTool } from "@/lib/kernel/usage";
import type { ChildKind, TokenKind } from "./token-kinds";

/** The most tiers by the size of the prompt. Source: docs/prices.md#tiers. */
export const MAX_TIERS = 4;

/** The most windows of the week. Source: docs/prices.md#windows. */
export const MAX_WINDOWS = 14;

/** Rates as they are declared; absent or null: that of the parent kind. Units: cents per million tokens. */
export type DeclaredRates = { input: number; output: number } & {
  [Kind in ChildKind]?: number | null | undefined;
};

/** Rates of longer prompts. Units: tokens of the whole prompt. */
export type DeclaredTier = DeclaredRates & { above: number };

/** Rates, and those of longer prompts. */
export type DeclaredCard = DeclaredRates & { tiers?: DeclaredTier[] | null | undefined };

/** A factor on all rates, with at most 4 decimals, or else rates in place of them: input and output, and what a card has. */
export type DeclaredChange = { factor?: number | null | undefined; tiers?: DeclaredCard["tiers"] } & {
  [Kind in TokenKind]?: number | null | undefined;
};

/** A part of each week with other prices; times as `HH:mm`, days from 1 Monday to 7 Sunday. */
export type DeclaredWindow = DeclaredChange & {
  from: string;
  to: string;
  timeZone: string;
  days?: number[] | null | undefined;
};

/** Prices as they are declared. Source: docs/prices.md#fields. */
export type DeclaredPrices = DeclaredCard & {
  /** Null: the tool may not be used. Units: micro-cents per call. */
  perCall?: Record<PricedTool, number | null> | undefined;
  /** Units: micro-cents per request. */
  perRequest?: number | null | undefined;
  services?: { [Service in PricedService]?: DeclaredChange | null | undefined } | null | undefined;
  windows?: DeclaredWindow[] | null | undefined;
};
