import type { JsonObject } from "@/lib/kernel/json-object";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import type { AnswerForm, ConversationInput } from "./call-input";
import type { Effort } from "./efforts";
import type { NumberOption } from "./number-options";
import type { SdkCode } from "./sdk-code";
import type { Tool } from "./tool";

/**
 * The parts of a protocol that callers write and read: pages make calls, code and checks with them. Pure and
 * independent of the server. Source: docs/architecture.md#s2.
 */
export interface ProtocolKit {
  /** The name of the protocol on pages. */
  readonly name: string;
  /** The path for a generation. */
  readonly path: `/${string}`;
  /** The path that the SDKs' base URL has after the gateway's own: `/v1`, or "" for none. */
  readonly basePath: string;
  /** The headers with a caller's key, and those that the protocol requires with it. */
  credentials(secret: string): Record<string, string>;
  /** The path and the body of a call whose path names the model. Absent: `path`, and the body as it is. */
  request?(body: JsonObject): { path: string; body: JsonObject };
  /** The list of models: its path, its member with the models, and the id of one. Absent: that of `/v1/models`. */
  readonly models?: { readonly path: `/${string}`; readonly list: string; idOf(model: JsonObject): string };

  /** The fields of the conversation, of the output limit, and those that a stream needs beside `stream`. */
  conversation(input: ConversationInput): JsonObject;
  /** The field of the temperature. Absent: `temperature`. */
  readonly temperatureField?: string;
  /** The highest temperature of the protocol. */
  readonly highestTemperature: number;
  /** The gateway's setting `maxTemperature` limits the temperature further. */
  readonly temperatureBySetting?: true;
  /** The field of the stop sequences; null: none. Fields with a dot are members of an object. */
  readonly stopField: string | null;
  /** The fields of numbers; absent: the protocol has no field for the number. */
  readonly numberFields: Readonly<Partial<Record<NumberOption, string>>>;
  /** The efforts of the protocol. */
  readonly efforts: readonly Effort[];
  /** The protocol can ask for a JSON object without a schema. */
  readonly jsonWithoutSchema: boolean;
  /** The fields of the reasoning effort and of the form of the answer. */
  answerForm(form: AnswerForm): JsonObject;
  /** An entry of the field `tools`. */
  tool(tool: Tool): JsonObject;
  /** The fields of a call with one tool that the model must call. */
  forcedTool(tool: Tool): JsonObject;

  /**
   * The endpoint that counts the tokens of a body, and the field of a generation that it does not accept; absent: none.
   */
  readonly counting?: { readonly path: `/${string}`; readonly foreignField: string };
  /** The endpoint for the remaining quota; absent: clients of the protocol have none. */
  readonly usagePath?: `/${string}`;

  /** True for the frame that ends a complete stream. */
  endsStream(frame: SseFrame): boolean;
  /** The finish reasons of an answer that reached its output limit. */
  readonly cutReasons: readonly string[];
  /** The input count includes the tokens that were read from a cache or written to one. */
  readonly cachedIsInput: boolean;
  /** Reasoning consists of summaries, each an item of its own. */
  readonly reasoningIsSummary: boolean;

  /** A call as code. */
  readonly code: SdkCode;
}
