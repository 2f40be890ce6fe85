import type { AnswerAdapter, Decoder, Encoder, EncoderOptions, Passed, Passthrough } from "./adapter";
import type { GenerationEvent, PartialUsage } from "./generation/events";
import type { SseFrame } from "./sse/sse-decoder";

const noLosses: readonly string[] = [];

/** One protocol's stream as another one's: through the events. */
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

  /** Nothing follows an error; what came with it is not sent. */
  #pass(events: readonly GenerationEvent[]): Passed {
    let wire = "";
    if (events.at(-1)?.type !== "error") for (const event of events) wire += this.#encoder.push(event);
    return { wire, events };
  }
}

/** A stream for a client that does not want one: the whole body comes at the end. */
export class FoldedStream implements Passthrough {
  readonly #decoder: Decoder;
  readonly #client: AnswerAdapter;
  readonly #options: EncoderOptions;
  readonly #events: GenerationEvent[] = [];
  losses = noLosses;

  constructor(decoder: Decoder, client: AnswerAdapter, options: EncoderOptions) {
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
    return JSON.stringify(body);
  }

  #collect(events: readonly GenerationEvent[]): Passed {
    for (const event of events) this.#events.push(event);
    return { wire: "", events };
  }
}
