import { printJson } from "@/lib/kernel/exact-json";
import type { LimitEnding } from "@/lib/protocols/adapters/decoder";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

/** Ends a chat stream that is cut at its output limit. Source: docs/reliability.md#s4-4. */
export class ChatLimitEnding implements LimitEnding {
  readonly #choices: number;

  /** `choices`: the requested number. */
  constructor(choices: number) {
    this.#choices = choices;
  }

  /** A chat stream may end after any chunk, so that no state is needed. */
  watch(): void {}

  frames(): SseFrame[] {
    const choices = Array.from({ length: this.#choices }, (_, index) => ({
      index,
      delta: {},
      finish_reason: "length",
    }));
    return [
      { event: null, data: printJson({ choices }) },
      { event: null, data: "[DONE]" },
    ];
  }
}
