import { printJson } from "@/lib/kernel/exact-json";
import type { LimitEnding } from "@/lib/protocols/adapters/decoder";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

/** Ends a Gemini stream that is cut at its output limit. Source: docs/reliability.md#s4-4. */
export class GeminiLimitEnding implements LimitEnding {
  readonly #choices: number;

  /** `choices`: the requested number. */
  constructor(choices: number) {
    this.#choices = choices;
  }

  /** A candidate may end after any chunk, so that no state is needed. */
  watch(): void {}

  frames(): SseFrame[] {
    const candidates = Array.from({ length: this.#choices }, (_, index) => ({
      index,
      finishReason: "MAX_TOKENS",
    }));
    return [{ event: null, data: printJson({ candidates }) }];
  }
}
