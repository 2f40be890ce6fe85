import { fromScaled, ratio, sumDecimals, toScaled } from "@/lib/shared/decimal";
import type { Stats } from "../api/types";
import {
  type ChartBucket,
  type ChartSeries,
  colorsByName,
  colorsInOrder,
  MAX_SERIES,
  OTHER_COLOR,
  OTHER_ID,
  type StackedData,
} from "../charts/chart-model";
import type { Grouping } from "./use-usage-filters";

export type StackedMetric = "cost" | "requests" | "tokens" | "errors";

/** One amount of one part in one bucket. */
interface Piece {
  bucket: string;
  id: string;
  value: string;
}

/** The parts of a chart. */
interface Parts {
  pieces: Piece[];
  /** The ids, in stack order; those after the first five are one part. */
  ranked: string[];
  /** The names of ids that are not names themselves. */
  names: ReadonlyMap<string, string>;
  colors: (shown: string[]) => ReadonlyMap<string, string>;
}

/** The labels of series that have no name of their own. */
export interface SeriesNames {
  other: string;
  input: string;
  output: string;
  total: string;
}

/** The counts that a metric is made of; statistics have them for models, keys, accounts and buckets. */
interface Counts {
  cost: string;
  requestCount: number;
  errorCount: number;
  promptTokens: number;
  completionTokens: number;
}

/** Turns statistics into the series and buckets of one metric: five parts and the rest. Errors of days are split by code. */
export function stackedData(
  stats: Stats,
  metric: StackedMetric,
  grouping: Grouping,
  names: SeriesNames,
): StackedData {
  const byCode = metric === "errors" && grouping === "day";
  const parts = byCode ? errorParts(stats) : partsOf(stats, metric, grouping, names);
  const colors = parts.colors(parts.ranked.slice(0, MAX_SERIES));
  const idOf = (id: string) => (colors.has(id) ? id : OTHER_ID);
  const perBucket = new Map<string, Map<string, string[]>>();
  for (const piece of parts.pieces) {
    const bucket = perBucket.get(piece.bucket) ?? new Map<string, string[]>();
    const id = idOf(piece.id);
    bucket.set(id, [...(bucket.get(id) ?? []), piece.value]);
    perBucket.set(piece.bucket, bucket);
  }
  const buckets = stats.buckets.map((bucket, index) => ({
    ...bucketOf(bucket.bucketStart, stats.buckets[index + 1]?.bucketStart ?? null, stats, perBucket),
    previous: previousOf(stats, bucket, metric),
  }));
  const total = sumDecimals(buckets.map((bucket) => bucket.total));
  const series = [...parts.ranked.filter((id) => colors.has(id)), OTHER_ID]
    .map((id): ChartSeries => {
      const sum = sumDecimals(buckets.map((bucket) => bucket.values[id] ?? "0"));
      return {
        id,
        name: id === OTHER_ID ? names.other : (parts.names.get(id) ?? id),
        color: colors.get(id) ?? OTHER_COLOR,
        total: sum,
        share: ratio(sum, total),
      };
    })
    .filter((one) => toScaled(one.total) !== 0n);
  return { series, buckets, total };
}

/** What is compared with a bucket; of errors nothing, and where the period before is not known as a whole. */
function previousOf(
  { previous }: Stats,
  bucket: Stats["buckets"][number],
  metric: StackedMetric,
): string | undefined {
  if (metric === "errors" || bucket.previous === null) return undefined;
  return previous.partial || previous.requestCount === 0
    ? undefined
    : amountOf({ ...bucket.previous, errorCount: 0 }, metric);
}

function bucketOf(
  start: string,
  next: string | null,
  stats: Stats,
  perBucket: Map<string, Map<string, string[]>>,
): ChartBucket {
  const values = Object.fromEntries(
    [...(perBucket.get(start) ?? [])].map(([id, amounts]) => [id, sumDecimals(amounts)]),
  );
  return {
    startMs: Date.parse(start),
    endMs: Date.parse(next ?? stats.to),
    partial: next === null && stats.inProgress,
    values,
    total: sumDecimals(Object.values(values)),
  };
}

/** Parts are ranked by what the chart shows: who has most errors may have cost nothing. */
function partsOf(stats: Stats, metric: StackedMetric, grouping: Grouping, names: SeriesNames): Parts {
  switch (grouping) {
    case "model":
      return {
        pieces: stats.series.map((point) => pieceOf(point, point.model, metric)),
        ranked: rankedFor(metric, stats.modelBreakdown).map((row) => row.model),
        names: new Map(),
        colors: colorsByName,
      };
    case "key":
    case "user":
    case "project":
    case "member":
      return groupParts(stats, metric);
    case "day":
      return dayParts(stats, metric, names);
  }
}

function rankedFor<Row extends Counts>(metric: StackedMetric, rows: readonly Row[]): readonly Row[] {
  const ranked = rows.map((row) => ({ row, amount: toScaled(amountOf(row, metric)) }));
  return ranked
    .sort((a, b) => (a.amount === b.amount ? 0 : b.amount > a.amount ? 1 : -1))
    .map(({ row }) => row);
}

/** Of keys or accounts: five are told apart; what the buckets have beyond them is the rest. */
function groupParts(stats: Stats, metric: StackedMetric): Parts {
  const { rows = [], series = [] } = stats.groups ?? {};
  const pieces = series.map((point) => pieceOf(point, point.id, metric));
  const left = new Map(
    stats.buckets.map((bucket) => [bucket.bucketStart, toScaled(amountOf(bucket, metric))]),
  );
  for (const { bucket, value } of pieces) left.set(bucket, (left.get(bucket) ?? 0n) - toScaled(value));
  const rest = [...left].map(([bucket, value]) => ({ bucket, id: OTHER_ID, value: fromScaled(value) }));
  return {
    pieces: [...pieces, ...rest.filter(({ value }) => value !== "0")],
    ranked: rankedFor(metric, rows)
      .slice(0, MAX_SERIES)
      .map((row) => row.id),
    names: new Map(rows.map((row) => [row.id, row.name || row.keyPrefix || row.id])),
    colors: colorsByName,
  };
}

/** Days are the buckets themselves: tokens are split by direction, the rest is one series. */
function dayParts(stats: Stats, metric: StackedMetric, names: SeriesNames): Parts {
  const parts = stats.buckets.flatMap((bucket): Piece[] => {
    const at = bucket.bucketStart;
    if (metric !== "tokens") return [{ bucket: at, id: names.total, value: amountOf(bucket, metric) }];
    return [
      { bucket: at, id: names.input, value: String(bucket.promptTokens) },
      { bucket: at, id: names.output, value: String(bucket.completionTokens) },
    ];
  });
  const ranked = metric === "tokens" ? [names.input, names.output] : [names.total];
  return { pieces: parts, ranked, names: new Map(), colors: colorsInOrder };
}

function errorParts(stats: Stats): Parts {
  const pieces = stats.buckets.flatMap((bucket) =>
    Object.entries(bucket.errors).map(([id, count]) => ({
      bucket: bucket.bucketStart,
      id,
      value: String(count),
    })),
  );
  const totals = new Map<string, bigint>();
  for (const piece of pieces) totals.set(piece.id, (totals.get(piece.id) ?? 0n) + toScaled(piece.value));
  const ranked = [...totals].sort((a, b) => (b[1] > a[1] ? 1 : -1)).map(([id]) => id);
  return { pieces, ranked, names: new Map(), colors: colorsByName };
}

function pieceOf(counts: Counts & { bucketStart: string }, id: string, metric: StackedMetric): Piece {
  return { bucket: counts.bucketStart, id, value: amountOf(counts, metric) };
}

function amountOf(counts: Counts, metric: StackedMetric): string {
  switch (metric) {
    case "errors":
      return String(counts.errorCount);
    case "cost":
      return counts.cost;
    case "requests":
      return String(counts.requestCount);
    case "tokens":
      return String(counts.promptTokens + counts.completionTokens);
  }
}
