import { QUARTER_HOUR_MS } from "./time-zone";

/** Which roll-ups make up a range, by the moments at which they begin. Units: milliseconds since 1970. */
export interface Cover {
  fourHours: number[];
  quarters: number[];
}

const FOUR_HOURS_MS = 16 * QUARTER_HOUR_MS;

/**
 * Splits the buckets that begin at `starts` and end at `to` so that as much as possible lies in whole 4-hour roll-ups
 * that are complete before `foldedUntil`. Every start lies on the grid of 15 minutes, `to` may lie within a roll-up,
 * which then counts. Units: milliseconds since 1970.
 */
export function coverOf(starts: readonly number[], to: number, foldedUntil: number): Cover {
  const cover: Cover = { fourHours: [], quarters: [] };
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? to;
    const complete = Math.min(end, foldedUntil);
    for (let moment = start; moment < end; ) {
      const isWhole = moment % FOUR_HOURS_MS === 0 && moment + FOUR_HOURS_MS <= complete;
      (isWhole ? cover.fourHours : cover.quarters).push(moment);
      moment += isWhole ? FOUR_HOURS_MS : QUARTER_HOUR_MS;
    }
  }
  return cover;
}
