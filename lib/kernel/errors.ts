import type { RefusalName } from "./refusals";

/** Every error code of the APIs, with its HTTP status. Source: docs/contract.md#s7, docs/spec.md#s7. */
export const errorStatus = {
  INVALID_REQUEST: 400,
  INVALID_API_KEY: 401,
  INVALID_CREDENTIALS: 401,
  UNAUTHORIZED: 401,
  QUOTA_EXCEEDED: 402,
  FORBIDDEN: 403,
  MODEL_NOT_FOUND: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UPSTREAM_ERROR: 502,
  NO_AVAILABLE_NODE: 503,
} as const;

/** The closed union of error codes. */
export type ErrorCode = keyof typeof errorStatus;

/** Why a change of an account was refused or may be done nevertheless. Source: docs/contract.md#people-bulk. */
export const accountReasons = [
  "own_account",
  "last_admin",
  "unknown_plan",
  "quota_too_small",
  "quota_too_large",
  "changed_since",
  "outcome_unknown",
] as const;

/** One of these reasons. */
export type AccountReason = (typeof accountReasons)[number];

/** Why `/api` refused something else. Source: docs/contract.md#b35, docs/contract.md#too-much-log, docs/budgets.md#rule. */
export const refusalReasons = [
  "account_limit",
  "account_suspended",
  "other_address",
  "invite_required",
  "registration_closed",
  "time_too_long",
  "too_many_budgets",
  "older_process",
] as const;

/** Whose limit refused a call. Source: docs/contract.md#account-limits. */
export type LimitReason = "key_limit" | "account_limit";

const brand = Symbol.for("tollgate.error");

/** Optional parts of an error besides its code and message. */
export interface ErrorDetails {
  /** Path of the offending field, e.g. `messages[0].role`. */
  param?: string;
  /** Whole seconds for `Retry-After`, at least 1. */
  retryAfterSeconds?: number;
  /** Exact milliseconds for `retry-after-ms`. */
  retryAfterMs?: number;
  /** Messages per body field, for `/api` forms. */
  fields?: Record<string, string[]>;
  /** Methods for the `Allow` header of a 405. */
  allow?: string[];
  /** A vendor's own code that clients look for, e.g. `context_length_exceeded`. */
  vendorCode?: string;
  /** The vendor's own `details`, which its SDK reads; clients of other protocols do not get them. Source: docs/protocols.md#s13-4. */
  vendorDetails?: Readonly<Record<string, unknown>>;
  /** What another COMPATIBILITY would do instead; sent only when the whole request would pass there. */
  alternative?: string;
  /** The reason under which the refusal is counted; never sent. Source: docs/contract.md#refusals. */
  refusal?: RefusalName;
  /** The refusal is caused by overload and is not recorded in the request log, to save the work. */
  overload?: true;
  /** Why a request was refused, when the code does not say it. Source: docs/contract.md#b1. */
  reason?: "content_policy" | LimitReason | (typeof refusalReasons)[number] | AccountReason;
  /** The limit that refused a call: qps, rpm, tpm or concurrent. Source: docs/contract.md#account-limits. */
  limit?: string;
  /** The time since which the account is suspended. Source: docs/contract.md#b35. */
  since?: Date;
  /** The name of the account that changed the record. Source: docs/contract.md#loaded. */
  by?: string;
  /** The record as it is now, as the API shows it. Source: docs/contract.md#loaded. */
  current?: object;
  /** The rule that refused a call. Source: docs/budgets.md#refusal. */
  budget?: BudgetDetails;
  /** Trying again soon does not help. */
  final?: true;
  /** Only requests that are running stand in the way: clients retry, whatever the status is. */
  passesSoon?: true;
  /** A status that replaces the code's own. Source: docs/contract.md#b1. */
  status?: 403;
  /** The internal cause; logged, never sent. */
  cause?: unknown;
}

/** A rule that refused a call. Shape: amounts as decimal text, in cents, tokens or requests; an end in ISO form. */
export interface BudgetDetails {
  id: string;
  name: string;
  scope: string;
  unit: string;
  period: string;
  limit: string;
  /** Absent for rules that others share. */
  used?: string;
  held?: string;
  needed: string;
  /** Null: never. */
  resetsAt: string | null;
}

/**
 * An error that is sent to the caller. Recognised by brand, because `instanceof` is false across module graphs. Only
 * INTERNAL_ERROR captures a stack: capturing one is a quarter of the work of a refusal.
 */
export class GatewayError extends Error {
  readonly [brand] = true;
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    const { stackTraceLimit } = Error;
    if (code !== "INTERNAL_ERROR") Error.stackTraceLimit = 0;
    super(message, { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "GatewayError";
    this.code = code;
    this.status = details.status ?? errorStatus[code];
    this.details = details;
  }
}

/** True for a GatewayError of either module graph. */
export function isGatewayError(error: unknown): error is GatewayError {
  return typeof error === "object" && error !== null && brand in error;
}

/** A 400 error for one field; the message says what would be valid. Throws: nothing; returns the error to throw. */
export function invalid(param: string, message: string): GatewayError {
  return new GatewayError("INVALID_REQUEST", message, { param, fields: { [param]: [message] } });
}

const MAX_RETRY_AFTER_SECONDS = 3;

/** The 503 error of a call that is refused because the process or its database is overloaded; see `overloaded`. */
export function atCapacity(refusal: RefusalName, cause?: unknown, random = Math.random): GatewayError {
  return overloaded(refusal, "The gateway is at its capacity; nothing was billed.", cause, random);
}

/**
 * A 503 error for work that is refused because of overload; the random Retry-After spreads clients over three seconds.
 * Throws: nothing; returns the error to throw. Source: docs/reliability.md#s2-11, docs/contract.md#b5.
 */
export function overloaded(
  refusal: RefusalName,
  message: string,
  cause?: unknown,
  random = Math.random,
): GatewayError {
  const retryAfterSeconds = 1 + Math.floor(random() * MAX_RETRY_AFTER_SECONDS);
  return new GatewayError("NO_AVAILABLE_NODE", message, {
    refusal,
    retryAfterSeconds,
    overload: true,
    cause,
  });
}

/** Error codes in the fixed order of `usage_rollups.error_counts`; append only. */
export const errorCodeOrder: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "INVALID_API_KEY",
  "QUOTA_EXCEEDED",
  "FORBIDDEN",
  "MODEL_NOT_FOUND",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "UPSTREAM_ERROR",
  "NO_AVAILABLE_NODE",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];

/** The codes of failures of the gateway or its nodes; the others refuse what a client sends or may do. */
export const faultCodes = [
  "INTERNAL_ERROR",
  "UPSTREAM_ERROR",
  "NO_AVAILABLE_NODE",
] as const satisfies readonly ErrorCode[];

/**
 * An INVALID_REQUEST error for one field; `message` continues the field's name, e.g. `must be in the future`.
 * Throws: nothing.
 */
export function badField(field: string, message: string, reason?: ErrorDetails["reason"]): GatewayError {
  return new GatewayError("INVALID_REQUEST", `\`${field}\` ${message}.`, {
    param: field,
    fields: { [field]: [message] },
    ...(reason && { reason }),
  });
}
