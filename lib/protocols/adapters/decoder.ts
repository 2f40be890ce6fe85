import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

/** What a decoder must know. */
export interface DecoderOptions {
  /** Our own answer id; stands in where the node sends none. */
  id: string;
  /** How many choices the node was asked for. Default 1. */
  choices?: number;
  /** Tool arguments that are no JSON object are a failure. Default false. */
  jsonToolArguments?: boolean;
  /** A node that sends its terminal signal may leave the finish reason out. Default true. */
  finishOptional?: boolean;
  /** The input counts with which a stream begins are estimates: later ones replace them. Default false. */
  estimatedInput?: boolean;
}

/** Reads one stream. After an `error` or `end` event it returns nothing more. */
export interface Decoder {
  /** Never throws: a broken frame becomes an `error` event. */
  push(frame: SseFrame): GenerationEvent[];
  /** Takes the end of the bytes. Returns the missing end of a complete answer, or an `error`. */
  end(): GenerationEvent[];
  /** The finish reason has come: nothing but usage and the terminal signal can follow. */
  readonly finishSeen: boolean;
}

/** Follows a stream, so that it can be ended where it is cut. */
export interface LimitEnding {
  watch(frame: SseFrame): void;
  /** The frames with which a node that stopped at its limit would have ended. Units: `output` in tokens. */
  frames(output: number): SseFrame[];
}
