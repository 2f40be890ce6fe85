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

/** Series of a chart beside the one of the rest. */
export const MAX_SERIES = 5;

/** Colours by place, for names that are always the same. */
export function colorsInOrder(names: readonly string[]): Map<string, string> {
  return new Map(names.map((name, place) => [name, colorAt(place)]));
}

/**
 * A colour for each shown name that does not depend on what else is shown, nor on its rank: the hash of the name, and
 * the next free colour where another of `all` names has it. Beyond as many names as colours two may share one; in one
 * chart the later one by name then takes the next free colour.
 */
export function colorsByName(shown: readonly string[], all: readonly string[]): Map<string, string> {
  const known = [...new Set(all)].sort();
  const strangers = shown.filter((name) => !known.includes(name)).sort();
  const places = new Map<string, number>();
  let taken = new Set<number>();
  for (const name of [...known, ...strangers]) {
    if (taken.size === MAX_SERIES) taken = new Set();
    places.set(name, freePlace(hashOf(name), taken));
  }
  const inChart = new Set<number>();
  const ordered = [...known, ...strangers].filter((name) => shown.includes(name));
  return new Map(ordered.map((name) => [name, colorAt(freePlace(places.get(name) ?? 0, inChart))]));
}

/** The first free place from `wanted` on, which is taken then. */
function freePlace(wanted: number, taken: Set<number>): number {
  let place = wanted % MAX_SERIES;
  while (taken.has(place) && taken.size < MAX_SERIES) place = (place + 1) % MAX_SERIES;
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
  return `var(--series-${(place % MAX_SERIES) + 1})`;
}

export const OTHER_COLOR = "var(--series-other)";
export const OTHER_ID = "(other)";
