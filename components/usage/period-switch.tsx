"use client";

import { useEffect, useState } from "react";
import { DAY_MS, dayRangeProblem, MAX_RANGE_DAYS } from "@/lib/kernel/clock";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { dayInZone } from "../i18n/zoned";
import { DateInput } from "../ui/date-input";
import { Field } from "../ui/field";
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
  const { from, to, zone, set } = props.filters;
  const [typed, setTyped] = useState({ from: from ?? "", to: to ?? "" });
  useEffect(() => setTyped({ from: from ?? "", to: to ?? "" }), [from, to]);
  const today = dayInZone(new Date(), zone);
  const problem = dayRangeProblem(typed, today);
  function change(next: typeof typed) {
    setTyped(next);
    if (dayRangeProblem(next, today) === null) void set(next);
  }
  const errors = problem === null ? [] : [fill(text.rangeProblems[problem], { days: MAX_RANGE_DAYS })];
  return (
    <div className="order-last grid basis-full grid-cols-2 items-start gap-2 sm:max-w-96">
      <Field label={text.from}>
        {(control) => (
          <DateInput
            {...control}
            kind="day"
            value={typed.from}
            onChange={(day) => change({ ...typed, from: day })}
          />
        )}
      </Field>
      <Field label={text.to}>
        {(control) => (
          <DateInput
            {...control}
            kind="day"
            value={typed.to}
            onChange={(day) => change({ ...typed, to: day })}
          />
        )}
      </Field>
      <p role="status" className="col-span-2 text-sm text-danger empty:hidden">
        {errors.join(" ")}
      </p>
    </div>
  );
}
