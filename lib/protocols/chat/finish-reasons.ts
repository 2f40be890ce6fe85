import type { FinishReason } from "@/lib/protocols/generation/events";

/**
 * Chat `finish_reason` → neutral finish reason, in lower case; anything else is `end` with a warning.
 * Source: docs/protocols.md#s10.
 */
export const fromFinishReason: Readonly<Record<string, FinishReason>> = {
  stop: "end",
  tool_calls: "tool_use",
  function_call: "tool_use",
  length: "length",
  max_tokens: "length",
  content_filter: "refusal",
  refusal: "refusal",
  sensitive: "refusal",
  safety: "refusal",
  guardrail_intervened: "refusal",
  eos: "end",
  end_turn: "end",
  stop_sequence: "end",
  complete: "end",
};

/** Chat `finish_reason` values of a failed generation. Source: docs/protocols.md#s10. */
export const failedFinishReasons: ReadonlySet<string> = new Set([
  "error",
  "abort",
  "network_error",
  "insufficient_system_resource",
]);

/** Neutral finish reason → chat `finish_reason`. */
export const toFinishReason: Readonly<Record<FinishReason, string>> = {
  end: "stop",
  stop_sequence: "stop",
  length: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
  pause: "stop",
  context_window: "length",
};

/**
 * A `finish_reason` as sent, or null without one (absent, `""`, `"None"`, `"null"`).
 * Source: docs/protocols.md#s10.
 */
export function givenFinishReason(value: unknown): string | null {
  if (typeof value !== "string" || value === "" || value === "None" || value === "null") return null;
  return value;
}
