import type { ModelKind } from "@/lib/protocols/protocol";
import { centsToYuan } from "../decimal";
import { asTyped, typedFactor, typedText, typedTime, typedWhole, typedYuan } from "../typed";
import type { DeclaredChange, DeclaredTier, DeclaredWindow } from "./declared-prices";
import { childKinds, type TokenKind, tokenKinds } from "./token-kinds";

/** Prices of tokens as typed; empty: that of the parent kind. Units: yuan per million tokens. */
export type RatesDraft = Record<TokenKind, string>;

/** Prices of longer prompts as typed. */
export interface TierDraft extends RatesDraft {
  above: string;
}

/** What a service tier or a window changes, as typed. What the other choices need stays while one is chosen. */
export interface ChangeDraft extends RatesDraft {
  by: "none" | "factor" | "prices";
  factor: string;
  tiers: TierDraft[];
}

/** A part of each week as typed; days from 1 Monday to 7 Sunday. */
export interface WindowDraft extends ChangeDraft {
  from: string;
  to: string;
  timeZone: string;
  days: number[];
}

type Rates = { readonly [Kind in TokenKind]?: number | null | undefined };

const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** Prices of tokens as typed; null: none. */
export function ratesDraftOf(rates: Rates | null): RatesDraft {
  const typed = tokenKinds.map((kind) => {
    const cents = rates?.[kind];
    return [kind, cents == null ? "" : centsToYuan(cents)] as const;
  });
  return Object.fromEntries(typed) as RatesDraft; // each kind has an entry
}

/** Prices of longer prompts as typed; null: a new tier. */
export function tierDraftOf(tier: DeclaredTier | null): TierDraft {
  return { above: asTyped(tier?.above), ...ratesDraftOf(tier) };
}

/** What a service tier changes, as typed; null or absent: it has no prices. */
export function changeDraftOf(change: DeclaredChange | null | undefined): ChangeDraft {
  return {
    by: change == null ? "none" : change.factor == null ? "prices" : "factor",
    factor: asTyped(change?.factor),
    ...ratesDraftOf(change ?? null),
    tiers: (change?.tiers ?? []).map(tierDraftOf),
  };
}

/** A part of each week as typed. */
export function windowDraftOf(window: DeclaredWindow): WindowDraft {
  const { from, to, timeZone, days } = window;
  return { from, to, timeZone, days: days ?? everyDay, ...changeDraftOf(window) };
}

/** A new part of each week, by the clock of a zone. */
export function emptyWindow(timeZone: string): WindowDraft {
  return { from: "", to: "", timeZone, days: everyDay, ...changeDraftOf(null), by: "factor" };
}

/** Prices of tokens as sent. Embeddings cost their input only. */
export function ratesBody(draft: RatesDraft, kind: ModelKind) {
  const input = typedYuan(draft.input);
  if (kind === "embedding") return { input, output: 0 };
  const others = childKinds.map((child) => [child, typedYuan(draft[child])] as const);
  return { input, output: typedYuan(draft.output), ...Object.fromEntries(others) };
}

/** Prices of longer prompts as sent; undefined: there are none. */
export function tiersBody(drafts: readonly TierDraft[], kind: ModelKind) {
  if (drafts.length === 0) return undefined;
  return drafts.map((draft) => ({ above: typedWhole(draft.above), ...ratesBody(draft, kind) }));
}

/** What a service tier or a window changes, as sent; undefined: nothing. */
export function changeBody(draft: ChangeDraft, kind: ModelKind) {
  if (draft.by === "none") return undefined;
  if (draft.by === "factor") return { factor: typedFactor(draft.factor) };
  const { input = "", output = "", ...others } = ratesBody(draft, kind);
  // Without them the API would miss a factor; empty ones it refuses where they are typed.
  return { input, output, ...others, tiers: tiersBody(draft.tiers, kind) };
}

/** A part of each week as sent. */
export function windowBody(draft: WindowDraft, kind: ModelKind) {
  return {
    from: typedTime(draft.from),
    to: typedTime(draft.to),
    timeZone: typedText(draft.timeZone),
    days: draft.days,
    ...changeBody(draft, kind),
  };
}
