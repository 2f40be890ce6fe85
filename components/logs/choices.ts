import { DAY_MS, HOUR_MS } from "@/lib/kernel/durations";
import { type ErrorCode, faultCodes } from "@/lib/kernel/errors";
import type { OperationName } from "@/lib/protocols/protocol";
import { ratio } from "@/lib/shared/decimal";

export const statuses = ["success", "error", "cancelled", "interrupted"] as const;

/** Those that tell more than whether a request was answered. */
export const offeredStatuses = ["cancelled", "interrupted"] as const;

/** Who caused that a request got no answer: the gateway or its nodes, what was sent or is allowed, or either. */
export const outcomes = ["failed", "refused", "unanswered"] as const;

/** Who caused an error. Source: docs/contract.md#outcomes. */
export function outcomeOf(errorCode: string): "failed" | "refused" {
  return faultCodes.some((fault) => fault === errorCode) ? "failed" : "refused";
}

/** How many requests failed and how many were refused, of counts by error code. */
export function countOutcomes(errors: Readonly<Partial<Record<string, number>>>) {
  const counts = { failed: 0, refused: 0 };
  for (const [code, count = 0] of Object.entries(errors)) counts[outcomeOf(code)] += count;
  return counts;
}

/** The share of requests that failed or were refused. Source: docs/dashboard.md#outcomes. */
export function errorRateOf(sums: {
  requestCount: number;
  errors: Readonly<Partial<Record<string, number>>>;
}): number {
  const { failed, refused } = countOutcomes(sums.errors);
  return ratio(failed + refused, sums.requestCount);
}

/** Requests by their attempts: those that took more than one, and those of which one failed. */
export const attemptChoices = ["several", "failedAttempt"] as const;

/** Times before now. */
export const spans = ["1h", "24h", "7d"] as const;

/** Their lengths in milliseconds. */
export const spanMs: Record<(typeof spans)[number], number> = {
  "1h": HOUR_MS,
  "24h": DAY_MS,
  "7d": 7 * DAY_MS,
};

/** What a logged request may have asked for. */
export const operations = ["generate", "embed", "compact"] as const satisfies readonly OperationName[];

/** How a request was answered. */
export const modes = ["streamed", "whole"] as const;

/** The codes that a logged request can have. */
export const errorCodes = [
  "INVALID_REQUEST",
  "QUOTA_EXCEEDED",
  "FORBIDDEN",
  "MODEL_NOT_FOUND",
  "RATE_LIMITED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "INTERNAL_ERROR",
  "UPSTREAM_ERROR",
  "NO_AVAILABLE_NODE",
] as const satisfies readonly ErrorCode[];
