import { rowOf } from "@/lib/kernel/json-object";
import type { FinishReason } from "@/lib/protocols/generation/events";

/** The words for the end of an answer, by their number in the vendor's enumeration. */
const numbered: readonly string[] = [
  "FINISH_REASON_UNSPECIFIED",
  "STOP",
  "MAX_TOKENS",
  "SAFETY",
  "RECITATION",
  "OTHER",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "MALFORMED_FUNCTION_CALL",
];

const reasons: Readonly<Record<string, FinishReason>> = {
  STOP: "end",
  MAX_TOKENS: "length",
  CONTINUATION: "length",
  SAFETY: "refusal",
  RECITATION: "refusal",
  BLOCKLIST: "refusal",
  PROHIBITED_CONTENT: "refusal",
  SPII: "refusal",
  LANGUAGE: "refusal",
  MODEL_ARMOR: "refusal",
  NO_IMAGE: "refusal",
};

/** Ends at which the model has made no usable answer. */
const failed: ReadonlySet<string> = new Set([
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MALFORMED_RESPONSE",
  "MISSING_THOUGHT_SIGNATURE",
]);

/** Why a candidate ended. Shape: `reason` null for a failed one; `isKnown` false for a word without a meaning here. */
export interface CandidateEnd {
  native: string;
  reason: FinishReason | null;
  isKnown: boolean;
}

/**
 * Reads a `finishReason`, a word or a number; null: the candidate goes on. A candidate with calls ends with `STOP` too.
 * Source: docs/gemini.md#finish.
 */
export function readFinish(value: unknown): CandidateEnd | null {
  const native = typeof value === "number" ? numbered[value] : value;
  if (typeof native !== "string" || native === "") return null;
  if (failed.has(native)) return { native, reason: null, isKnown: true };
  const reason = rowOf(reasons, native) ?? (native.startsWith("IMAGE_") ? "refusal" : undefined);
  return { native, reason: reason ?? "end", isKnown: reason !== undefined };
}
