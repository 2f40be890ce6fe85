import type { Clock } from "@/lib/kernel/clock";
import type { ErrorCode, GatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { GenerationEvent, PartialUsage, UpstreamFailure } from "@/lib/protocols/generation/events";
import type { NodeReasoning } from "@/lib/protocols/generation/parts";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import type { RequestAdapter } from "./request-adapter";

/**
 * One wire protocol: converts between its JSON and the neutral model. Adapters are pure: no I/O, no clock, no
 * randomness; ids, time and seals are values and functions in the options. Source: docs/architecture.md#s2.
 */
export interface ProtocolAdapter extends RequestAdapter, AnswerAdapter, NodeAdapter {}

/** How nodes that speak the protocol are called. */
export interface NodeAdapter {
  readonly node: NodeApi;
}

/** How a node's answer is read and a client's answer is written. */
export interface AnswerAdapter {
  readonly id: string;
  /** The path at which clients of this protocol ask for a generation; paths below it are this protocol's too. */
  readonly clientPath: string;
  /** Clients take tool arguments only as JSON objects: a node that sends others has failed. */
  readonly jsonToolArguments: boolean;
  readonly errors: ErrorFormat;
  /** Content type of streams. */
  readonly streamType: string;

  /** True for request headers that only clients of this protocol send. */
  speaks(headers: Readonly<Record<string, string | undefined>>): boolean;
  /** The id of an answer that the gateway writes itself. */
  answerId(requestId: string): string;
  /**
   * The frame that keeps a silent stream open. `started`: the stream has sent its first frame.
   * Source: docs/protocols.md#s12-6.
   */
  ping(started: boolean): string;

  /** Reads the frames of one stream of a node. */
  decoder(options: DecoderOptions): Decoder;
  /** A node's whole answer as the events that its stream would have given. Throws: nothing. */
  decodeWhole(body: unknown, options: DecoderOptions): GenerationEvent[];
  /** A node's whole answer as the frames of a stream, for a node that did not stream though it was asked. */
  framesOfWhole(body: unknown, choices: number): SseFrame[];
  /** Makes the end of a stream that is cut at its output limit. */
  limitEnding(choices: number): LimitEnding;
  /** Reads the JSON of a whole answer as far as the adapter needs it; absent: all of it. Throws: SyntaxError. */
  readonly parseWhole?: (json: string) => unknown;
  /** Bytes that a whole answer may have; absent: 32 MiB. */
  readonly maxWholeBytes?: number;
  /** Reads the error body of a node's refusal. Throws: nothing. */
  readFailure(status: number | null, body: string): UpstreamFailure;

  /** Writes a stream for a client. */
  encoder(options: EncoderOptions): Encoder;
  /** The whole body of the same events; equal to the folded stream by construction. */
  fold(events: Iterable<GenerationEvent>, options: EncoderOptions): Folded;

  /** Same protocol on both sides: passes a stream on. */
  passthrough(options: PassthroughOptions): Passthrough;
  /**
   * The same for a client that does not want the stream which the node sends: all comes at the end, as a whole body.
   * Default: the body is folded from the events.
   */
  gather?(options: PassthroughOptions): Passthrough;
  /** Passes a whole answer on. `body` is what `json` says; it is changed in place. Throws: nothing. */
  passWhole(json: string, body: JsonObject, options: PassthroughOptions): PassedWhole;
}

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

/** Follows a stream, so that it can be ended where it is cut. */
export interface LimitEnding {
  watch(frame: SseFrame): void;
  /** The frames with which a node that stopped at its limit would have ended. Units: `output` in tokens. */
  frames(output: number): SseFrame[];
}

/** How errors and limits are reported to clients of a protocol. */
export interface ErrorFormat {
  /** The `type` word of each code. Source: docs/protocols.md#s13-2. */
  readonly types: Readonly<Record<ErrorCode, string>>;
  /** What the protocol's clients get otherwise than others. Default: the error as it is. */
  refusal?(error: GatewayError): Refusal;
  /** The protocol's SDK reads the vendor's own `details` of an error. Source: docs/protocols.md#s13-4. */
  readonly vendorDetails?: true;
  /** The frame that breaks a stream visibly; nothing may follow it. Source: docs/protocols.md#s12-7. */
  frame(failure: StreamFailure): string;
  /**
   * The headers that report a caller's limits; a reset may be a point in time: `wallMs` is the wall clock.
   * Source: docs/contract.md#s6.
   */
  limitHeaders(limits: RateLimits, wallMs: number): Record<string, string>;
  /** The headers that report a caller's quota. Units: `used` in percent, from 0 to 100. Source: docs/responses.md#s2-8. */
  quotaHeaders?(used: number): Record<string, string>;
}

/** A refusal in a protocol's own words. Shape: without `type` that of the error's code. */
export interface Refusal {
  status: number;
  type?: string;
  code: string;
  message: string;
  /** The same request must not be sent again. */
  final?: boolean;
}

/** What is reported to a client when its stream breaks. */
export interface StreamFailure {
  code: ErrorCode;
  message: string;
  requestId: string;
  /** The reason, where the code does not give it. */
  reason?: string;
  /** See `ErrorDetails.vendorCode`. */
  vendorCode?: string;
}

/** How much of a caller's limits is used. */
export interface RateLimits {
  rpm: RateLimitUse;
  tpm: RateLimitUse;
}

/** One limit. Shape: `limit` null is none. */
export interface RateLimitUse {
  limit: number | null;
  used: number;
  resetMs: number;
}

/** The header that carries a node's credential; `authorization` takes it as a bearer token. */
export type CredentialHeader = "authorization" | "x-api-key" | "api-key";

/** How the nodes of a protocol are called. */
export interface NodeApi {
  /** Path of a generation, below the base URL. */
  readonly path: string;
  /** Path of a token count; null: the protocol has none. */
  readonly countTokensPath: string | null;
  /** Fields of a generation that the count refuses; absent: none. */
  readonly uncounted?: ReadonlySet<string>;
  /** Path that lists the models. */
  readonly modelsPath: string;
  /** The list has pages: the query of each, and the parameter that names the last model of the page before. */
  readonly modelsPages?: { readonly query: string; readonly after: string };
  /** Where the credential goes unless the provider says otherwise. */
  readonly credential: CredentialHeader;
  /** Headers that every call has, whatever the client sends. */
  readonly headers: Readonly<Record<string, string>>;
  /** Models whose sealed reasoning is read wherever they are served; that of others only where it was made. */
  readonly portableReasoning?: RegExp;
  /** See `EncoderOptions.reasoningIsSummary`. */
  readonly reasoningIsSummary?: boolean;
}
