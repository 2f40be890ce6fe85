import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { ProtocolError, type UpstreamFailure } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import type { AwsEventMessage } from "./aws-event-stream";

/** What a message of an event stream says: a frame for a decoder, a failure that ends the answer, or nothing. */
export type AwsEvent = { frame: SseFrame } | { failure: UpstreamFailure } | null;

/**
 * The status that an exception within a stream would have had as an answer, which tells whether it is about the node's
 * health, its load or the request. Source: docs/clouds.md#event-stream.
 */
const statusOfException: Readonly<Record<string, number>> = {
  internalServerException: 500,
  modelStreamErrorException: 500,
  modelTimeoutException: 408,
  serviceUnavailableException: 503,
  throttlingException: 429,
  validationException: 400,
};

/**
 * Reads a message of a model's stream. A `chunk` wraps one event of the model's own protocol in `{"bytes": base64}`; it
 * becomes a frame with the event's `type` as its name, and nothing when it has none. Other events are skipped.
 *
 * Throws: ProtocolError for a message without a type and for a chunk that cannot be read.
 * Source: docs/clouds.md#event-stream.
 */
export function readAwsEvent(message: AwsEventMessage): AwsEvent {
  const type = message.headers.get(":message-type");
  switch (type) {
    case "event":
      return message.headers.get(":event-type") === "chunk" ? chunkFrame(message.payload) : null;
    case "exception":
      return { failure: exceptionOf(message) };
    case "error":
      return { failure: errorOf(message) };
  }
  throw new ProtocolError("The upstream's event stream has a message of an unknown type");
}

function chunkFrame(payload: Uint8Array): AwsEvent {
  const bytes = jsonOf(payload)?.bytes;
  if (typeof bytes !== "string") throw new ProtocolError("The upstream sent a chunk without its bytes");
  const data = Buffer.from(bytes, "base64").toString();
  const event = parseJson(data);
  if (!isObject(event)) throw new ProtocolError("The upstream sent a chunk that is not JSON");
  return typeof event.type === "string" ? { frame: { event: event.type, data } } : null;
}

function exceptionOf({ headers, payload }: AwsEventMessage): UpstreamFailure {
  const type = textOf(headers.get(":exception-type"));
  const body = jsonOf(payload);
  const status = (type === null ? undefined : rowOf(statusOfException, type)) ?? 500;
  return failure(status, type, textOf(body?.message));
}

/** An error has no payload: its headers say what it is. */
function errorOf({ headers }: AwsEventMessage): UpstreamFailure {
  return failure(500, textOf(headers.get(":error-code")), textOf(headers.get(":error-message")));
}

function failure(status: number, type: string | null, message: string | null): UpstreamFailure {
  return { status, type, code: null, message: message ?? "The upstream reported an error", param: null };
}

function jsonOf(payload: Uint8Array): JsonObject | null {
  const value = parseJson(Buffer.from(payload).toString());
  return isObject(value) ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
