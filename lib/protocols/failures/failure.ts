import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { UpstreamFailure } from "@/lib/protocols/generation/events";
import { failureOf, marksOf, sentenceOf } from "./failure-body";

const MAX_WORDS = 4_096;

/**
 * Reads the error body of a refusal. It is read alike for all protocols, because gateways between this one and the
 * node answer in any of them. Source: docs/protocols.md#s13-3.
 */
export function readFailure(status: number | null, body: string): UpstreamFailure {
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

/** A plain-text body; it only classifies the failure. An HTML page gives nothing. */
function wordsOf(body: string): string {
  return body.trimStart().startsWith("<") ? "" : body.slice(0, MAX_WORDS);
}
