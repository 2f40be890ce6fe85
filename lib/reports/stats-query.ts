import type { Session, SqlValue } from "@/lib/db/database";
import { errorCodeOrder } from "@/lib/kernel/errors";
import { LATENCY_BUCKETS } from "@/lib/kernel/histogram";
import { coveringRollups, momentsOf, momentsText } from "./rollup-cover";
import type { UsageSums } from "./usage-sums";

/** A filter of usage by account, key and model; absent fields match everything. */
export interface StatsFilter {
  userId?: string | undefined;
  tokenId?: string | undefined;
  model?: string | undefined;
}

/** The sums of one bucket and model. */
export interface BucketSums {
  /** Index into the starts that were asked for. */
  index: number;
  model: string;
  sums: UsageSums;
}

interface SumsRow {
  index: number;
  model: string;
  requests: string;
  errors: string;
  prompt: string;
  completion: string;
  cache_read: string;
  cache_write: string;
  cost: string;
  latency: string;
  histogram: string;
  error_counts: string;
}

const SUMS = `sum(request_count)::text AS requests, sum(error_count)::text AS errors,
  sum(prompt_tokens)::text AS prompt, sum(completion_tokens)::text AS completion,
  sum(cache_read_tokens)::text AS cache_read, sum(cache_write_tokens)::text AS cache_write,
  sum(cost_micro_cents)::text AS cost, sum(latency_sum_ms)::text AS latency,
  ${arraySum("latency_histogram", LATENCY_BUCKETS)} AS histogram,
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
  const narrow = (column: string, value: string | undefined, type: string) => {
    if (value === undefined) return "";
    params.push(value);
    return ` AND ${column} = $${params.length}::${type}`;
  };
  const where =
    narrow("user_id", filter.userId, "uuid") +
    narrow("key_id", filter.tokenId, "uuid") +
    narrow("model", filter.model, "text");
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
    requestCount: Number(row.requests),
    errorCount: Number(row.errors),
    promptTokens: Number(row.prompt),
    completionTokens: Number(row.completion),
    cacheReadTokens: Number(row.cache_read),
    cacheWriteTokens: Number(row.cache_write),
    costMicroCents: BigInt(row.cost),
    latencySumMs: Number(row.latency),
    latencyHistogram: numbersOf(row.histogram),
    errorCounts: numbersOf(row.error_counts),
  };
}

/**
 * Element-wise sum of an array column as comma-separated text: far cheaper than unnesting, the same in every driver.
 */
function arraySum(column: string, length: number): string {
  const sums = Array.from({ length }, (_, index) => `coalesce(sum(${column}[${index + 1}]), 0)`);
  return `concat_ws(',', ${sums.join(", ")})`;
}

function numbersOf(text: string): number[] {
  return text.split(",").map(Number);
}
