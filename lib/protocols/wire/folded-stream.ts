import { printJson } from "@/lib/kernel/exact-json";
import type { ClientAdapter } from "@/lib/protocols/adapters/client-adapter";
import type { Decoder } from "@/lib/protocols/adapters/decoder";
import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import type { Passed, Passthrough } from "@/lib/protocols/adapters/passthrough";
import type { GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

const noLosses: readonly string[] = [];

/** A stream for a client that wants none: `end` returns the whole body. */
export class FoldedStream implements Passthrough {
  readonly #decoder: Decoder;
  readonly #client: ClientAdapter;
  readonly #options: EncoderOptions;
  readonly #events: GenerationEvent[] = [];
  losses = noLosses;

  constructor(decoder: Decoder, client: ClientAdapter, options: EncoderOptions) {
    this.#decoder = decoder;
    this.#client = client;
    this.#options = options;
  }

  get finishSeen(): boolean {
    return this.#decoder.finishSeen;
  }

  push(frame: SseFrame): Passed {
    return this.#collect(this.#decoder.push(frame));
  }

  finish(): Passed {
    return this.#collect(this.#decoder.end());
  }

  end(usage?: PartialUsage): string {
    if (usage) this.#events.push({ type: "usage", usage });
    const { body, losses } = this.#client.fold(this.#events, this.#options);
    this.losses = losses;
    return printJson(body);
  }

  #collect(events: readonly GenerationEvent[]): Passed {
    for (const event of events) this.#events.push(event);
    return { wire: "", events };
  }
}
