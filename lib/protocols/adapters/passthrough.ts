import type { JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import type { StreamFailure } from "./error-format";

/** The options of a passthrough. */
export interface PassthroughOptions {
  /** The gateway's own answer id, for nodes that send none. */
  id: string;
  /** The model name of the client's request. */
  alias: string;
  /** The start time of the answer, for nodes that do not report it. Units: seconds since 1970. */
  created?: number;
  /** The client's own validated body. */
  request: JsonObject;
  /** The number of choices in the request to the node. Default 1. */
  choices?: number;
  /** Upstream's tool name → the client's. */
  toolNames?: ReadonlyMap<string, string>;
  /** The client does not want reasoning. Default false. */
  hideReasoning?: boolean;
  /** Only the first tool call is sent to the client. Default false. */
  singleToolCall?: boolean;
  /** A node that sends its terminal signal may omit the finish reason. Default true. */
  finishOptional?: boolean;
}

/** The result of one frame: text for the client, events for the meter. */
export interface Passed {
  wire: string;
  events: readonly GenerationEvent[];
}

/**
 * Passes one stream from a node to a client. With the same protocol on both sides it changes only what must change;
 * unknown fields are not changed. `end()` returns the terminal frames, which are held back until then.
 */
export interface Passthrough {
  /** Never throws. Returns nothing more after an `error` or `end` event. */
  push(frame: SseFrame): Passed;
  /**
   * Handles the end of the node's bytes: returns the rest of the answer, or an `error` event for a truncated stream.
   */
  finish(): Passed;
  /**
   * The terminal frames; call it once, after `finish()`, and never after a failure. `usage`: the counts to report if
   * the node reported none, or implausible ones.
   */
  end(usage?: PartialUsage): string;
  /** See `Encoder.fail`. */
  fail?(failure: StreamFailure): string | undefined;
  /** The finish reason was received: only usage and the terminal signal can follow. */
  readonly finishSeen: boolean;
  /** The parts of the answer that were removed or changed for the client's protocol. */
  readonly losses: readonly string[];
}

/** A whole answer on its way to a client of the same protocol. */
export interface PassedWhole {
  events: GenerationEvent[];
  /** The body. `usage`: the counts to report if the node reported none, or implausible ones. */
  wire(usage?: PartialUsage): string;
}
