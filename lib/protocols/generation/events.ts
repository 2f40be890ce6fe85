import { GatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { PricedTool } from "@/lib/kernel/usage";
import type { Source } from "./sources";

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
  /** What a messages vendor adds for its SDK, with a word of its own in `error_code`. Source: docs/protocols.md#s13-4. */
  details?: JsonObject;
  /** The message is a sentence of the gateway: it holds nothing of the node's. */
  ours?: true;
  /** The answer is larger than the gateway takes; nothing is wrong with its node. */
  bound?: true;
  /** Other codes and sentences of the error, one a line; they classify the failure and are never shown. */
  marks?: string;
}

/** An upstream that broke the rules of its own protocol; always UPSTREAM_ERROR for the caller. */
export class ProtocolError extends GatewayError {
  readonly failure: UpstreamFailure;

  /** `bound`: the answer broke a bound of the gateway's and no rule. */
  constructor(message: string, { bound = false }: { bound?: boolean } = {}) {
    super("UPSTREAM_ERROR", message);
    this.name = "ProtocolError";
    this.failure = brokenAnswer(message);
    if (bound) this.failure.bound = true;
  }
}

/** The failure of an answer that came with a good status but cannot be read. */
export function brokenAnswer(message: string): UpstreamFailure {
  return { status: null, type: "protocol_error", code: null, message, param: null, ours: true };
}

/** What a tool takes: a function JSON arguments, a custom tool any text. */
export type ToolKind = "function" | "custom";

/**
 * One thing that happened in an answer; what every decoder produces and every encoder takes.
 *
 * Shape: a tool call's `slot` is its ordinal, dense from 0; its `id` is "" when the upstream gave none. The `text` of
 * `tool_args` is a piece of a function's JSON arguments, or of the plain text that a custom tool takes.
 * A call `byProgram` is made by code that runs at the node, not by the model: it is no output.
 * `usage` replaces what an earlier `usage` said, field by field; the output of an `early` one is a placeholder.
 * Of an answer with several choices, what follows a `choice` belongs to that one, the first before any; each has its own
 * slots and its own `finish`.
 * `logProbabilities` are those of the text's tokens, where they were asked for: `token`, `logprob`, `bytes`, `top_logprobs`.
 * A `message` begins a further message of an answer that has several; `phase` is the node's own word for what it is for.
 * A `further` text begins another part of the same reasoning.
 * An `id` of opaque reasoning is that of the item which the data completes, together with the reasoning text before it.
 * `other_item` is an item that only the node's protocol has a word for, such as a call that the node answers itself;
 * it comes once for each, and `kind` is that word.
 * `media` is a picture or a piece of sound; `base64` are the bytes of a whole picture, where the node has sent them.
 * `hosted_call` is a call of a tool that the node runs and bills beside tokens; it comes when the call has ended. With a
 * `total` it is the node's own count of all calls of the answer, in place of those that came before.
 * A `search` is one of the web that the node has made; it comes when it has ended, beside the `hosted_call` that bills it.
 * `start` and `end` of a citation are offsets into the whole text so far. `finish` and `end` come once, last; `error` ends an answer too.
 * Source: docs/protocols.md#s12-3.
 */
export type GenerationEvent =
  | { type: "start"; id: string; model: string }
  | { type: "choice"; index: number }
  | { type: "message"; phase: string | null }
  | { type: "text"; text: string; logProbabilities?: readonly JsonObject[] }
  | { type: "reasoning"; text: string; further?: true }
  | { type: "reasoning_signature"; signature: string }
  | { type: "reasoning_opaque"; data: string; id?: string }
  | { type: "tool_open"; slot: number; id: string; name: string; kind: ToolKind; byProgram?: true }
  | { type: "tool_args"; slot: number; text: string }
  | { type: "tool_close"; slot: number }
  | { type: "other_item"; kind: string }
  | { type: "media"; kind: "images" | "audio"; base64?: string }
  | { type: "hosted_call"; tool: PricedTool; total?: number }
  | { type: "search"; id: string; query: string; sources: readonly Source[] }
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
    case "other_item":
    case "media":
    case "search":
    case "finish":
      return true;
    case "start":
    case "choice":
    case "message":
    case "hosted_call":
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
