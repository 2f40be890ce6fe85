import { toScaled } from "@/lib/shared/decimal";
import type { Margin } from "../../api/admin/types";

/** The period of a margin as that of statistics; the one before it had requests if anything was billed or cost in it. */
export function periodOf({ period, buckets, previous }: Margin) {
  const requestCount = toScaled(previous.revenue) === 0n && previous.cost === null ? 0 : 1;
  return {
    period,
    dailyBreakdown: [...new Set(buckets.map(({ date }) => date))],
    previous: { requestCount, partial: previous.partial },
  };
}
