import { daysBetween, MAX_RANGE_DAYS } from "@/lib/kernel/day-range";
import { DAY_MS } from "@/lib/kernel/durations";
import type { ProviderBill } from "./bill";

/** The days of a bill that can be compared, both included. */
export interface BillRange {
  from: string;
  to: string;
  /** The bill has days beside them. */
  cut: boolean;
  mostDays: number;
}

/** The last days of a bill up to today, as many as one answer has. Unit of `now`: milliseconds since 1970. */
export function billRange({ rows }: ProviderBill, now: number): BillRange {
  const today = dayOf(now);
  const [first = today, last = today] = [rows[0]?.day, rows.at(-1)?.day];
  const to = last > today ? today : last;
  const from = first > to ? to : first;
  const isLong = daysBetween({ from, to }) > MAX_RANGE_DAYS;
  const begin = isLong ? dayOf(Date.parse(to) - (MAX_RANGE_DAYS - 1) * DAY_MS) : from;
  return { from: begin, to, cut: begin !== first || to !== last, mostDays: MAX_RANGE_DAYS };
}

/** The bill without the days outside of a range. */
export function billWithin(bill: ProviderBill, { from, to }: Pick<BillRange, "from" | "to">): ProviderBill {
  return { ...bill, rows: bill.rows.filter(({ day }) => from <= day && day <= to) };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
