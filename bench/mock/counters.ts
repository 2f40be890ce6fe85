import type { Scenario } from "./scenario";

/** The mock's responses since its start or the last reset: the oracle of billing. */
export interface MockCounts {
  begun: number;
  /** Answers sent to their last byte, with usage. */
  completed: number;
  promptTokens: number;
  completionTokens: number;
  byModel: Record<string, number>;
  /** Milliseconds from the first request to the last complete answer. */
  activeMs: number;
  /** Bytes of streams that a socket has taken. */
  streamBytes: number;
  openStreams: number;
  /** Requests that wait for `/__resume`. */
  held: number;
}

/** Counts requests and responses of the mock. */
export class Counters {
  #begun = 0;
  #completed = 0;
  #promptTokens = 0;
  #completionTokens = 0;
  #byModel = new Map<string, number>();
  #firstMs = 0;
  #lastMs = 0;
  streamBytes = 0;
  openStreams = 0;

  /** A request has arrived. */
  begin(): void {
    if (this.#begun === 0) this.#firstMs = performance.now();
    this.#begun += 1;
  }

  /** A response was sent completely. */
  complete(model: string, { prompt, completion }: Scenario): void {
    this.#completed += 1;
    this.#promptTokens += prompt;
    this.#completionTokens += completion;
    this.#byModel.set(model, (this.#byModel.get(model) ?? 0) + 1);
    this.#lastMs = performance.now();
  }

  /** Resets everything but the open streams. */
  reset(): void {
    this.#begun = 0;
    this.#completed = 0;
    this.#promptTokens = 0;
    this.#completionTokens = 0;
    this.#byModel.clear();
    this.streamBytes = 0;
  }

  /** The counts as they are sent. */
  report(held: number): MockCounts {
    return {
      begun: this.#begun,
      completed: this.#completed,
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      byModel: Object.fromEntries(this.#byModel),
      activeMs: this.#completed === 0 ? 0 : this.#lastMs - this.#firstMs,
      streamBytes: this.streamBytes,
      openStreams: this.openStreams,
      held,
    };
  }
}
