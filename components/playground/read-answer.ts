import type { Decoder } from "@/lib/protocols/adapters/decoder";
import { type GenerationEvent, isMeaningful } from "@/lib/protocols/generation/events";
import { answerReaders } from "@/lib/protocols/kit/answer-readers";
import { protocolKits } from "@/lib/protocols/kit/kits";
import type { ProtocolKit } from "@/lib/protocols/kit/protocol-kit";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { type Answer, addEvent, noAnswer } from "./answer";
import type { Frame } from "./read-frames";

/** The gateway estimates the input of a stream before its node has counted it. */
const decoderOptions = { id: "", estimatedInput: true };

/** Reads an answer while it arrives. */
export class AnswerReading {
  /** The answer received so far. */
  answer = noAnswer;
  readonly #kit: ProtocolKit;
  readonly #decoder: Decoder;
  /** Another event followed the reasoning. */
  #reasoningEnded = false;

  constructor(protocol: ClientProtocol) {
    this.#kit = protocolKits[protocol];
    this.#decoder = answerReaders[protocol].decoder(decoderOptions);
  }

  /** Takes one frame of a stream; returns the answer with it. */
  frame(frame: Frame): Answer {
    return this.add(this.#decoder.push(frame));
  }

  /** Takes the end of a stream. Of a broken stream the received part is shown. */
  end(): Answer {
    return this.add(this.#decoder.end().filter(({ type }) => type !== "error"));
  }

  /** Takes events of the answer. */
  add(events: readonly GenerationEvent[]): Answer {
    for (const event of events) this.answer = addEvent(this.answer, this.#separated(event), this.#kit);
    return this.answer;
  }

  /** Marks a summary that follows another event as a further one. */
  #separated(event: GenerationEvent): GenerationEvent {
    if (event.type !== "reasoning") {
      this.#reasoningEnded ||= isMeaningful(event);
      return event;
    }
    const isFurther = this.#reasoningEnded && this.#kit.reasoningIsSummary;
    this.#reasoningEnded = false;
    return isFurther ? { ...event, further: true } : event;
  }
}

/** An unstreamed body as an answer. */
export function wholeAnswer(protocol: ClientProtocol, body: unknown): Answer {
  return new AnswerReading(protocol).add(answerReaders[protocol].decodeWhole(body, decoderOptions));
}
