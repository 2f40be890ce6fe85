import type { Encoder } from "@/lib/protocols/adapters/encoder";
import type { GenerationEvent } from "@/lib/protocols/generation/events";

/** Converts events into the parts of a protocol's answer and passes each part to the encoder, which writes it. */
interface AnswerShape {
  readonly losses: readonly string[];
  push(event: GenerationEvent): void;
}

/** The common part of encoders: collects the written text until the event is processed. */
export abstract class WireEncoder implements Encoder {
  protected abstract readonly shape: AnswerShape;
  /** Text that is written but not returned yet. */
  protected wire = "";

  get losses(): readonly string[] {
    return this.shape.losses;
  }

  push(event: GenerationEvent): string {
    if (event.type === "start") this.start();
    else this.shape.push(event);
    const { wire } = this;
    this.wire = "";
    return wire;
  }

  abstract end(): string;

  /** Writes the first frame, unless it is written already. */
  protected abstract start(): void;
}
