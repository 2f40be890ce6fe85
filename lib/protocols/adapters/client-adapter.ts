import type { ZodType } from "zod";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { FieldTable } from "@/lib/protocols/generation/concepts";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import type { CheckOptions, OwnForm, ParseContext, PathCall, PromptFields } from "./client-request";
import type { Encoder, EncoderOptions, Folded } from "./encoder";
import type { ErrorFormat } from "./error-format";
import type { StreamForm } from "./stream-form";

/**
 * The client half of a protocol: how a client's request is read and how its answer is written. Adapters are pure: no I/O,
 * no clock, no randomness; ids, time and seals are values and functions in the options. Source: docs/architecture.md#s2.
 */
export interface ClientAdapter {
  readonly id: string;
  /** The path at which clients request a generation; paths below it belong to this protocol too. */
  readonly clientPath: string;
  /**
   * What a path of this protocol asks for, where paths name the model; null for what is not served. Absent: the body
   * names the model. Source: docs/gemini.md#paths.
   */
  readPath?(path: string): PathCall | null;
  /** True for request headers that only clients of this protocol send. */
  speaks(headers: Readonly<Record<string, string | undefined>>): boolean;

  /** The schema of a request; objects are loose: unknown fields are accepted. */
  readonly schema: ZodType;
  /** The schema of a request to count tokens. */
  readonly countSchema: ZodType;
  /** The concepts of each top-level field. */
  readonly fields: FieldTable;
  /** The top-level fields that are part of the prompt; the input tokens are counted from these. */
  readonly promptFields: PromptFields;
  /** Requests may refer to earlier responses, and responses are stored unless the request disables it. */
  readonly stateful?: true;
  /**
   * True for a body of texts and numbers that certainly passes the schema, which is then skipped; false decides
   * nothing.
   */
  isPlain(body: JsonObject): boolean;
  /** Checks rules that a schema cannot express. Throws: INVALID_REQUEST naming the field. */
  check(body: JsonObject, options: CheckOptions): void;
  /**
   * A text that all requests of one conversation share, so that one node serves them. `session`: the session id of the
   * client's headers; a mark in the body takes precedence. Shape: "" for nothing.
   */
  conversation(body: JsonObject, session?: string): string;
  /**
   * Converts an unchecked body whose parts are in another protocol's form; null: it has none. Absent: clients of this
   * protocol send none. Throws: INVALID_REQUEST.
   */
  ownForm?(body: JsonObject): OwnForm | null;
  /** The neutral request of a checked body. Throws: INVALID_REQUEST naming the client's field. */
  parse(body: JsonObject, context: ParseContext): GenerationRequest;

  readonly errors: ErrorFormat;
  /** Content type of streams. */
  readonly streamType: string;
  /** The form of a stream that the query of a call asks for; null: the frames as they are. Absent: always so. */
  streamForm?(query: URLSearchParams): StreamForm | null;
  /** Streams may hold comments; clients of some protocols fail at them. Absent: true. */
  readonly takesComments?: false;
  /** Clients accept tool arguments only as JSON objects: other arguments count as a failure of the node. */
  readonly jsonToolArguments: boolean;
  /** The id of an answer that the gateway writes itself. */
  answerId(requestId: string): string;
  /** A whole answer that passes on a node's own, in the form of the client's path. Absent: as it is. */
  wholeForm?(wire: string, request: JsonObject): string;
  /** The answer to a request to count tokens. Absent: that of the path. */
  countAnswer?(tokens: number): JsonObject;
  /**
   * The keep-alive frame of a silent stream. `started`: the stream has sent its first frame.
   * Source: docs/protocols.md#s12-6.
   */
  ping(started: boolean): string;
  /** Writes a stream. */
  encoder(options: EncoderOptions): Encoder;
  /** The whole body for the same events; equal to the folded stream by construction. */
  fold(events: Iterable<GenerationEvent>, options: EncoderOptions): Folded;
  /** The stream of an answer without output and usage; absent: clients of this protocol never get one. */
  emptyAnswer?(options: EncoderOptions): string;
}
