import { type PricedService, type PricedTool, pricedServices, pricedTools } from "@/lib/kernel/usage";
import type { ModelKind } from "@/lib/protocols/protocol";
import { centsOfMicroCents, centsToYuan, fromScaled, toScaled } from "../decimal";
import { typedYuan } from "../typed";
import {
  type ChangeDraft,
  changeBody,
  changeDraftOf,
  type RatesDraft,
  ratesBody,
  ratesDraftOf,
  type TierDraft,
  tierDraftOf,
  tiersBody,
  type WindowDraft,
  windowBody,
  windowDraftOf,
} from "./card-draft";
import type { DeclaredPrices } from "./declared-prices";
import { tokenKinds } from "./token-kinds";

/** The prices of tokens that are compared and checked before they are saved. */
export const priceNames = ["input", "output", "cacheRead", "cacheWrite"] as const;

const MICRO_CENT_DIGITS = 8;

/** Prices as typed: yuan per million tokens, per call and per request. */
export interface PriceDraft extends RatesDraft {
  perCall: Record<PricedTool, string>;
  perRequest: string;
  tiers: TierDraft[];
  services: Record<PricedService, ChangeDraft>;
  windows: WindowDraft[];
}

/** The standard prices of tokens of a model, or what a node charges for them. Units: cents per million tokens. */
export interface StoredPrices {
  input: number;
  output: number;
  /** A cache without a price has that of the input. */
  cacheRead?: number | null | undefined;
  cacheWrite?: number | null | undefined;
}

/** The prices in force as typed; empty where there is none. */
export function priceDraftOf(prices: DeclaredPrices | null): PriceDraft {
  const rates = ratesDraftOf(prices);
  // APIs tell the price of a cache also where it is that of the input.
  const ofCache = (name: "cacheRead" | "cacheWrite") => (prices?.[name] === prices?.input ? "" : rates[name]);
  const calls = pricedTools.map((tool) => [tool, yuanOf(prices?.perCall?.[tool])] as const);
  const services = pricedServices.map(
    (service) => [service, changeDraftOf(prices?.services?.[service])] as const,
  );
  return {
    ...rates,
    cacheRead: ofCache("cacheRead"),
    cacheWrite: ofCache("cacheWrite"),
    perCall: Object.fromEntries(calls) as Record<PricedTool, string>, // each tool has an entry
    perRequest: yuanOf(prices?.perRequest),
    tiers: (prices?.tiers ?? []).map(tierDraftOf),
    services: Object.fromEntries(services) as Record<PricedService, ChangeDraft>, // each one has an entry
    windows: (prices?.windows ?? []).map(windowDraftOf),
  };
}

/** True when a price was typed. */
export function hasPrices(draft: PriceDraft): boolean {
  const { perCall, perRequest, tiers, services, windows } = draft;
  const typed = [...tokenKinds.map((kind) => draft[kind]), ...Object.values(perCall), perRequest];
  return (
    typed.some((text) => text.trim() !== "") ||
    tiers.length > 0 ||
    windows.length > 0 ||
    Object.values(services).some(({ by }) => by !== "none")
  );
}

/**
 * Prices as sent; what is not typed is absent. An empty price of a kind of tokens means that of its parent, an empty one of a
 * tool that it may not be used.
 */
export function priceBody(draft: PriceDraft, kind: ModelKind) {
  const { tiers, windows } = draft;
  const calls = pricedTools.map((tool) => [tool, microCentsOf(draft.perCall[tool]) ?? null] as const);
  const services = pricedServices.flatMap((service) => {
    const change = changeBody(draft.services[service], kind);
    return change === undefined ? [] : [[service, change] as const];
  });
  return {
    ...ratesBody(draft, kind),
    perCall: kind === "embedding" ? undefined : Object.fromEntries(calls),
    perRequest: microCentsOf(draft.perRequest),
    tiers: tiersBody(tiers, kind),
    services: services.length === 0 ? undefined : Object.fromEntries(services),
    windows: windows.length === 0 ? undefined : windows.map((window) => windowBody(window, kind)),
  };
}

function yuanOf(microCents: number | null | undefined): string {
  return microCents == null ? "" : centsToYuan(centsOfMicroCents(microCents));
}

function microCentsOf(typed: string): number | string | undefined {
  return typedYuan(typed, MICRO_CENT_DIGITS);
}

/** The cost of 1,000 input and 1,000 output tokens. Units: cents per million in, cents as exact decimal text out. */
export function previewCents(input: number, output: number): string {
  return fromScaled((toScaled(input) + toScaled(output)) / 1000n);
}
