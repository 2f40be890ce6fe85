/** One series of a stacked chart. */
export interface ChartSeries {
  id: string;
  name: string;
  /** A CSS colour. */
  color: string;
  /** Exact total over the range, as a decimal string. */
  total: string;
  share: number;
}

/** One bucket: the exact value of each series, as decimal strings. */
export interface ChartBucket {
  startMs: number;
  endMs: number;
  /** Not over yet. */
  partial: boolean;
  values: Record<string, string>;
  total: string;
}

/** The model of a stacked chart, its table, its summary and its CSV. */
export interface StackedData {
  series: ChartSeries[];
  buckets: ChartBucket[];
  total: string;
}

const MAX_SERIES = 5;

/** Colours by rank; the same name keeps its colour on the whole page. */
export function colorsByRank(ranked: string[]): Map<string, string> {
  return new Map(ranked.slice(0, MAX_SERIES).map((name, index) => [name, `var(--series-${index + 1})`]));
}

export const OTHER_COLOR = "var(--series-other)";
export const OTHER_ID = "(other)";
