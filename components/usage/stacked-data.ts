import type { SeriesPoint, Stats } from "../api/types";
import {
  type ChartBucket,
  type ChartSeries,
  colorsByName,
  colorsInOrder,
  OTHER_COLOR,
  OTHER_ID,
  type StackedData,
  shownNames,
} from "../charts/chart-model";
import { ratio, sumDecimals, toScaled } from "../i18n/decimal";

export type StackedMetric = "cost" | "requests" | "tokens" | "errors";
export type Grouping = "model" | "direction";

/** One amount of one name in one bucket. */
interface Piece {
  bucket: string;
  name: string;
  value: string;
}

/** The labels of series that are not model names. */
export interface SeriesNames {
  other: string;
  input: string;
  output: string;
}

/**
 * Turns statistics into the series and buckets of one metric: five names and the rest. `models`: all that there are, so
 * that a colour does not depend on which of them were used.
 */
export function stackedData(
  stats: Stats,
  metric: StackedMetric,
  grouping: Grouping,
  names: SeriesNames,
  models: readonly string[] = [],
): StackedData {
  const pieces = piecesOf(stats, metric, grouping, names);
  const ranked = rankedNames(stats, metric, grouping, names, pieces);
  const shown = shownNames(ranked);
  const isDirection = metric === "tokens" && grouping === "direction";
  const colors = isDirection ? colorsInOrder(shown) : colorsByName(shown, metric === "errors" ? [] : models);
  const idOf = (name: string) => (colors.has(name) ? name : OTHER_ID);
  const perBucket = new Map<string, Map<string, string[]>>();
  for (const piece of pieces) {
    const bucket = perBucket.get(piece.bucket) ?? new Map<string, string[]>();
    const id = idOf(piece.name);
    bucket.set(id, [...(bucket.get(id) ?? []), piece.value]);
    perBucket.set(piece.bucket, bucket);
  }
  const buckets = stats.buckets.map((bucket, index) =>
    bucketOf(bucket.bucketStart, stats.buckets[index + 1]?.bucketStart ?? null, stats, perBucket),
  );
  const total = sumDecimals(buckets.map((bucket) => bucket.total));
  const ids = [
    ...ranked.filter((name) => colors.has(name)),
    ...(ranked.length > colors.size ? [OTHER_ID] : []),
  ];
  const series = ids
    .map((id): ChartSeries => {
      const sum = sumDecimals(buckets.map((bucket) => bucket.values[id] ?? "0"));
      return {
        id,
        name: id === OTHER_ID ? names.other : id,
        color: colors.get(id) ?? OTHER_COLOR,
        total: sum,
        share: ratio(sum, total),
      };
    })
    .filter((one) => toScaled(one.total) !== 0n);
  return { series, buckets, total };
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
    partial: next === null,
    values,
    total: sumDecimals(Object.values(values)),
  };
}

function piecesOf(stats: Stats, metric: StackedMetric, grouping: Grouping, names: SeriesNames): Piece[] {
  return stats.series.flatMap((point) =>
    amountsOf(point, metric, grouping, names).map(([name, value]) => ({
      bucket: point.bucketStart,
      name,
      value: String(value),
    })),
  );
}

function amountsOf(
  point: SeriesPoint,
  metric: StackedMetric,
  grouping: Grouping,
  names: SeriesNames,
): Array<[string, string | number]> {
  switch (metric) {
    case "cost":
      return [[point.model, point.cost]];
    case "requests":
      return [[point.model, point.requestCount]];
    case "errors":
      return Object.entries(point.errors);
    case "tokens":
      if (grouping === "model") return [[point.model, point.promptTokens + point.completionTokens]];
      return [
        [names.input, point.promptTokens],
        [names.output, point.completionTokens],
      ];
  }
}

/** Models are ranked by cost for every metric, so that each model has one colour on the whole page. */
function rankedNames(
  stats: Stats,
  metric: StackedMetric,
  grouping: Grouping,
  names: SeriesNames,
  pieces: Piece[],
): string[] {
  if (metric === "tokens" && grouping === "direction") return [names.input, names.output];
  if (metric !== "errors") return stats.modelBreakdown.map((row) => row.model);
  const totals = new Map<string, bigint>();
  for (const piece of pieces) totals.set(piece.name, (totals.get(piece.name) ?? 0n) + toScaled(piece.value));
  return [...totals].sort((a, b) => (b[1] > a[1] ? 1 : -1)).map(([name]) => name);
}
