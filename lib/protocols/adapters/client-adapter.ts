import type { ZodType } from "zod";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { FieldTable } from "@/lib/protocols/generation/concepts";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import type { CheckOptions, OwnForm, ParseContext, PromptFields } from "./client-request";
import type { Encoder, EncoderOptions, Folded } from "./encoder";
import type { ErrorFormat } from "./error-format";

/**
 * The client half of a protocol: how a client's request is read and how its answer is written. Adapters are pure: no I/O,
 * no clock, no randomness; ids, time and seals are values and functions in the options. Source: docs/architecture.md#s2.
 */
export interface ClientAdapter {
  readonly id: string;
  /** The path at which clients ask for a generation; paths below it are this protocol's too. */
  readonly clientPath: string;
  /** True for request headers that only clients of this protocol send. */
  speaks(headers: Readonly<Record<string, string | undefined>>): boolean;

  /** What a client may send; objects are loose, unknown fields stay. */
  readonly schema: ZodType;
  /** The same for a request whose tokens are only counted. */
  readonly countSchema: ZodType;
  /** What each top-level field is about. */
  readonly fields: FieldTable;
  /** The top-level fields that become prompt; from these its tokens are counted. */
  readonly promptFields: PromptFields;
  /** Requests may refer to earlier responses, and responses are stored unless the request says otherwise. */
  readonly stateful?: true;
  /**
   * True for a body that surely passes the schema: texts and numbers only. It spares most requests the schema; false says
   * nothing.
   */
  isPlain(body: JsonObject): boolean;
  /** Rules that a schema cannot say. Throws: INVALID_REQUEST naming the field. */
  check(body: JsonObject, options: CheckOptions): void;
  /**
   * What the requests of one conversation have in common, so that one node serves them. `session`: what the client's
   * headers call its session; the body's own mark goes before it. Shape: "" for nothing.
   */
  conversation(body: JsonObject, session?: string): string;
  /**
   * A body, not checked yet, of which parts are in another protocol's form; null: there are none. Absent: this protocol's
   * clients send none. Throws: INVALID_REQUEST.
   */
  ownForm?(body: JsonObject): OwnForm | null;
  /** The neutral request of a checked body. Throws: INVALID_REQUEST naming the client's field. */
  parse(body: JsonObject, context: ParseContext): GenerationRequest;

  readonly errors: ErrorFormat;
  /** Content type of streams. */
  readonly streamType: string;
  /** Clients take tool arguments only as JSON objects: a node that sends others has failed. */
  readonly jsonToolArguments: boolean;
  /** The id of an answer that the gateway writes itself. */
  answerId(requestId: string): string;
  /**
   * The frame that keeps a silent stream open. `started`: the stream has sent its first frame.
   * Source: docs/protocols.md#s12-6.
   */
  ping(started: boolean): string;
  /** Writes a stream. */
  encoder(options: EncoderOptions): Encoder;
  /** The whole body of the same events; equal to the folded stream by construction. */
  fold(events: Iterable<GenerationEvent>, options: EncoderOptions): Folded;
}
