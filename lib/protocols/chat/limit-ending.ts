import type { LimitEnding } from "@/lib/protocols/adapter";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

/** Ends a chat stream that is cut at its output limit. Source: docs/reliability.md#s4-4. */
export class ChatLimitEnding implements LimitEnding {
  readonly #choices: number;

  /** `choices`: how many were asked for. */
  constructor(choices: number) {
    this.#choices = choices;
  }

  /** A chunk may end at any place. */
  watch(): void {}

  frames(): SseFrame[] {
    const choices = Array.from({ length: this.#choices }, (_, index) => ({
      index,
      delta: {},
      finish_reason: "length",
    }));
    return [
      { event: null, data: JSON.stringify({ choices }) },
      { event: null, data: "[DONE]" },
    ];
  }
}
