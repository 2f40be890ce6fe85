import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { brokenAnswer, type UpstreamFailure } from "@/lib/protocols/generation/events";
import { parsePayloads } from "@/lib/protocols/sse/payloads";
import { isContentCode } from "./content-refusal";
import { googleDetails } from "./google-details";

/** The HTTP status of each error type or code of all protocols. Source: docs/protocols.md#s13-2, #s13-4. */
const statusOfType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  billing_error: 402,
  insufficient_quota: 402,
  permission_error: 403,
  not_found_error: 404,
  model_not_found: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  api_error: 500,
  server_error: 500,
  internal_server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** The messages for bodies that are no answer of their protocol. Source: docs/protocols.md#s12-1, #s13-3. */
export const wholeErrors = {
  notAnObject: "The upstream's answer is not a JSON object",
  noChoices: "The upstream's answer has no choices",
  noContent: "The upstream's answer has no content",
  noOutput: "The upstream's answer has no output",
  unfinished: "The upstream has not finished its answer",
} as const;

const ourSentences: ReadonlySet<string> = new Set(Object.values(wholeErrors));
const NO_MESSAGE = "The upstream reported an error";

const MAX_MARKS = 4_096;
const MAX_DEPTH = 6;

/** Names of payloads and events that report a failure, e.g. `error`, `overloaded_error`, `response.failed`. */
const failureName = /(?:error|exception|failure|failed)$/i;

/**
 * The failure that a payload of any protocol reports, or null when it reports none: `error` in any form, a list
 * `errors`, or the flat form with its own type. Source: docs/protocols.md#s12-2, #s13-1.
 */
export function failureOf(payload: JsonObject): UpstreamFailure | null {
  const error =
    firstOf(payload.error) ?? (Array.isArray(payload.errors) ? firstOf(payload.errors) : undefined);
  if (isObject(error)) return fromFields(error, payload);
  if (typeof error === "string") {
    return fromFields({ message: error, type: payload.type, code: payload.code }, payload);
  }
  if (error !== undefined) return fromFields(payload, payload);
  if (payload.object === "error" || isFailureName(payload.type)) return fromFields(payload, payload);
  return null;
}

/** True for the name of an event or payload that reports a failure. */
export function isFailureName(name: unknown): boolean {
  return typeof name === "string" && failureName.test(name);
}

/**
 * The failure in an event whose name reports a failure, regardless of the form of its data.
 * Source: docs/protocols.md#s12-2, docs/contract.md#b2.
 */
export function framedFailure(data: string): UpstreamFailure {
  const payload = firstPayload(data);
  if (payload === null) return brokenAnswer("The upstream told of an error that cannot be read");
  return failureOf(payload) ?? fromFields({ ...payload, message: sentenceOf(payload) }, payload);
}

/** The sentence of an error without an envelope, a form of some frameworks; null when there is none. */
function sentenceOf(payload: JsonObject): string | null {
  const detail = firstOf(payload.detail);
  const inner = isObject(detail) ? (text(detail.message) ?? text(detail.msg)) : text(detail);
  return inner ?? text(payload.message) ?? text(payload.msg);
}

/** The failure in the fields of `error`; its marks are read from the whole `payload`. */
function fromFields(error: JsonObject, payload: unknown): UpstreamFailure {
  const type = text(error.type);
  const code = text(error.code);
  const message = text(error.message);
  const marks = marksOf(payload);
  const ours = message === null || ourSentences.has(message);
  const details = detailsOf(error);
  const google = googleDetails(error);
  return {
    status: httpStatus(error.code) ?? httpStatus(error.status) ?? statusOfWord(code) ?? statusOfWord(type),
    type: type ?? google.status,
    code,
    message: message ?? NO_MESSAGE,
    param: text(error.param),
    ...(details === null ? {} : { details }),
    ...(ours ? { ours: true } : {}),
    ...(marks === "" ? {} : { marks }),
    ...(google.retryAfter === null ? {} : { retryAfter: google.retryAfter }),
    ...(google.isAboutKey ? { wrongKey: true } : {}),
  };
}

const MAX_DETAILS = 16;

/** The plain values of `details` if it has an `error_code`; else null. */
function detailsOf({ details }: JsonObject): JsonObject | null {
  if (!isObject(details) || typeof details.error_code !== "string") return null;
  const isWord = (value: unknown) => value === null || ["string", "number", "boolean"].includes(typeof value);
  const isPlain = (value: unknown) =>
    isWord(value) || (Array.isArray(value) && value.length <= MAX_DETAILS && value.every(isWord));
  return Object.fromEntries(
    Object.entries(details)
      .slice(0, MAX_DETAILS)
      .filter(([, value]) => isPlain(value)),
  );
}

/** All texts of an error except its message, type, code and field, one a line. */
function marksOf(payload: unknown): string {
  const lines: string[] = [];
  let left = MAX_MARKS;
  const visit = (value: unknown, depth: number): void => {
    if (left <= 0 || depth > MAX_DEPTH) return;
    if (typeof value === "string") {
      lines.push(value.slice(0, left));
      left -= value.length + 1;
    } else if (Array.isArray(value)) for (const entry of value) visit(entry, depth + 1);
    else if (isObject(value)) {
      for (const [name, entry] of Object.entries(value)) {
        if (!envelope.has(name)) visit(name, depth);
        if (depth > 1 || !read.has(name)) visit(entry, depth + 1);
      }
    }
  };
  visit(payload, 0);
  return lines.join("\n");
}

/** Fields that `fromFields` reads itself, and names without information. */
const read: ReadonlySet<string> = new Set(["message", "type", "code", "param"]);
const envelope: ReadonlySet<string> = new Set([...read, "error", "errors", "status", "request_id", "object"]);

function firstPayload(data: string): JsonObject | null {
  try {
    return parsePayloads(data)[0] ?? null;
  } catch {
    return null; // the data is not JSON; only the name of the event reports the failure
  }
}

function firstOf(value: unknown): unknown {
  const first = Array.isArray(value) ? value[0] : value;
  return first === null || first === "" || first === false || first === 0 ? undefined : first;
}

function statusOfWord(word: string | null): number | null {
  if (word === null) return null;
  return rowOf(statusOfType, word) ?? (isContentCode(word) ? 400 : null);
}

function httpStatus(value: unknown): number | null {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === "number" && status >= 400 && status <= 599 ? status : null;
}

function text(value: unknown): string | null {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" ? String(value) : null;
}

const MAX_WORDS = 4_096;

/**
 * Reads the error body of a refusal. All protocols are read in the same way, because gateways between this one and the
 * node may answer in any of them. Source: docs/protocols.md#s13-3.
 */
export function readFailure(status: number | null, body: string): UpstreamFailure {
  const value = parseJson(body);
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

/** The form of some frameworks: a message without an `error` object. */
function flat(payload: JsonObject): UpstreamFailure | null {
  const message = sentenceOf(payload);
  if (message === null) return null;
  const marks = marksOf(payload);
  const failure = { status: null, type: text(payload.__type), code: null, message, param: null };
  return marks === "" ? failure : { ...failure, marks };
}

/** A plain-text body, used only to classify the failure. "" for an HTML page. */
function wordsOf(body: string): string {
  return body.trimStart().startsWith("<") ? "" : body.slice(0, MAX_WORDS);
}
