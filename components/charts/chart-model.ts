import { toChartNumber } from "@/lib/shared/decimal";

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
  /** The total of the bucket at the same place of the period before, where it is compared. */
  previous?: string | undefined;
}

/** The model of a stacked chart, its table, its summary and its CSV. */
export interface StackedData {
  series: ChartSeries[];
  buckets: ChartBucket[];
  total: string;
}

/** The parts of a chart; none where its one series is the total, which is told once. */
export function partsBesideTotal(series: readonly ChartSeries[], totalName: string): readonly ChartSeries[] {
  return series.length === 1 && series[0]?.id === totalName ? [] : series;
}

/** Series of a chart beside the one of the rest. */
export const MAX_SERIES = 5;

/** More colours than series: the fewer names of a chart share a place, the fewer move to another one. */
const COLORS = 8;

/** Colours by place, for names that are always the same. */
export function colorsInOrder(names: readonly string[]): Map<string, string> {
  return new Map(names.map((name, place) => [name, colorAt(place)]));
}

/**
 * A colour for each name of one chart: the hash of the name, or the next free colour where a name before it in the
 * alphabet has that. It depends neither on the rank of a name nor on what exists beside the chart. Beyond as many names
 * as colours two share one.
 */
export function colorsByName(shown: readonly string[]): Map<string, string> {
  const taken = new Set<number>();
  return new Map([...new Set(shown)].sort().map((name) => [name, colorAt(freePlace(hashOf(name), taken))]));
}

/** The first free place from `wanted` on, which is taken then. */
function freePlace(wanted: number, taken: Set<number>): number {
  let place = wanted % COLORS;
  while (taken.has(place) && taken.size < COLORS) place = (place + 1) % COLORS;
  taken.add(place);
  return place;
}

/** FNV-1a over the code units. See RFC draft-eastlake-fnv. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

function colorAt(place: number): string {
  return `var(--series-${(place % COLORS) + 1})`;
}

/** A line of a latency chart. Units: ms. */
export interface ChartLine {
  id: string;
  name: string;
  /** A CSS colour. */
  color: string;
  dash?: string;
  /** One for each bucket; null where nothing was measured. */
  values: readonly (number | null)[];
}

/** The dashes of the second of two lines that belong together. */
const SECOND_DASH = "5 3";

/** The two lines of percentiles, the higher one first. */
export function percentileLines(
  buckets: readonly { p50Ms: number | null; p95Ms: number | null }[],
  names: { p50: string; p95: string },
): ChartLine[] {
  const p95 = { id: "p95", name: names.p95, color: "var(--series-2)", dash: SECOND_DASH };
  const p50 = { id: "p50", name: names.p50, color: "var(--series-1)" };
  return [
    { ...p95, values: buckets.map(({ p95Ms }) => p95Ms) },
    { ...p50, values: buckets.map(({ p50Ms }) => p50Ms) },
  ];
}

/** The line of the period before, from below: a rim of the ground sets it off from bars of any colour. */
export const previousStrokes = [
  { stroke: "var(--page)", strokeWidth: 4 },
  { stroke: "var(--fg)", strokeWidth: 1.5 },
];

/** What the line has of a bucket: nothing of one that is not over, as its counterpart ends at the same minute and would look like a fall. */
export function drawnPrevious({ previous, partial }: ChartBucket): number | null {
  return previous === undefined || partial ? null : toChartNumber(previous);
}

/** How opaque a series is: pale while another one is pointed at. */
export function opacityOf(series: string, dimmed: string | null): number {
  return dimmed === null || dimmed === series ? 1 : 0.25;
}

/** Stripes of a colour, for a time that is not over yet. Units: pixels. */
export function stripesOf(color: string, width = 3): string {
  const pale = `color-mix(in srgb, ${color} 35%, transparent)`;
  return `repeating-linear-gradient(45deg, ${color} 0 ${width}px, ${pale} ${width}px ${2 * width}px)`;
}

export const OTHER_COLOR = "var(--series-other)";
export const OTHER_ID = "(other)";
