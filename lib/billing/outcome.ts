import type { GatewayError } from "@/lib/kernel/errors";
import { promptTokens, type Usage, type UsageSource } from "@/lib/kernel/usage";
import type { BillingSource, RequestStatus } from "./settlement";

/** What one outcome of a request bills, and how the log shows it. */
export interface OutcomeRule {
  billed: boolean;
  billingSource: BillingSource;
  usageSource: UsageSource;
  status: RequestStatus;
}

const billed = (
  billingSource: BillingSource,
  usageSource: UsageSource,
  status: RequestStatus,
): OutcomeRule => ({ billed: true, billingSource, usageSource, status });

const free = (status: RequestStatus, usageSource: UsageSource = "none"): OutcomeRule => ({
  billed: false,
  billingSource: "none",
  usageSource,
  status,
});

/**
 * Which outcomes are billed, row by row. When nothing is billed but tokens are known, the log shows the cost that would
 * have been billed. Source: docs/reliability.md#s2-6.
 */
export const outcomeRules = {
  /** Complete, or stopped by length, content filter or refusal; the upstream reported its usage. */
  complete: billed("upstream", "upstream", "success"),
  /** Complete; at least one count is missing or contradicted by the content, and is estimated. */
  completeEstimated: billed("estimated", "estimated", "success"),
  /** Complete and empty; the upstream reported no usage: costs 0. */
  completeEmpty: billed("upstream", "upstream", "success"),
  /**
   * The client disconnected or stopped reading after the upstream's 200; the upstream's latest counts are at least
   * ours.
   */
  clientAborted: billed("partial", "upstream", "cancelled"),
  /** The same, with our own count of what was received. */
  clientAbortedEstimated: billed("partial", "estimated", "cancelled"),
  /** The client disconnected after the upstream had finished; billed in full. */
  clientAbortedAfterEnd: billed("upstream", "upstream", "cancelled"),
  clientAbortedAfterEndEstimated: billed("estimated", "estimated", "cancelled"),
  /** The client disconnected before the upstream's 200. */
  clientAbortedBeforeAnswer: free("cancelled"),
  /** Upstream error, premature end or idle timeout after the first event. */
  upstreamAborted: free("interrupted", "estimated"),
  /** No node gave a usable response. */
  upstreamFailed: free("error"),
  /** The upstream refused the request itself. */
  upstreamRefused: free("error"),
  /** An internal error of the gateway before the first event. */
  internalError: free("error"),
  /** The gateway aborted the stream: drain deadline, internal error, or the settlement could not be stored. */
  gatewayAborted: free("interrupted", "estimated"),
  /** The gateway refused the request before any attempt. */
  refused: free("error"),
} as const satisfies Record<string, OutcomeRule>;

/** A way in which a request can end. */
export type Outcome = keyof typeof outcomeRules;

/** True for a malfunction or an overload of this process, which no node caused. */
export function isMalfunction({ code, details }: GatewayError): boolean {
  return code === "INTERNAL_ERROR" || details.overload === true;
}

/** The outcome of a complete answer. */
export function completeOutcome(estimated: boolean, hasLeft: boolean, usage: Usage): Outcome {
  if (hasLeft) return estimated ? "clientAbortedAfterEndEstimated" : "clientAbortedAfterEnd";
  if (estimated) return "completeEstimated";
  return promptTokens(usage) + usage.output === 0 ? "completeEmpty" : "complete";
}

/** The outcome of an answer whose client has disconnected. `counted`: the node has sent its counts. */
export function leftOutcome(counted: boolean, estimated: boolean): Outcome {
  if (counted) return estimated ? "clientAbortedAfterEndEstimated" : "clientAbortedAfterEnd";
  return estimated ? "clientAbortedEstimated" : "clientAborted";
}

/** The outcome of a request without an answer. */
export function failedOutcome(error: GatewayError): Outcome {
  if (isMalfunction(error)) return "internalError";
  return error.status < 500 ? "upstreamRefused" : "upstreamFailed";
}

/** The results of attempts that are not failures of their node: an answer, and a client that disconnected. */
export const passedResults: readonly string[] = ["ok", "cancelled"];

/** Whether an attempt with this result counts as failed. Source: docs/contract.md#tried-nodes. */
export function isFailure(result: string): boolean {
  return !passedResults.includes(result);
}
