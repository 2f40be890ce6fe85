import { QUARTER_HOUR_MS } from "./time-zone";

/** A stretch of the bucket with this index. Units: milliseconds since 1970; `last` is not included. */
export interface Stretch {
  index: number;
  first: number;
  last: number;
}

/** Which stretches of some buckets are read from the 4-hour roll-ups, and which from the 15-minute ones. */
export interface Cover {
  fourHours: Stretch[];
  quarters: Stretch[];
}

const FOUR_HOURS_MS = 16 * QUARTER_HOUR_MS;

/**
 * Splits the buckets that begin at `starts` and end at `to` so that as much as possible lies in whole 4-hour roll-ups
 * that are complete before `foldedUntil`. Nothing is left out or in both. Units: milliseconds since 1970.
 */
export function coverOf(starts: readonly number[], to: number, foldedUntil: number): Cover {
  const cover: Cover = { fourHours: [], quarters: [] };
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? to;
    const first = Math.ceil(start / FOUR_HOURS_MS) * FOUR_HOURS_MS;
    const last = Math.floor(Math.min(end, foldedUntil) / FOUR_HOURS_MS) * FOUR_HOURS_MS;
    if (first >= last) {
      cover.quarters.push({ index, first: start, last: end });
      continue;
    }
    cover.fourHours.push({ index, first, last });
    if (start < first) cover.quarters.push({ index, first: start, last: first });
    if (last < end) cover.quarters.push({ index, first: last, last: end });
  }
  return cover;
}
