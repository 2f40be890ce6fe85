import type { Decoder } from "@/lib/protocols/adapters/decoder";
import type { Encoder } from "@/lib/protocols/adapters/encoder";
import type { StreamFailure } from "@/lib/protocols/adapters/error-format";
import type { Passed, Passthrough } from "@/lib/protocols/adapters/passthrough";
import type { GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

/** Converts one protocol's stream into another one's through events. */
export class Recoding implements Passthrough {
  readonly #decoder: Decoder;
  readonly #encoder: Encoder;

  constructor(decoder: Decoder, encoder: Encoder) {
    this.#decoder = decoder;
    this.#encoder = encoder;
  }

  get finishSeen(): boolean {
    return this.#decoder.finishSeen;
  }

  get losses(): readonly string[] {
    return this.#encoder.losses;
  }

  push(frame: SseFrame): Passed {
    return this.#pass(this.#decoder.push(frame));
  }

  finish(): Passed {
    return this.#pass(this.#decoder.end());
  }

  end(usage?: PartialUsage): string {
    if (usage) this.#encoder.push({ type: "usage", usage });
    return this.#encoder.end();
  }

  fail(failure: StreamFailure): string | undefined {
    return this.#encoder.fail?.(failure);
  }

  /** An error ends the stream; the events before it in the same list are not sent. */
  #pass(events: readonly GenerationEvent[]): Passed {
    let wire = "";
    if (events.at(-1)?.type !== "error") for (const event of events) wire += this.#encoder.push(event);
    return { wire, events };
  }
}
