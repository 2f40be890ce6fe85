import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { Decoder, DecoderOptions } from "./decoder";

/** Reads the answers of a protocol. Pure and independent of the server, so that pages can use it too. */
export interface AnswerReader {
  /** Reads the frames of one stream. */
  decoder(options: DecoderOptions): Decoder;
  /** Reads a whole answer into the events that its stream would give. Throws: nothing. */
  decodeWhole(body: unknown, options: DecoderOptions): GenerationEvent[];
}
