import { GatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import {
  CallCount,
  countNonAscii,
  type OfferedCalls,
  type PricedTool,
  type Usage,
  type UsageSource,
} from "@/lib/kernel/usage";
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

const fields = ["inputUncached", "cacheRead", "cacheWrite", "output", "reasoning"] as const;

const SAMPLE_CHARACTERS = 4_096;

/** Characters by their cost in an estimate of tokens. */
export interface EmittedCharacters {
  ascii: number;
  other: number;
}

/** Which counts have to be estimated: not reported, implausible, or contradicted by what was produced. */
export interface MissingCounts {
  input: boolean;
  output: boolean;
}

/**
 * Watches the events of one answer and keeps the numbers to bill: the latest counts and how much was produced.
 * It keeps only the beginning of the text. Source: docs/protocols.md#s11-6, docs/reliability.md#s2-6.
 */
export class Meter {
  /** The latest plausible counts; absent is not zero. */
  readonly usage: PartialUsage = {};
  /** Everything the model produced: text, reasoning, refusals, names and arguments of its own calls. */
  readonly emitted: EmittedCharacters = { ascii: 0, other: 0 };
  /** The beginning of what was produced, enough to judge how many characters a token has. */
  sample = "";
  /** True when a count was refused: no whole number from 0, or beyond the ceiling. */
  odd = false;
  toolCalls = 0;
  /** Calls of tools that the node ran and bills. */
  readonly calls: CallCount;
  finish: FinishReason | null = null;
  /** True once the answer has ended well. */
  ended = false;
  /** True once the node has reported the counts of the whole answer. */
  counted = false;
  /** No more output than this is billed. Units: tokens. */
  readonly outputCap: number;
  readonly #ceiling: number;
  /** The latest call that a program made; its arguments follow it. */
  #programSlot = -1;
  /** The greatest output count that was reported, accepted or not. */
  #claim = 0;
  /** The output count that a node reported before it produced anything. */
  #placeholder: number | undefined;

  /** `ceiling`: counts above it are refused; twice the context window where that is known. Units: tokens. */
  constructor(ceiling = 20_000_000, outputCap = Number.POSITIVE_INFINITY, offered?: OfferedCalls) {
    this.calls = new CallCount(offered);
    this.#ceiling = ceiling;
    this.outputCap = outputCap;
  }

  /** Takes the next event of the answer. */
  push(event: GenerationEvent): void {
    switch (event.type) {
      case "text":
      case "reasoning":
      case "refusal":
        this.#count(event.text);
        return;
      case "tool_args":
        if (event.slot !== this.#programSlot) this.#count(event.text);
        return;
      case "tool_open":
        this.toolCalls += 1;
        if (event.byProgram === true) this.#programSlot = event.slot;
        else this.#count(event.name);
        return;
      case "usage":
        this.#take(event.usage, event.early === true);
        return;
      case "finish":
        this.finish = event.reason;
        return;
      case "end":
        this.ended = true;
        this.counted = true;
        return;
      case "hosted_call":
        if (event.total === undefined) this.calls.add(event.tool);
        else this.calls.setTotal(event.tool, event.total);
        return;
      case "start":
      case "choice":
      case "message":
      case "other_item":
      case "media":
      case "reasoning_signature":
      case "reasoning_opaque":
      case "tool_close":
      case "search":
      case "citation":
      case "ping":
      case "error":
        return;
      case "warning":
        this.odd ||= event.code.startsWith("usage:");
        return;
    }
  }

  /** True when the answer held anything at all. */
  get produced(): boolean {
    return this.emitted.ascii > 0 || this.emitted.other > 0;
  }

  /** A reported output count that is above every limit; null: none. Source: docs/contract.md#b7. */
  get implausibleOutput(): number | null {
    const claim =
      this.usage.output === undefined ? Math.max(this.#claim, this.#placeholder ?? 0) : this.#claim;
    return claim > Math.min(this.#ceiling, this.outputCap) ? claim : null;
  }

  /** The fields that need an estimate. Source: docs/reliability.md#s2-6. */
  get missing(): MissingCounts {
    const { inputUncached, cacheRead = 0, cacheWrite = 0, output } = this.usage;
    const worked = this.produced || (output ?? 0) > 0;
    const prompt = (inputUncached ?? 0) + cacheRead + cacheWrite;
    return {
      input: inputUncached === undefined || (prompt === 0 && worked),
      output: output === undefined ? this.#outputUnreported : output === 0 && this.produced,
    };
  }

  get #outputUnreported(): boolean {
    return this.#placeholder === undefined || this.produced;
  }

  /** The counts to bill: those of the node, with the estimate in place of missing ones. */
  final(estimate: { input: number; output: number }): { usage: Usage; source: UsageSource } {
    const { inputUncached = 0, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = this.usage;
    const missing = this.missing;
    const least = this.#placeholder ?? 0;
    const output = missing.output ? Math.max(estimate.output, least) : (this.usage.output ?? least);
    const billedOutput = Math.min(this.outputCap, output);
    const usage: Usage = {
      inputUncached: missing.input ? Math.max(0, estimate.input - cacheRead - cacheWrite) : inputUncached,
      cacheRead,
      cacheWrite,
      output: billedOutput,
      reasoning: Math.min(reasoning, billedOutput),
    };
    if (this.calls.billed !== undefined) usage.calls = this.calls.billed;
    return { usage, source: missing.input || missing.output ? "estimated" : "upstream" };
  }

  #take(usage: PartialUsage, early: boolean): void {
    for (const field of fields) {
      const value = usage[field];
      if (value === undefined) continue;
      if (field === "output" && !early) this.#claim = Math.max(this.#claim, value);
      if (value > this.#ceiling) this.odd = true;
      else if (field === "output" && early) this.#placeholder = value;
      else this.usage[field] = value;
    }
  }

  #addToSample(text: string): void {
    this.sample += text.slice(0, SAMPLE_CHARACTERS);
    // A substring keeps the whole wire text in memory; a copy does not.
    if (this.sample.length >= SAMPLE_CHARACTERS) this.sample = Buffer.from(this.sample).toString();
  }

  #count(text: string): void {
    if (this.sample.length < SAMPLE_CHARACTERS) this.#addToSample(text);
    const other = countNonAscii(text);
    this.emitted.other += other;
    this.emitted.ascii += text.length - other;
  }
}
