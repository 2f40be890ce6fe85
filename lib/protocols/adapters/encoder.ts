import type { Clock } from "@/lib/kernel/clock";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { NodeReasoning } from "@/lib/protocols/generation/parts";
import type { StreamFailure } from "./error-format";

/** What an encoder must know. The client's own wishes (usage chunk, stop sequences, …) stand in `request`. */
export interface EncoderOptions {
  /** From `answerId`. */
  id: string;
  /** The model name the client asked for. */
  alias: string;
  /** Unix seconds, one value per answer. */
  created: number;
  /** The client's own validated body. */
  request: JsonObject;
  /** The client does not want to see reasoning. */
  hideReasoning: boolean;
  /** The client gets the first tool call only. */
  singleToolCall: boolean;
  /** Upstream's tool name → the client's. */
  toolNames: ReadonlyMap<string, string>;
  /** The node's reasoning is a summary for the reader, not what the model wrote to itself. Default false. */
  reasoningIsSummary?: boolean;
  /** Instructions come back in the answer. Default false. */
  echoInstructions?: boolean;
  /** Tells when the answer is complete; without it that is when it was created. */
  clock?: Pick<Clock, "date">;
  /** Input tokens to show before the node has reported its own. */
  inputEstimate: number;
  /** Marks reasoning that came from a node of another protocol; null: its own signatures go through. */
  seal: ReasoningSeal | null;
}

/** Marks reasoning, so that it is recognised when the client sends it back. Source: docs/protocols.md#s8-3. */
export interface ReasoningSeal {
  sign(text: string): string;
  tag(opaque: string): string;
  /** All that a node gave of one piece of reasoning, for one field of the client's. */
  envelope(reasoning: NodeReasoning): string;
}

/**
 * Writes one answer as the wire text of a stream. Everything but the end comes out of `push`; `finish` and `usage`
 * are kept, so that a later `usage` event still replaces what the node reported.
 */
export interface Encoder {
  /** Returns wire text, "" for nothing. `error` and `end` write nothing. */
  push(event: GenerationEvent): string;
  /** The terminal frames; call it once, after the money is settled, and never after a failure. */
  end(): string;
  /** The frames that break the stream visibly, where they depend on what was sent; otherwise `ErrorFormat.frame`. */
  fail?(failure: StreamFailure): string;
  /** What was left out or altered. */
  readonly losses: readonly string[];
}

/** A whole answer for a client. */
export interface Folded {
  body: JsonObject;
  losses: readonly string[];
}
