import type { Clock } from "@/lib/kernel/clock";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { NodeReasoning } from "@/lib/protocols/generation/parts";
import type { StreamFailure } from "./error-format";

/** The options of an encoder. The wishes of the client (usage chunk, stop sequences, …) are in `request`. */
export interface EncoderOptions {
  /** The id of the answer, from `answerId`. */
  id: string;
  /** The model name of the client's request. */
  alias: string;
  /** Unix seconds, one value per answer. */
  created: number;
  /** The client's own validated body. */
  request: JsonObject;
  /** The client does not want reasoning. */
  hideReasoning: boolean;
  /** Only the first tool call is sent to the client. */
  singleToolCall: boolean;
  /** Upstream's tool name → the client's. */
  toolNames: ReadonlyMap<string, string>;
  /** The node's reasoning is a summary for readers, not the model's own reasoning text. Default false. */
  reasoningIsSummary?: boolean;
  /** The answer repeats the instructions. Default false. */
  echoInstructions?: boolean;
  /** Gives the time at which the answer is complete; without it, that time is `created`. */
  clock?: Pick<Clock, "date">;
  /** The input tokens to report until the node has reported its own count. */
  inputEstimate: number;
  /** Marks reasoning of nodes of other protocols; null: the node's own signatures are passed on. */
  seal: ReasoningSeal | null;
}

/** Marks reasoning, so that the gateway recognises it when the client sends it back. Source: docs/protocols.md#s8-3. */
export interface ReasoningSeal {
  sign(text: string): string;
  tag(opaque: string): string;
  /** Seals one piece of a node's reasoning, with signature and opaque data, as the value of one client field. */
  envelope(reasoning: NodeReasoning): string;
}

/**
 * Writes one answer as the wire text of a stream. `push` returns everything except the end; `finish` and `usage` are
 * stored, so that a later `usage` event can replace the node's counts.
 */
export interface Encoder {
  /** Returns wire text, "" for nothing. Writes nothing for `error` and `end`. */
  push(event: GenerationEvent): string;
  /** The terminal frames; call it once, after the money is settled, and never after a failure. */
  end(): string;
  /**
   * The frames that break the stream visibly, if they depend on the frames sent so far; otherwise `ErrorFormat.frame`.
   */
  fail?(failure: StreamFailure): string;
  /** The parts of the answer that were removed or changed. */
  readonly losses: readonly string[];
}

/** A whole answer for a client. */
export interface Folded {
  body: JsonObject;
  losses: readonly string[];
}
