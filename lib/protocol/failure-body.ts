import type { UpstreamFailure } from "./events";
import { isObject, type JsonObject } from "./protocol";

/** HTTP status that an error word of either protocol stands for. Source: protocol 13.2, 13.4. */
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

/**
 * The failure that a payload of either protocol reports, or null when it reports none: `error` as an object or a
 * string, or the flat form with `object: "error"`. Source: protocol 12.2, 13.1.
 */
export function failureOf(payload: JsonObject): UpstreamFailure | null {
  if (isObject(payload.error)) return fromFields(payload.error);
  if (typeof payload.error === "string" && payload.error !== "") {
    return fromFields({ message: payload.error, type: payload.type, code: payload.code });
  }
  if (payload.object === "error" || payload.type === "error") return fromFields(payload);
  return null;
}

function fromFields(error: JsonObject): UpstreamFailure {
  const type = text(error.type);
  const code = text(error.code);
  return {
    status: httpStatus(error.code) ?? httpStatus(error.status) ?? statusOfWord(code) ?? statusOfWord(type),
    type,
    code,
    message: text(error.message) ?? "The upstream reported an error",
    param: text(error.param),
  };
}

function statusOfWord(word: string | null): number | null {
  return word === null ? null : (statusOfType[word] ?? null);
}

function httpStatus(value: unknown): number | null {
  const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof status === "number" && status >= 400 && status <= 599 ? status : null;
}

function text(value: unknown): string | null {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" ? String(value) : null;
}
