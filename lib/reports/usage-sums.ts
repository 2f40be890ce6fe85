import type { Session, SqlValue } from "@/lib/db/database";
import { type ErrorCode, errorCodeOrder } from "@/lib/kernel/errors";
import { histogramQuantile, LATENCY_BUCKETS } from "@/lib/kernel/latency-histogram";
import { centsDecimal } from "@/lib/kernel/money";
import { coveringRollups, momentsOf, momentsText } from "./covering-rollups";
import { type KeyFilter, keyCondition } from "./key-filter";

/** Requests, tokens and cost. Units: micro-cents. */
export interface UsageCounts {
  requestCount: number;
  errorCount: number;
  promptTokens: number;
  completionTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicroCents: bigint;
}

/** The latencies of requests. Units: milliseconds. */
interface Latencies {
  latencySumMs: number;
  latencyHistogram: number[];
}

/** Counts with the latencies of what is counted. */
export type TimedCounts = UsageCounts & Latencies;

/** Sums over roll-ups that can be added. Units: micro-cents, milliseconds. */
export interface UsageSums extends TimedCounts {
  cacheSavingMicroCents: bigint;
  /** Tokens of the cache for which the saving is known. */
  cacheSavingTokens: number;
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

/** A total minus some of its parts. */
export function withoutParts(total: TimedCounts, parts: readonly TimedCounts[]): TimedCounts {
  const rest = (read: (counts: TimedCounts) => number) =>
    parts.reduce((left, part) => left - read(part), read(total));
  return {
    requestCount: rest((counts) => counts.requestCount),
    errorCount: rest((counts) => counts.errorCount),
    promptTokens: rest((counts) => counts.promptTokens),
    completionTokens: rest((counts) => counts.completionTokens),
    cacheReadTokens: rest((counts) => counts.cacheReadTokens),
    cacheWriteTokens: rest((counts) => counts.cacheWriteTokens),
    costMicroCents: parts.reduce((left, part) => left - part.costMicroCents, total.costMicroCents),
    latencySumMs: rest((counts) => counts.latencySumMs),
    latencyHistogram: total.latencyHistogram.map((_, index) =>
      rest((counts) => counts.latencyHistogram[index] ?? 0),
    ),
  };
}

function groupFiguresOf(counts: UsageCounts) {
  return {
    ...countsOf(counts),
    errorCount: counts.errorCount,
    cacheReadTokens: counts.cacheReadTokens,
    cacheWriteTokens: counts.cacheWriteTokens,
  };
}

/** The figures of a key or an account; latencies are null without measurements. Source: docs/contract.md#s5. */
export function timedFiguresOf(counts: TimedCounts) {
  return { ...groupFiguresOf(counts), ...latenciesOf(counts) };
}

/**
 * Latencies of answered requests only, because a refusal within milliseconds does not show how long an answer takes.
 */
function latenciesOf({ latencySumMs, latencyHistogram }: TimedCounts) {
  const answered = latencyHistogram.reduce((sum, requests) => sum + requests, 0);
  const average = answered === 0 ? null : Math.round(latencySumMs / answered);
  // The quantiles of a single request are its latency and need no estimate.
  const quantile = (share: number) => (answered === 1 ? average : histogramQuantile(latencyHistogram, share));
  return { averageLatencyMs: average, p50Ms: quantile(0.5), p95Ms: quantile(0.95) };
}

/** The five numbers of a breakdown row. Source: docs/spec.md#s2-6. */
export function countsOf(sums: UsageCounts) {
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
    ...timedFiguresOf(sums),
    cacheSaving: cacheSavingOf(sums),
    errors: errorsOf(sums),
  };
}

/** Null: not known for all tokens of the cache. Source: docs/contract.md#cache-saving. */
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

/** A filter of usage by account, key, project, maker of the key and model; absent fields match everything. */
export interface StatsFilter extends KeyFilter {
  tokenId?: string | undefined;
  model?: string | undefined;
}

/** The sums of a row of roll-ups, as text. */
export interface CountsRow {
  requests: string;
  errors: string;
  prompt: string;
  completion: string;
  cache_read: string;
  cache_write: string;
  cost: string;
}

/** The sums of roll-ups that `readCounts` reads. */
export const countSums = `sum(request_count)::text AS requests, sum(error_count)::text AS errors,
  sum(prompt_tokens)::text AS prompt, sum(completion_tokens)::text AS completion,
  sum(cache_read_tokens)::text AS cache_read, sum(cache_write_tokens)::text AS cache_write,
  sum(cost_micro_cents)::text AS cost`;

/** The counts of a row. */
export function readCounts(row: CountsRow): UsageCounts {
  return {
    requestCount: Number(row.requests),
    errorCount: Number(row.errors),
    promptTokens: Number(row.prompt),
    completionTokens: Number(row.completion),
    cacheReadTokens: Number(row.cache_read),
    cacheWriteTokens: Number(row.cache_write),
    costMicroCents: BigInt(row.cost),
  };
}

/** The latencies of a row of roll-ups, as text. */
export interface LatenciesRow {
  latency: string;
  histogram: string;
}

/** The sums of roll-ups that `readLatencies` reads. */
export const latencySums = `sum(latency_sum_ms)::text AS latency,
  ${arraySum("latency_histogram", LATENCY_BUCKETS)} AS histogram`;

/** The latencies of a row. */
export function readLatencies(row: LatenciesRow): Latencies {
  return { latencySumMs: Number(row.latency), latencyHistogram: numbersOf(row.histogram) };
}

/**
 * Element-wise sum of an array column as comma-separated text: far cheaper than unnesting, the same in every driver.
 */
export function arraySum(column: string, length: number): string {
  const sums = Array.from({ length }, (_, index) => `coalesce(sum(${column}[${index + 1}]), 0)`);
  return `concat_ws(',', ${sums.join(", ")})`;
}

/** The numbers of such a text. */
export function numbersOf(text: string): number[] {
  return text.split(",").map(Number);
}

/** The condition of a filter, whose values become further parameters. */
export function conditionOf(filter: StatsFilter, params: SqlValue[]): string {
  const narrow = (column: string, value: string | undefined, type: string) => {
    if (value === undefined) return "";
    params.push(value);
    return ` AND ${column} = $${params.length}::${type}`;
  };
  return (
    narrow("user_id", filter.userId, "uuid") +
    narrow("key_id", filter.tokenId, "uuid") +
    keyCondition(filter, (id) => `$${params.push(id)}::uuid`) +
    narrow("model", filter.model, "text")
  );
}

/** The sums of one bucket and model. */
export interface BucketSums {
  /** Index into the requested starts. */
  index: number;
  model: string;
  sums: UsageSums;
}

interface SumsRow extends CountsRow, LatenciesRow {
  index: number;
  model: string;
  saving: string;
  saving_tokens: string;
  error_counts: string;
}

const SUMS = `${countSums}, ${latencySums},
  sum(cache_saving_micro_cents)::text AS saving, sum(cache_saving_tokens)::text AS saving_tokens,
  ${arraySum("error_counts", errorCodeOrder.length)} AS error_counts`;

/**
 * Sums the roll-ups from the first of `starts` to `to` (not included), per bucket and model; buckets without usage
 * are absent. The cost does not grow with the log. Units: milliseconds since 1970.
 */
export async function sumUsage(
  db: Session,
  filter: StatsFilter,
  starts: readonly number[],
  to: number,
): Promise<BucketSums[]> {
  const rollups = await coveringRollups(db, starts, to);
  const params: SqlValue[] = [...rollups.params, momentsText(starts)];
  const where = conditionOf(filter, params);
  // The starts are in a subquery, which is evaluated once and not for every row.
  const rows = await db.query<SumsRow>(
    `SELECT width_bucket(bucket, (SELECT ${momentsOf("$3")})) - 1 AS index, model, ${SUMS}
     FROM ${rollups.table(where)} found GROUP BY 1, 2 ORDER BY 1, 2`,
    params,
  );
  return rows.map((row) => ({ index: Number(row.index), model: row.model, sums: sumsOf(row) }));
}

function sumsOf(row: SumsRow): UsageSums {
  return {
    ...readCounts(row),
    ...readLatencies(row),
    cacheSavingMicroCents: BigInt(row.saving),
    cacheSavingTokens: Number(row.saving_tokens),
    errorCounts: numbersOf(row.error_counts),
  };
}
