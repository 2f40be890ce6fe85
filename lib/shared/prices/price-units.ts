import { type PricedTool, pricedTools } from "@/lib/kernel/usage";
import type { ModelKind } from "@/lib/protocols/protocol";
import { centsOfMicroCents, centsToYuan, fromScaled, toScaled } from "../decimal";
import { typedYuan } from "../typed";

/** Prices of tokens, in the order of the form. */
export const priceNames = ["input", "output", "cacheRead", "cacheWrite"] as const;

const MICRO_CENT_DIGITS = 8;

/** Prices as typed: yuan per million tokens, and yuan per call. */
export type PriceDraft = ReturnType<typeof priceDraftOf>;

/** Prices of a model, or what a node charges on a route. Units: cents per million tokens, micro-cents per call. */
export interface StoredPrices {
  input: number;
  output: number;
  /** A cache without a price has that of the input. */
  cacheRead?: number | null | undefined;
  cacheWrite?: number | null | undefined;
  perCall?: Readonly<Partial<Record<PricedTool, number | null>>> | undefined;
}

/** The prices in force as typed; empty where there is none. */
export function priceDraftOf(prices: StoredPrices | null) {
  const show = (cents: number | null | undefined) => (cents == null ? "" : centsToYuan(cents));
  const cache = (cents: number | null | undefined) => (cents === prices?.input ? "" : show(cents));
  return {
    input: show(prices?.input),
    output: show(prices?.output),
    cacheRead: cache(prices?.cacheRead),
    cacheWrite: cache(prices?.cacheWrite),
    perCall: Object.fromEntries(
      pricedTools.map((tool) => [tool, callPriceShown(prices?.perCall?.[tool] ?? null)]),
    ),
  };
}

/** True when a price was typed. */
export function hasPrices({ perCall, ...tokens }: PriceDraft): boolean {
  return [...Object.values(tokens), ...Object.values(perCall)].some((typed) => typed.trim() !== "");
}

/** Prices as sent. An empty cache price means the input price, an empty one of a tool that it may not be used. */
export function priceBody(draft: PriceDraft, kind: ModelKind) {
  const input = typedYuan(draft.input);
  // Embeddings cost their input only.
  if (kind === "embedding") return { input, output: 0 };
  return {
    input,
    output: typedYuan(draft.output),
    cacheRead: typedYuan(draft.cacheRead),
    cacheWrite: typedYuan(draft.cacheWrite),
    perCall: Object.fromEntries(
      pricedTools.map((tool) => [tool, typedYuan(draft.perCall[tool] ?? "", MICRO_CENT_DIGITS) ?? null]),
    ),
  };
}

function callPriceShown(microCents: number | null): string {
  return microCents === null ? "" : centsToYuan(centsOfMicroCents(microCents));
}

/** The cost of 1,000 input and 1,000 output tokens. Units: cents per million in, cents as exact decimal text out. */
export function previewCents(input: number, output: number): string {
  return fromScaled((toScaled(input) + toScaled(output)) / 1000n);
}
