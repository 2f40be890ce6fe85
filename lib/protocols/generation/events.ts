/** Why a generation ended, in the neutral model. Source: docs/protocols.md#s10. */
export type FinishReason =
  | "end"
  | "stop_sequence"
  | "length"
  | "tool_use"
  | "refusal"
  | "pause"
  | "context_window";

/** Token counts as far as a node has reported them; absent is not zero. Source: docs/protocols.md#s11-1. */
export interface PartialUsage {
  inputUncached?: number;
  cacheRead?: number;
  cacheWrite?: number;
  output?: number;
  reasoning?: number;
}

/** How a node described its failure, before or after the first event. */
export interface UpstreamFailure {
  /** HTTP status, or the status its error type stands for; null when there was no HTTP answer. */
  status: number | null;
  /** The upstream's own type word, e.g. `overloaded_error`. */
  type: string | null;
  /** The upstream's own code, e.g. `context_length_exceeded`. */
  code: string | null;
  message: string;
  param: string | null;
  /** The message is a sentence of the gateway: it holds nothing of the node's. */
  ours?: true;
  /** Other codes and sentences of the error, one a line; they classify the failure and are never shown. */
  marks?: string;
}

/** What a tool takes: a function JSON arguments, a custom tool any text. */
export type ToolKind = "function" | "custom";

/**
 * One thing that happened in an answer; what every decoder produces and every encoder takes.
 *
 * Shape: a tool call's `slot` is its ordinal, dense from 0; its `id` is "" when the upstream gave none. The `text` of
 * `tool_args` is a piece of a function's JSON arguments, or of the plain text that a custom tool takes.
 * `usage` replaces what an earlier `usage` said, field by field; the output of an `early` one is a placeholder.
 * Of an answer with several choices, what follows a `choice` belongs to that one, the first before any; each has its own
 * slots and its own `finish`.
 * `start` and `end` of a citation are offsets into the whole text so far. `finish` and `end` come once, last; `error` ends an answer too.
 * Source: docs/protocols.md#s12-3.
 */
export type GenerationEvent =
  | { type: "start"; id: string; model: string }
  | { type: "choice"; index: number }
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "reasoning_signature"; signature: string }
  | { type: "reasoning_opaque"; data: string }
  | { type: "tool_open"; slot: number; id: string; name: string; kind: ToolKind }
  | { type: "tool_args"; slot: number; text: string }
  | { type: "tool_close"; slot: number }
  | { type: "citation"; url: string; title: string; start: number; end: number }
  | { type: "refusal"; text: string }
  | { type: "usage"; usage: PartialUsage; early?: true }
  | { type: "finish"; reason: FinishReason; native: string; stopSequence?: string; explanation?: string }
  | { type: "warning"; code: string }
  | { type: "ping" }
  | { type: "error"; failure: UpstreamFailure }
  | { type: "end" };

/**
 * Events that may be shown to a client and end the search for a node. Source: docs/architecture.md#s1-8,
 * docs/reliability.md#s2-9.
 */
export function isMeaningful(event: GenerationEvent): boolean {
  switch (event.type) {
    case "text":
    case "reasoning":
    case "reasoning_signature":
    case "reasoning_opaque":
    case "tool_open":
    case "tool_args":
    case "refusal":
    case "finish":
      return true;
    case "start":
    case "choice":
    case "tool_close":
    case "citation":
    case "usage":
    case "warning":
    case "ping":
    case "error":
    case "end":
      return false;
  }
}
