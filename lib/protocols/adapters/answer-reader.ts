import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { Decoder, DecoderOptions } from "./decoder";

/** Reads the answers of a protocol. Pure and without anything of a server, so that pages read with it too. */
export interface AnswerReader {
  /** Reads the frames of one stream. */
  decoder(options: DecoderOptions): Decoder;
  /** A whole answer as the events that its stream would have given. Throws: nothing. */
  decodeWhole(body: unknown, options: DecoderOptions): GenerationEvent[];
}
