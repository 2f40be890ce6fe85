import type { Margin } from "../types";

/** The period of a margin as that of statistics. */
export function periodOf({ period, buckets }: Margin) {
  return { period, dailyBreakdown: [...new Set(buckets.map(({ date }) => date))] };
}
