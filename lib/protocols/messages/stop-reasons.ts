import type { FinishReason } from "@/lib/protocols/generation/events";

/**
 * Messages `stop_reason` → neutral finish reason; anything else is `end` with a warning. Source: docs/protocols.md#s10.
 */
export const fromStopReason: Readonly<Record<string, FinishReason>> = {
  end_turn: "end",
  stop_sequence: "stop_sequence",
  max_tokens: "length",
  model_context_window_exceeded: "context_window",
  tool_use: "tool_use",
  pause_turn: "pause",
  refusal: "refusal",
  compaction: "end",
};

/** Neutral finish reason → messages `stop_reason`. */
export const toStopReason: Readonly<Record<FinishReason, string>> = {
  end: "end_turn",
  stop_sequence: "stop_sequence",
  length: "max_tokens",
  tool_use: "tool_use",
  refusal: "refusal",
  pause: "pause_turn",
  context_window: "model_context_window_exceeded",
};
