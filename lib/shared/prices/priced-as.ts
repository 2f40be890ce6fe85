import type { PricedService, TokenParts, Usage } from "@/lib/kernel/usage";
import type { PriceTerms } from "./price-version";

/**
 * What, beside its counts of tokens, the cost of a request was computed from, as it is stored; members that are absent
 * mean the standard tier, no window and no parts. Source: docs/reliability.md#s2-2.
 */
export interface PricedAs {
  service?: PricedService;
  /** Index in the windows of the price version. */
  window?: number;
  parts?: TokenParts;
}

/** Null: nothing beside the counts of tokens. */
export function pricedAs({ parts }: Usage, { service, window }: PriceTerms): PricedAs | null {
  if (parts === undefined && service === null && window === null) return null;
  const stored: PricedAs = {};
  if (service !== null) stored.service = service;
  if (window !== null) stored.window = window;
  if (parts !== undefined) stored.parts = parts;
  return stored;
}

/** The terms of a stored request. */
export function termsOf(stored: PricedAs | null): PriceTerms {
  return { service: stored?.service ?? null, window: stored?.window ?? null };
}
