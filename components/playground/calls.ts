import type { ErrorCode } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/read-json";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { ApiError } from "../api/client";
import { answerFields, type CallOptions, effortOf, noOptions, optionFields } from "./call-options";
import { type Tool, toolsOf } from "./tools";
import { type Turn, turnsIn } from "./turns";

/** What compared models may each have of their own. */
export interface CallParameters {
  maxTokens: number;
  temperature: number;
}

/** The parameters of a playground call. */
export interface CallInput extends CallParameters, CallOptions {
  protocol: ClientProtocol;
  model: string;
  system: string;
  /** Texts before which an answer ends; the Responses API has none. */
  stop: readonly string[];
  stream: boolean;
  /** Whether the answer is to be a JSON object, where the protocol can ask for one. */
  json: boolean;
  /** The JSON schema that the answer is to follow; null for none. */
  schema: JsonObject | null;
  tools: readonly Tool[];
  turns: Turn[];
}

/** The highest temperature that a protocol takes; of chat completions the gateway may take less. */
export const mostTemperature: Readonly<Record<ClientProtocol, number>> = {
  chat: 2,
  messages: 1,
  responses: 2,
};

/** The name of the field with the stop sequences; null where a protocol has none. */
export const stopFields: Readonly<Record<ClientProtocol, string | null>> = {
  chat: "stop",
  messages: "stop_sequences",
  responses: null,
};

/** The body as it is sent. */
export function bodyOf(input: CallInput): Record<string, unknown> {
  const { protocol, model, stop, stream, json, schema } = input;
  const stopField = stopFields[protocol];
  return {
    model,
    temperature: Math.min(input.temperature, mostTemperature[protocol]),
    ...optionFields(protocol, input),
    ...(stopField === null || stop.length === 0 ? {} : { [stopField]: stop }),
    stream,
    ...answerFields[protocol](effortOf(protocol, input), json, schema),
    ...conversations[protocol](input),
    ...(input.tools.length === 0 ? {} : { tools: toolsOf(protocol, input.tools) }),
  };
}

/** The fields of a call of one question. */
export function promptFields(
  protocol: ClientProtocol,
  question: string,
  maxTokens: number,
): Record<string, unknown> {
  const turns: Turn[] = [{ role: "user", text: question, images: [] }];
  const input = {
    protocol,
    model: "",
    system: "",
    maxTokens,
    temperature: 1,
    ...noOptions,
    stop: [],
    stream: false,
    json: false,
    schema: null,
    tools: [],
    turns,
  };
  return conversations[protocol](input);
}

const conversations: Readonly<Record<ClientProtocol, (input: CallInput) => Record<string, unknown>>> = {
  chat: ({ maxTokens, stream, system, turns }) => ({
    max_tokens: maxTokens,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    messages: [...(system === "" ? [] : [{ role: "system", content: system }]), ...turnsIn.chat(turns)],
  }),
  messages: ({ maxTokens, system, turns }) => ({
    max_tokens: maxTokens,
    ...(system === "" ? {} : { system }),
    messages: turnsIn.messages(turns),
  }),
  responses: ({ maxTokens, system, turns }) => ({
    max_output_tokens: maxTokens,
    store: false,
    ...(system === "" ? {} : { instructions: system }),
    input: turnsIn.responses(turns),
  }),
};

/** The headers as they are sent. */
export function headersOf(protocol: ClientProtocol, secret: string): Record<string, string> {
  return { "content-type": "application/json", ...credentialHeaders[protocol](secret) };
}

const credentialHeaders: Readonly<Record<ClientProtocol, (secret: string) => Record<string, string>>> = {
  chat: (secret) => ({ authorization: `Bearer ${secret}` }),
  messages: (secret) => ({ "x-api-key": secret, "anthropic-version": "2023-06-01" }),
  responses: (secret) => ({ authorization: `Bearer ${secret}` }),
};

/** Sends a call to the gateway. Throws ApiError for a refusal. */
export async function sendCall(
  path: string,
  init: { method: "GET" | "POST"; headers: Record<string, string>; body?: unknown; signal?: AbortSignal },
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: init.method,
      headers: init.headers,
      credentials: "omit",
      cache: "no-store",
      signal: init.signal ?? null,
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ApiError({ status: 0, code: "NETWORK", message: "" });
  }
  if (!response.ok) throw await refusalOf(response);
  return response;
}

async function refusalOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  const retryAfter = Number(response.headers.get("retry-after"));
  const found = readRefusal(text);
  return new ApiError({
    status: response.status,
    code: found.code ?? "INTERNAL_ERROR",
    message: found.message ?? "",
    requestId: response.headers.get("x-request-id"),
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  });
}

function readRefusal(text: string): { code?: ErrorCode; message?: string } {
  // Both members are optional, so a foreign body reads as an empty refusal.
  const body = parseJson(text) as { error?: { code?: ErrorCode; message?: string } } | null | undefined;
  return body?.error ?? {};
}
