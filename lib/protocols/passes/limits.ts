import type { JsonObject } from "@/lib/kernel/json";
import type { Losses } from "@/lib/protocols/generation/losses";
import { type Effort, effortWords } from "@/lib/protocols/generation/request";
import { mayReason, type Profile } from "@/lib/protocols/profiles/profile";
import type { Target } from "@/lib/protocols/request-adapter";

/** The limit of a request that names none. Units: tokens. */
export const USUAL_OUTPUT = 4_096;
/** The most that a model which thinks first is given unasked. Units: tokens. */
const REASONING_OUTPUT = 32_768;

/**
 * The output ceiling to send: what the client asked, else one that is chosen here, never more than the alias allows.
 * `requested` is what the client wrote; the limit is that of each of the `choices`. Units: tokens.
 * Source: docs/protocols.md#s4-1, #s5-1, #d1, docs/contract.md#s2, #s3, #b8.
 */
export function outputLimit(
  requested: number | null | undefined,
  target: Target,
  losses: Losses,
  choices = 1,
): number {
  const ceiling = target.maxOutputTokens ?? target.profile.maxOutput;
  if (requested === null || requested === undefined) {
    const chosen = Math.min(ceiling, target.defaultMaxTokens ?? usualOutput(target, choices));
    losses.add(`added:max_tokens:${chosen}`);
    return chosen;
  }
  if (requested <= ceiling) return requested;
  losses.add("clamped:max_tokens");
  return ceiling;
}

/**
 * A model that thinks first needs room for its thoughts, as far as the caller's balance and the model's context go;
 * less than the usual limit is never chosen. Source: docs/contract.md#b8.
 */
function usualOutput({ profile, affordableOutput, contextLeft }: Target, choices: number): number {
  if (!mayReason(profile)) return USUAL_OUTPUT;
  const affordable = Math.floor(affordableOutput / choices);
  return Math.max(USUAL_OUTPUT, Math.min(REASONING_OUTPUT, affordable, contextLeft));
}

/**
 * Lowers a temperature above 1, which only the lenient setting lets through, or above what the model takes.
 * Changes `body`. Source: docs/protocols.md#d2.
 */
export function clampTemperature(body: JsonObject, profile: Profile, losses: Losses): void {
  const max = Math.min(1, profile.tempMax);
  if (typeof body.temperature !== "number" || body.temperature <= max) return;
  body.temperature = max;
  losses.add("clamped:temperature");
}

/** The wanted effort, or the nearest lower one that exists, or the lowest of all; null when there is none. */
export function nearestEffort(wanted: Effort, levels: readonly Effort[]): Effort | null {
  if (levels.length === 0) return null;
  const rank = (word: Effort) => effortWords.indexOf(word);
  const ordered = levels.toSorted((left, right) => rank(left) - rank(right));
  return ordered.findLast((level) => rank(level) <= rank(wanted)) ?? ordered[0] ?? null;
}
