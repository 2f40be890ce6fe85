import type { Session } from "@/lib/db/database";
import { type BucketSums, type StatsFilter, sumUsage } from "./stats-query";
import { type StatsPeriod, type StatsRange, statsRange } from "./stats-range";
import { addUsage, countsOf, figuresOf, noUsage, type UsageSums } from "./usage-sums";

/** The parameters of statistics. */
export interface StatsRequest extends StatsFilter {
  period: StatsPeriod;
  timeZone: string;
}

/**
 * Statistics of a period that ends now: every day of the range, zero-filled and oldest first, every model, a series
 * per model and bucket, one per bucket, the totals and those of the period before. Source: docs/spec.md#s2-6,
 * docs/contract.md#s5.
 */
export async function readStats(db: Session, request: StatsRequest, now: Date) {
  const range = statsRange(request.period, request.timeZone, now.getTime());
  const { previous } = range;
  const [current, before] = await Promise.all([
    sumUsage(db, request, range.starts, range.to),
    sumUsage(db, request, [previous.from], previous.to),
  ]);
  const totals = totalOf(current);
  return {
    period: request.period,
    bucket: range.bucket,
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
    date: range.dates[index],
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
