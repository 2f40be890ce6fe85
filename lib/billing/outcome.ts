import type { UsageSource } from "@/lib/kernel/usage";
import type { BillingSource, RequestStatus } from "./settlement";

/** What is billed and how the log calls it, for one way a request can end. */
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
 * Which outcomes are billed, row by row. Where nothing is billed but tokens are known, what it would have cost is
 * logged. Source: docs/reliability.md#s2-6.
 */
export const outcomeRules = {
  /** Complete, or stopped by length, content filter or refusal; the upstream counted. */
  complete: billed("upstream", "upstream", "success"),
  /** Complete; at least one count is missing or contradicted by the content, and is estimated. */
  completeEstimated: billed("estimated", "estimated", "success"),
  /** Complete, nothing produced and the upstream counted nothing: costs 0. */
  completeEmpty: billed("upstream", "upstream", "success"),
  /** The client left or stopped reading after the upstream's 200; the upstream's latest counts are at least ours. */
  leftCounted: billed("partial", "upstream", "cancelled"),
  /** The same, with our own count of what had been received. */
  leftEstimated: billed("partial", "estimated", "cancelled"),
  /** The client left after the upstream had finished: in full. */
  leftAfterEnd: billed("upstream", "upstream", "cancelled"),
  leftAfterEndEstimated: billed("estimated", "estimated", "cancelled"),
  /** The client left before the upstream's 200. */
  leftBeforeAnswer: free("cancelled"),
  /** Upstream error, end of file or silence after the first frame. */
  upstreamBroke: free("interrupted", "estimated"),
  /** No node gave a usable answer. */
  upstreamFailed: free("error"),
  /** The upstream refused the request itself. */
  upstreamRefused: free("error"),
  /** Our own malfunction before the first frame. */
  internalError: free("error"),
  /** We cut the stream: drain deadline, internal error, no place to record the settlement. */
  weBroke: free("interrupted", "estimated"),
  /** Refused by us before any upstream was asked. */
  refused: free("error"),
} as const satisfies Record<string, OutcomeRule>;

/** A way in which a request can end. */
export type Outcome = keyof typeof outcomeRules;
