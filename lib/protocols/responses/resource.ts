import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import type { PartialUsage } from "@/lib/protocols/generation/events";
import type { AnswerEnding } from "./items";
import { objectOf, writeResponsesUsage } from "./usage";

/** The members of a response that change during its stream. */
interface ResponseState {
  status: "in_progress" | "completed" | "incomplete" | "failed";
  completedAt: number | null;
  error: JsonObject | null;
  incompleteReason: AnswerEnding["reason"];
  usage: JsonObject | null;
}

const begun: ResponseState = {
  status: "in_progress",
  completedAt: null,
  error: null,
  incompleteReason: null,
  usage: null,
};

/**
 * The response object around the items: the fixed members, and the echo of the request. Source: docs/responses.md#s2-6.
 */
export class ResponseResource {
  readonly #options: EncoderOptions;
  readonly #echo: JsonObject;
  /** The echo as JSON without its opening bracket; a stream contains it three times. */
  #echoText: string | null = null;

  constructor(options: EncoderOptions) {
    this.#options = options;
    this.#echo = echoOf(options.request, options.echoInstructions === true);
  }

  /** The response at the beginning of a stream. */
  begunText(): string {
    return this.#text(begun, "");
  }

  /** The response at the end of a stream. `items`: the JSON of the output items, with commas between them. */
  endedText(ending: AnswerEnding, usage: PartialUsage, items: string): string {
    const echo = this.#echoOf(usage);
    if (echo === this.#echo) return this.#text(this.#ended(ending, usage), items);
    return textOf(this.#head(this.#ended(ending, usage)), items, printJson(echo).slice(1));
  }

  /** The response at the end of a stream that failed. */
  failedText(error: JsonObject, items: string): string {
    return this.#text({ ...begun, status: "failed", error }, items);
  }

  /** The whole body. */
  ended(ending: AnswerEnding, usage: PartialUsage, output: readonly JsonObject[]): JsonObject {
    return { ...this.#head(this.#ended(ending, usage)), output, ...this.#echoOf(usage) };
  }

  #ended({ status, reason }: AnswerEnding, usage: PartialUsage): ResponseState {
    const { clock, created } = this.#options;
    const now = clock === undefined ? created : Math.floor(clock.date().getTime() / 1_000);
    const completedAt = status === "completed" ? now : null;
    return { status, completedAt, error: null, incompleteReason: reason, usage: writeResponsesUsage(usage) };
  }

  #text(state: ResponseState, items: string): string {
    this.#echoText ??= printJson(this.#echo).slice(1);
    return textOf(this.#head(state), items, this.#echoText);
  }

  /** The echo of the request, with the service tier that has served it if the node names one. */
  #echoOf({ served }: PartialUsage): JsonObject {
    if (served === undefined || served === "other") return this.#echo;
    const tier = served === "standard" ? "default" : served;
    return this.#echo.service_tier === tier ? this.#echo : { ...this.#echo, service_tier: tier };
  }

  #head({ status, completedAt, error, incompleteReason, usage }: ResponseState): JsonObject {
    const { id, created, alias } = this.#options;
    return {
      id,
      object: "response",
      created_at: created,
      status,
      completed_at: completedAt,
      error,
      incomplete_details: incompleteReason === null ? null : { reason: incompleteReason },
      model: alias,
      usage,
    };
  }
}

/** `items`: the JSON of the output items; `echo`: that of the request without its opening bracket. */
function textOf(head: JsonObject, items: string, echo: string): string {
  return `${printJson(head).slice(0, -1)},"output":[${items}],${echo}`;
}

/**
 * The client's request fields, complete, because strict clients require every member. Source: docs/responses.md#s2-6.
 */
function echoOf(request: JsonObject, withInstructions: boolean): JsonObject {
  const given = (name: string, usual: unknown) => request[name] ?? usual;
  const { service_tier: tier } = request;
  return {
    background: false,
    frequency_penalty: given("frequency_penalty", 0),
    instructions: withInstructions ? given("instructions", null) : null,
    max_output_tokens: given("max_output_tokens", null),
    max_tool_calls: given("max_tool_calls", null),
    metadata: given("metadata", {}),
    parallel_tool_calls: given("parallel_tool_calls", true),
    presence_penalty: given("presence_penalty", 0),
    previous_response_id: given("previous_response_id", null),
    prompt_cache_key: given("prompt_cache_key", null),
    reasoning: { effort: null, summary: null, ...objectOf(request.reasoning) },
    safety_identifier: given("safety_identifier", null),
    service_tier: typeof tier === "string" && tier !== "auto" ? tier : "default",
    store: given("store", true),
    temperature: given("temperature", 1),
    text: { format: { type: "text" }, ...objectOf(request.text) },
    tool_choice: given("tool_choice", "auto"),
    tools: Array.isArray(request.tools) ? request.tools.map(echoedTool) : [],
    top_logprobs: given("top_logprobs", 0),
    top_p: given("top_p", 1),
    truncation: given("truncation", "disabled"),
    user: given("user", null),
  };
}

function echoedTool(tool: unknown): unknown {
  if (!isObject(tool) || tool.type !== "function") return tool;
  return { description: null, parameters: null, strict: null, ...tool };
}
