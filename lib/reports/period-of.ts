import type { StatsPeriod } from "./stats-range";

/** The period of a query: its days, or else its name. */
export function periodOf(query: {
  period: "24h" | "7d" | "30d";
  from?: string | undefined;
  to?: string | undefined;
}): StatsPeriod {
  const { period, from, to } = query;
  return from === undefined && to === undefined ? period : { from: from ?? "", to: to ?? "" };
}
