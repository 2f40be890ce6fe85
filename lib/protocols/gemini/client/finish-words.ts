import type { FinishReason } from "@/lib/protocols/generation/events";

/** Neutral finish reason → `finishReason`. An answer with calls ends with STOP too. Source: docs/gemini.md#finish. */
export const toFinishWord: Readonly<Record<FinishReason, string>> = {
  end: "STOP",
  stop_sequence: "STOP",
  length: "MAX_TOKENS",
  tool_use: "STOP",
  refusal: "SAFETY",
  pause: "STOP",
  context_window: "MAX_TOKENS",
};
