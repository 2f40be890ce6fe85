import { histogramQuantile, LATENCY_BUCKETS } from "@/lib/kernel/clock";
import { type ErrorCode, errorCodeOrder } from "@/lib/kernel/errors";
import { centsDecimal } from "@/lib/kernel/usage";

/** Sums over roll-ups that can be added. Units: micro-cents, milliseconds. */
export interface UsageSums {
  requestCount: number;
  errorCount: number;
  promptTokens: number;
  completionTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicroCents: bigint;
  cacheSavingMicroCents: bigint;
  /** Tokens of the cache for which the saving is known. */
  cacheSavingTokens: number;
  latencySumMs: number;
  latencyHistogram: number[];
  errorCounts: number[];
}

/** The zero of `addUsage`. */
export function noUsage(): UsageSums {
  return {
    requestCount: 0,
    errorCount: 0,
    promptTokens: 0,
    completionTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costMicroCents: 0n,
    cacheSavingMicroCents: 0n,
    cacheSavingTokens: 0,
    latencySumMs: 0,
    latencyHistogram: new Array<number>(LATENCY_BUCKETS).fill(0),
    errorCounts: new Array<number>(errorCodeOrder.length).fill(0),
  };
}

/** The sum of two usages. */
export function addUsage(a: UsageSums, b: UsageSums): UsageSums {
  return {
    requestCount: a.requestCount + b.requestCount,
    errorCount: a.errorCount + b.errorCount,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    costMicroCents: a.costMicroCents + b.costMicroCents,
    cacheSavingMicroCents: a.cacheSavingMicroCents + b.cacheSavingMicroCents,
    cacheSavingTokens: a.cacheSavingTokens + b.cacheSavingTokens,
    latencySumMs: a.latencySumMs + b.latencySumMs,
    latencyHistogram: addArrays(a.latencyHistogram, b.latencyHistogram),
    errorCounts: addArrays(a.errorCounts, b.errorCounts),
  };
}

/** The five numbers of a breakdown row. Source: docs/spec.md#s2-6. */
export function countsOf(sums: UsageSums) {
  return {
    requestCount: sums.requestCount,
    promptTokens: sums.promptTokens,
    completionTokens: sums.completionTokens,
    cost: centsDecimal(sums.costMicroCents),
  };
}

/** All figures of a usage; latencies are null without measurements. */
export function figuresOf(sums: UsageSums) {
  return {
    ...countsOf(sums),
    errorCount: sums.errorCount,
    cacheReadTokens: sums.cacheReadTokens,
    cacheWriteTokens: sums.cacheWriteTokens,
    cacheSaving: cacheSavingOf(sums),
    averageLatencyMs: sums.requestCount === 0 ? null : Math.round(sums.latencySumMs / sums.requestCount),
    p50Ms: histogramQuantile(sums.latencyHistogram, 0.5),
    p95Ms: histogramQuantile(sums.latencyHistogram, 0.95),
    errors: errorsOf(sums),
  };
}

/** Null: it is not known of all tokens of the cache. Source: docs/contract.md#cache-saving. */
function cacheSavingOf(sums: UsageSums): string | null {
  const isKnown = sums.cacheSavingTokens === sums.cacheReadTokens + sums.cacheWriteTokens;
  return isKnown ? centsDecimal(sums.cacheSavingMicroCents) : null;
}

/** Requests per error code, without zeros. */
function errorsOf(sums: UsageSums): Partial<Record<ErrorCode, number>> {
  const errors: Partial<Record<ErrorCode, number>> = {};
  for (const [index, code] of errorCodeOrder.entries()) {
    const count = sums.errorCounts[index] ?? 0;
    if (count > 0) errors[code] = count;
  }
  return errors;
}

function addArrays(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, index) => value + (b[index] ?? 0));
}
