import type { JsonObject } from "@/lib/kernel/json-object";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import type { AnswerForm, ConversationInput } from "./call-input";
import type { Effort } from "./efforts";
import type { NumberOption } from "./number-options";
import type { SdkCode } from "./sdk-code";
import type { Tool } from "./tool";

/**
 * What a caller of a protocol writes and reads: pages make calls, code and checks with it. Pure, and without anything of a
 * server. Source: docs/architecture.md#s2.
 */
export interface ProtocolKit {
  /** The name of the protocol, as pages show it. */
  readonly name: string;
  /** The path at which a generation is asked for. */
  readonly path: `/${string}`;
  /** What the base URL of its SDKs has behind the gateway's own: `/v1`, or "" for nothing. */
  readonly basePath: string;
  /** The headers with a caller's key, and those that the protocol asks for beside it. */
  credentials(secret: string): Record<string, string>;

  /** The fields of what is said, of the output limit, and of what a stream needs beside `stream`. */
  conversation(input: ConversationInput): JsonObject;
  /** The highest temperature that the protocol knows. */
  readonly highestTemperature: number;
  /** The gateway takes the temperatures up to `maxTemperature` of its settings only. */
  readonly temperatureBySetting?: true;
  /** The field of the stop sequences; null: there is none. */
  readonly stopField: string | null;
  /** The fields of numbers; one that is absent has none. */
  readonly numberFields: Readonly<Partial<Record<NumberOption, string>>>;
  /** The efforts that the protocol has a word for. */
  readonly efforts: readonly Effort[];
  /** A JSON object can be asked for without a schema. */
  readonly jsonWithoutSchema: boolean;
  /** The fields of how hard the model thinks and in which form it answers. */
  answerForm(form: AnswerForm): JsonObject;
  /** An entry of the field `tools`. */
  tool(tool: Tool): JsonObject;
  /** The fields of a call that has one tool and has to call it. */
  forcedTool(tool: Tool): JsonObject;

  /** Where the tokens of a body are counted, and the field of a generation that does not belong there; absent: nowhere. */
  readonly counting?: { readonly path: `/${string}`; readonly foreignField: string };
  /** Where its clients read what is left of their quota; absent: they do not. */
  readonly usagePath?: `/${string}`;

  /** True for the frame that ends a stream well. */
  endsStream(frame: SseFrame): boolean;
  /** The words for the end of an answer that met its most tokens. */
  readonly cutReasons: readonly string[];
  /** Its count of input tokens includes those that were read from a cache or written to one. */
  readonly cachedIsInput: boolean;
  /** Reasoning comes as summaries, each an item of its own. */
  readonly reasoningIsSummary: boolean;

  /** A call as code. */
  readonly code: SdkCode;
}
