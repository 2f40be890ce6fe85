import type { Session, SqlValue } from "@/lib/db/database";
import { LATENCY_BUCKETS } from "@/lib/kernel/clock";
import { errorCodeOrder } from "@/lib/kernel/errors";
import {
  coveringRollups,
  momentsOf,
  momentsText,
  type StatsPeriod,
  type StatsRange,
  statsRange,
} from "./stats-range";
import {
  addUsage,
  type CountsRow,
  conditionOf,
  countSums,
  countsOf,
  figuresOf,
  type GroupBy,
  type GroupSums,
  groupFiguresOf,
  noUsage,
  readCounts,
  type StatsFilter,
  sumGroups,
  type UsageSums,
  withoutParts,
} from "./usage-sums";

/** The parameters of statistics. */
export interface StatsRequest extends StatsFilter {
  period: StatsPeriod;
  timeZone: string;
  groupBy?: GroupBy | undefined;
}

/** The period of a query: its days, or else its name. */
export function periodOf(query: {
  period: "24h" | "7d" | "30d";
  from?: string | undefined;
  to?: string | undefined;
}): StatsPeriod {
  const { period, from, to } = query;
  return from === undefined && to === undefined ? period : { from: from ?? "", to: to ?? "" };
}

/**
 * Statistics of a period: every day of the range, zero-filled and oldest first, every model, a series
 * per model and bucket, one per bucket, the totals and those of the period before, and the sums of groups when they are
 * asked for. Throws: INVALID_REQUEST as `statsRange`. Source: docs/spec.md#s2-6, docs/contract.md#s5.
 */
export async function readStats(db: Session, request: StatsRequest, now: Date) {
  const range = statsRange(request.period, request.timeZone, now.getTime());
  const { previous } = range;
  // Before the totals: while requests are settled, the totals are then never below the sum of the groups.
  const found = request.groupBy === undefined ? null : await sumGroups(db, request, request.groupBy, range);
  const [current, before] = await Promise.all([
    sumUsage(db, request, range.starts, range.to),
    sumUsage(db, request, [previous.from], previous.to),
  ]);
  const totals = totalOf(current);
  return {
    period: typeof request.period === "string" ? request.period : ("custom" as const),
    bucket: range.bucket,
    inProgress: range.inProgress,
    timezone: request.timeZone,
    from: isoOf(range.starts[0] ?? range.to),
    to: isoOf(range.to),
    totalRequests: totals.requestCount,
    totals: figuresOf(totals),
    previous: { from: isoOf(previous.from), to: isoOf(previous.to), ...figuresOf(totalOf(before)) },
    dailyBreakdown: dailyBreakdown(range, current),
    modelBreakdown: modelBreakdown(current),
    series: seriesOf(range, current),
    buckets: bucketsOf(range, current),
    groups: found && groupsOf(range, found, totals),
  };
}

function groupsOf(range: StatsRange, found: GroupSums, total: UsageSums) {
  const parts = found.rows.map(({ counts }) => counts);
  const count = found.count - found.rows.length;
  return {
    by: found.by,
    rows: found.rows.map(({ counts, ...row }) => ({ ...row, ...groupFiguresOf(counts) })),
    others: count === 0 ? null : { count, ...groupFiguresOf(withoutParts(total, parts)) },
    series: found.series.map(({ index, id, counts }) => ({
      bucketStart: isoOf(range.starts[index] ?? range.to),
      id,
      ...groupFiguresOf(counts),
    })),
  };
}

function dailyBreakdown(range: StatsRange, found: readonly BucketSums[]) {
  const byDate = grouped(found, ({ index }) => range.dates[index] ?? "");
  return [...new Set(range.dates)].map((date) => ({ date, ...countsOf(byDate.get(date) ?? noUsage()) }));
}

function modelBreakdown(found: readonly BucketSums[]) {
  return [...grouped(found, ({ model }) => model)]
    .sort(([, a], [, b]) => compare(b.costMicroCents, a.costMicroCents) || b.requestCount - a.requestCount)
    .map(([model, sums]) => ({ model, ...figuresOf(sums) }));
}

/** One entry per bucket and model, zero-filled; complete data for a stacked chart. */
function seriesOf(range: StatsRange, found: readonly BucketSums[]) {
  const sums = grouped(found, ({ index, model }) => `${index} ${model}`);
  const models = [...new Set(found.map(({ model }) => model))].sort();
  return range.starts.flatMap((start, index) =>
    models.map((model) => ({
      bucketStart: isoOf(start),
      model,
      ...figuresOf(sums.get(`${index} ${model}`) ?? noUsage()),
    })),
  );
}

/** One entry per bucket over all models, because percentiles of models cannot be added. */
function bucketsOf(range: StatsRange, found: readonly BucketSums[]) {
  const sums = grouped(found, ({ index }) => index);
  return range.starts.map((start, index) => ({
    bucketStart: isoOf(start),
    date: range.dates[index] ?? "",
    ...figuresOf(sums.get(index) ?? noUsage()),
  }));
}

function grouped<Key>(found: readonly BucketSums[], keyOf: (entry: BucketSums) => Key): Map<Key, UsageSums> {
  const groups = new Map<Key, UsageSums>();
  for (const entry of found) {
    const key = keyOf(entry);
    groups.set(key, addUsage(groups.get(key) ?? noUsage(), entry.sums));
  }
  return groups;
}

function totalOf(found: readonly BucketSums[]): UsageSums {
  return found.reduce((sum, entry) => addUsage(sum, entry.sums), noUsage());
}

function isoOf(moment: number): string {
  return new Date(moment).toISOString();
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The sums of one bucket and model. */
export interface BucketSums {
  /** Index into the requested starts. */
  index: number;
  model: string;
  sums: UsageSums;
}

interface SumsRow extends CountsRow {
  index: number;
  model: string;
  saving: string;
  saving_tokens: string;
  latency: string;
  histogram: string;
  error_counts: string;
}

const SUMS = `${countSums}, sum(latency_sum_ms)::text AS latency,
  sum(cache_saving_micro_cents)::text AS saving, sum(cache_saving_tokens)::text AS saving_tokens,
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
    cacheSavingMicroCents: BigInt(row.saving),
    cacheSavingTokens: Number(row.saving_tokens),
    latencySumMs: Number(row.latency),
    latencyHistogram: numbersOf(row.histogram),
    errorCounts: numbersOf(row.error_counts),
  };
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
