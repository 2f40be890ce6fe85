"use client";

import { useEffect, useState } from "react";
import { dayRangeProblem, MAX_RANGE_DAYS } from "@/lib/kernel/day-range";
import { DAY_MS } from "@/lib/kernel/durations";
import { dayInZone } from "@/lib/shared/zoned-time";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { DateField } from "../ui/date-input";
import { Segmented } from "../ui/segmented";
import { periods, type UsageFilters } from "./use-usage-filters";

/** How many days of the calendar a period touches. */
const daysIn: Record<(typeof periods)[number], number> = { "24h": 2, "7d": 7, "30d": 30 };

/** A period that ends now, or chosen days. */
export function PeriodSwitch(props: { filters: UsageFilters }) {
  const text = useMessages("usage");
  const { filters } = props;
  const custom = filters.from !== null || filters.to !== null;
  function choose(value: (typeof periods)[number] | "custom") {
    if (value !== "custom") return void filters.set({ period: value, from: null, to: null });
    const day = (ago: number) => dayInZone(new Date(Date.now() - ago * DAY_MS), filters.zone);
    // Days of one's own choice begin with those that are shown.
    if (!custom) void filters.set({ from: day(daysIn[filters.period] - 1), to: day(0) });
  }
  return (
    <>
      <Segmented
        label={text.period}
        value={custom ? "custom" : filters.period}
        onChange={choose}
        options={[
          ...periods.map((value) => ({ value, label: text.periods[value] })),
          { value: "custom" as const, label: text.custom },
        ]}
      />
      {custom && <DayFields filters={filters} />}
    </>
  );
}

/** The first and the last day; what is typed counts once it is a range that can be asked for. */
function DayFields(props: { filters: UsageFilters }) {
  const text = useMessages("usage");
  const format = useFormat();
  const { from, to, zone, set } = props.filters;
  const [typed, setTyped] = useState({ from: from ?? "", to: to ?? "" });
  useEffect(() => setTyped({ from: from ?? "", to: to ?? "" }), [from, to]);
  const today = dayInZone(new Date(), zone);
  const problem = dayRangeProblem(typed, today);
  function change(next: typeof typed) {
    setTyped(next);
    if (dayRangeProblem(next, today) === null) void set(next);
  }
  // Of an address with days that cannot be shown nothing was asked.
  const shown = dayRangeProblem({ from: from ?? "", to: to ?? "" }, today) === null;
  return (
    <>
      {(["from", "to"] as const).map((end) => (
        <DateField
          key={end}
          label={text[end]}
          kind="day"
          value={typed[end]}
          onChange={(day) => change({ ...typed, [end]: day })}
        />
      ))}
      <div className="order-last flex basis-full flex-wrap gap-2">
        {(
          [
            [text.thisMonth, monthBefore(today, 0)],
            [text.lastMonth, monthBefore(today, 1)],
            [text.last90Days, daysUntil(today, 90)],
          ] as const
        ).map(([label, days]) => (
          <Button key={label} size="sm" variant="ghost" onClick={() => change(days)}>
            {label}
          </Button>
        ))}
      </div>
      <p role="status" className="order-last basis-full text-sm text-danger empty:hidden">
        {problem !== null && fill(text.rangeProblems[problem], { days: MAX_RANGE_DAYS })}
        {problem !== null && shown && format.gap}
        {problem !== null && shown && text.rangeBefore}
      </p>
    </>
  );
}

/** So many days, of which today is the last. */
function daysUntil(today: string, count: number): { from: string; to: string } {
  const first = new Date(Date.parse(today) - (count - 1) * DAY_MS);
  return { from: first.toISOString().slice(0, 10), to: today };
}

/** The days of the month that was so many months ago; of the running one, until today. */
function monthBefore(today: string, ago: number): { from: string; to: string } {
  const [year = 0, month = 1] = today.split("-").map(Number);
  const day = (index: number, date: number) =>
    new Date(Date.UTC(year, index, date)).toISOString().slice(0, 10);
  const last = day(month - ago, 0);
  return { from: day(month - 1 - ago, 1), to: last < today ? last : today };
}
