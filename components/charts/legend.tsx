"use client";

import { cn } from "../ui/cn";
import type { ChartSeries } from "./chart-model";

/** The series in stack order with value and share; pointing at one dims the others. */
export function Legend(props: {
  series: ChartSeries[];
  value: (exact: string) => string;
  percent: (share: number) => string;
  dimmed: string | null;
  onDim: (id: string | null) => void;
}) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {props.series.map((one) => (
        <li key={one.id} className="min-w-0">
          <button
            type="button"
            className={cn(
              "flex min-h-6 max-w-full items-center pointer-coarse:min-h-11 gap-1.5 rounded-sm px-1 hover:bg-hover",
              props.dimmed !== null && props.dimmed !== one.id && "opacity-60",
            )}
            onMouseEnter={() => props.onDim(one.id)}
            onMouseLeave={() => props.onDim(null)}
            onFocus={() => props.onDim(one.id)}
            onBlur={() => props.onDim(null)}
          >
            <span aria-hidden className="size-2.5 shrink-0 rounded-sm" style={{ background: one.color }} />
            <span className="truncate">{one.name}</span>
            <span className="tabular text-muted">
              {props.value(one.total)} · {props.percent(one.share)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
