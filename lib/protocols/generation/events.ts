import { GatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { PricedTool, ServedTier, TokenParts } from "@/lib/kernel/usage";
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
  /** Parts of these counts that some vendors bill apart. */
  parts?: TokenParts;
  /** The service tier by which the node has served the request. */
  served?: ServedTier;
}

/** A node's failure, before or after the first event, in the node's own words. */
export interface UpstreamFailure {
  /** HTTP status, or the status of its error type; null without an HTTP answer. */
  status: number | null;
  /** The upstream's own error type, e.g. `overloaded_error`. */
  type: string | null;
  /** The upstream's own code, e.g. `context_length_exceeded`. */
  code: string | null;
  message: string;
  param: string | null;
  /** Details of a messages vendor for its SDK, with their own code in `error_code`. Source: docs/protocols.md#s13-4. */
  details?: JsonObject;
  /** The message is a sentence of the gateway and contains nothing of the node's. */
  ours?: true;
  /** The answer is larger than the gateway accepts; this is no fault of its node. */
  bound?: true;
  /** Other codes and sentences of the error, one a line; they classify the failure and are never shown. */
  marks?: string;
  /** The wait that the error itself names, as text of a `Retry-After`. */
  retryAfter?: string;
  /** The error says that the operator's credential is wrong, whatever its status. */
  wrongKey?: true;
}

/** An upstream broke the rules of its own protocol; the caller always gets UPSTREAM_ERROR. */
export class ProtocolError extends GatewayError {
  readonly failure: UpstreamFailure;

  /** `bound`: the answer exceeded a bound of the gateway and broke no rule. */
  constructor(message: string, { bound = false }: { bound?: boolean } = {}) {
    super("UPSTREAM_ERROR", message);
    this.name = "ProtocolError";
    this.failure = brokenAnswer(message);
    if (bound) this.failure.bound = true;
  }
}

/** The failure of an answer with a success status that cannot be read. */
export function brokenAnswer(message: string): UpstreamFailure {
  return { status: null, type: "protocol_error", code: null, message, param: null, ours: true };
}

/** The kind of a tool by its input: a function takes JSON arguments, a custom tool any text. */
export type ToolKind = "function" | "custom";

/**
 * One event of an answer; decoders produce events, encoders consume them.
 *
 * Shape: a tool call's `slot` is its ordinal, dense from 0; its `id` is "" when the upstream gave none. The `text` of
 * `tool_args` is a piece of a function's JSON arguments, or of the plain text that a custom tool takes.
 * A call `byProgram` is made by code that runs at the node, not by the model: it is no output.
 * `usage` replaces the fields of an earlier `usage`, one by one; the output of an `early` one is a placeholder.
 * Of an answer with several choices, events after a `choice` belong to that one, those before the first `choice` to the
 * first choice; each choice has its own slots and its own `finish`.
 * `logProbabilities` are those of the text's tokens, if requested: `token`, `logprob`, `bytes`, `top_logprobs`.
 * A `message` begins a further message of an answer that has several; `phase` is the node's own word for its purpose.
 * A `further` text begins another part of the same reasoning.
 * An `id` of opaque reasoning is that of the item which the data completes, together with the reasoning text before it.
 * `other_item` is an item of a type that only the node's protocol has, such as a call that the node answers itself;
 * each item gives one event, and `kind` is its type.
 * `media` is a picture or a piece of sound; `base64` are the bytes of a whole picture, if the node has sent them.
 * `hosted_call` is a call of a tool that the node runs and bills beside tokens; the event is sent when the call has
 * ended. With a `total` it is the node's own count of all calls of the answer and replaces the calls counted before.
 * A `search` is a web search that the node has made; the event is sent when the search has ended, beside the
 * `hosted_call` that bills it.
 * `start` and `end` of a citation are offsets into the whole text so far. `finish` and `end` occur once, last; `error`
 * ends an answer too.
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
 * Events that may be shown to a client; the first of them ends failover. Source: docs/architecture.md#s1-8,
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
