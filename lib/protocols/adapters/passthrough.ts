import type { JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import type { StreamFailure } from "./error-format";

/** What a passthrough must know. */
export interface PassthroughOptions {
  /** Our own answer id; stands in where the node sends none. */
  id: string;
  /** The model name the client asked for. */
  alias: string;
  /** Stands in where the node does not say when its answer began. Units: seconds since 1970. */
  created?: number;
  /** The client's own validated body. */
  request: JsonObject;
  /** How many choices the node was asked for. Default 1. */
  choices?: number;
  /** Upstream's tool name → the client's. */
  toolNames?: ReadonlyMap<string, string>;
  /** The client does not want to see reasoning. Default false. */
  hideReasoning?: boolean;
  /** The client gets the first tool call only. Default false. */
  singleToolCall?: boolean;
  /** A node that sends its terminal signal may leave the finish reason out. Default true. */
  finishOptional?: boolean;
}

/** The result of one frame: text for the client, events for the meter. */
export interface Passed {
  wire: string;
  events: readonly GenerationEvent[];
}

/**
 * Passes one stream from a node to a client. Between two of the same protocol it changes only what must change; unknown
 * fields pass unchanged. The terminal frames are held back until `end()`.
 */
export interface Passthrough {
  /** Never throws. After an `error` or `end` event nothing more comes out. */
  push(frame: SseFrame): Passed;
  /** The end of the node's bytes: what is still to be read, or an `error` event when the stream has broken off. */
  finish(): Passed;
  /**
   * The terminal frames; call it once, after `finish()`, and never after a failure. `usage`: the counts to show where
   * the node reported none, or none that are plausible.
   */
  end(usage?: PartialUsage): string;
  /** See `Encoder.fail`. */
  fail?(failure: StreamFailure): string | undefined;
  /** The finish reason has come: nothing but usage and the terminal signal can follow. */
  readonly finishSeen: boolean;
  /** What was left out or altered for the client's protocol. */
  readonly losses: readonly string[];
}

/** A whole answer on its way to a client of the same protocol. */
export interface PassedWhole {
  events: GenerationEvent[];
  /** The body. `usage`: the counts to show where the node reported none, or none that are plausible. */
  wire(usage?: PartialUsage): string;
}
