import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

/** The options of a decoder. */
export interface DecoderOptions {
  /** The gateway's own answer id, for nodes that send none. */
  id: string;
  /** The number of choices in the request to the node. Default 1. */
  choices?: number;
  /** Tool arguments other than a JSON object are a failure. Default false. */
  jsonToolArguments?: boolean;
  /** A node that sends its terminal signal may omit the finish reason. Default true. */
  finishOptional?: boolean;
  /** The input counts at the beginning of a stream are estimates: later counts replace them. Default false. */
  estimatedInput?: boolean;
}

/** Reads one stream. After an `error` or `end` event it returns nothing more. */
export interface Decoder {
  /** Never throws: a malformed frame becomes an `error` event. */
  push(frame: SseFrame): GenerationEvent[];
  /** Handles the end of the bytes. Returns the missing end of a complete answer, or an `error`. */
  end(): GenerationEvent[];
  /** The finish reason was received: only usage and the terminal signal can follow. */
  readonly finishSeen: boolean;
}

/** Follows a stream, and can end it where it is cut. */
export interface LimitEnding {
  watch(frame: SseFrame): void;
  /** The frames with which a node would have ended at its output limit. Units: `output` in tokens. */
  frames(output: number): SseFrame[];
}
