import type { Settlement } from "@/lib/billing/settlement";
import { NO_USAGE } from "@/lib/kernel/usage";

/** A complete, billed request without its identity; fields that a test does not set have defaults. */
export const settlementFields: Omit<Settlement, "requestId" | "keyId" | "userId" | "createdAt"> = {
  model: "gpt-main",
  protocol: "chat",
  operation: "generate",
  stream: false,
  status: "success",
  httpStatus: 200,
  errorCode: null,
  errorMessage: null,
  usage: { ...NO_USAGE, inputUncached: 10, output: 5 },
  usageSource: "upstream",
  billingSource: "upstream",
  costMicroCents: 100n,
  wouldHaveCostMicroCents: null,
  cacheSavingMicroCents: 0n,
  nodeCostMicroCents: null,
  priceVersion: 1,
  pricedAs: null,
  heldMicroCents: 0n,
  latencyMs: 120,
  ttftMs: null,
  attempts: [],
  nodeId: null,
  warnings: [],
  timeline: {},
  clientRequestId: null,
  userAgent: null,
};
