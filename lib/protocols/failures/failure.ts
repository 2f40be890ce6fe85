import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { UpstreamFailure } from "@/lib/protocols/generation/events";
import type { Protocol } from "@/lib/protocols/protocol";
import { failureOf, marksOf, sentenceOf } from "./failure-body";

const MAX_WORDS = 4_096;

/** What a client is told when a stream breaks. Shape: `type` is the word of the client's protocol. */
export interface StreamFailure {
  code: string;
  message: string;
  type: string;
  requestId: string;
  /** Why, where the code does not say it. */
  reason?: string;
}

/** Keep-alive of a messages stream; only between frames and after `message_start`. Source: docs/protocols.md#s12-6. */
export const messagesPing = 'event: ping\ndata: {"type":"ping"}\n\n';

/** Keep-alive that every client ignores: a comment. Source: docs/protocols.md#s12-6. */
export const commentPing = ": ping\n\n";

/** The keep-alive for a client. `started`: the stream has sent its first frame. Source: docs/protocols.md#s12-6. */
export function pingFrame(clientProtocol: Protocol, started: boolean): string {
  return clientProtocol === "messages" && started ? messagesPing : commentPing;
}

/**
 * What an upstream said when it refused: its JSON error body, which is read alike for both protocols, since
 * gateways in between answer in either. Source: docs/protocols.md#s13-3.
 */
export function readFailure(_protocol: Protocol, status: number | null, body: string): UpstreamFailure {
  const value = parsed(body);
  const payload = Array.isArray(value) ? value[0] : value;
  const failure = isObject(payload) ? (failureOf(payload) ?? flat(payload)) : null;
  if (failure) return { ...failure, status: status === null || status < 300 ? failure.status : status };
  const words = isObject(payload) ? marksOf(payload) : wordsOf(body);
  return {
    status,
    type: null,
    code: null,
    message: `The upstream answered with status ${status ?? "unknown"}`,
    param: null,
    ours: true,
    ...(words === "" ? {} : { marks: words }),
  };
}

/** The frame that breaks a stream visibly; nothing may follow it. Source: docs/protocols.md#s12-7. */
export function failureFrame(clientProtocol: Protocol, failure: StreamFailure): string {
  const { code, message, type, requestId, reason } = failure;
  const why = reason === undefined ? {} : { reason };
  if (clientProtocol === "chat")
    return `data: ${JSON.stringify({ error: { message, type, code, param: null, ...why } })}\n\n`;
  const error = { type, message, details: { error_code: code, ...why } };
  return `event: error\ndata: ${JSON.stringify({ type: "error", error, request_id: requestId })}\n\n`;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** The form of some frameworks: the message stands alone. */
function flat(payload: JsonObject): UpstreamFailure | null {
  const message = sentenceOf(payload);
  if (message === null) return null;
  const marks = marksOf(payload);
  const failure = { status: null, type: null, code: null, message, param: null };
  return marks === "" ? failure : { ...failure, marks };
}

/** A body in plain text, which is read to tell its kind only; a page says nothing. */
function wordsOf(body: string): string {
  return body.trimStart().startsWith("<") ? "" : body.slice(0, MAX_WORDS);
}
