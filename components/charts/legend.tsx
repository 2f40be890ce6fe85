"use client";

import { cn } from "../ui/cn";
import { type ChartLine, type ChartSeries, stripesOf } from "./chart-model";

/** The series in stack order with value and share; pointing at one dims the others. */
export function Legend(props: {
  series: readonly ChartSeries[];
  value: (exact: string) => string;
  percent: (share: number) => string;
  dimmed: string | null;
  onDim: (id: string | null) => void;
  /** What stripes, and the line of the period before, mean where there are any. */
  striped?: string | undefined;
  before?: string | undefined;
}) {
  const { striped, before } = props;
  return (
    <ul className="flex flex-wrap gap-x-2 gap-y-0.5 text-xs sm:gap-x-4 sm:gap-y-1">
      {props.series.map((one) => (
        <li key={one.id} className="min-w-0">
          <button
            type="button"
            className={cn(
              "flex min-h-6 max-w-full items-center gap-1.5 rounded-sm px-1 hover:bg-hover",
              props.dimmed !== null && props.dimmed !== one.id && "opacity-60",
            )}
            onMouseEnter={() => props.onDim(one.id)}
            onMouseLeave={() => props.onDim(null)}
            onFocus={() => props.onDim(one.id)}
            onBlur={() => props.onDim(null)}
          >
            <span aria-hidden className="size-2.5 shrink-0 rounded-sm" style={{ background: one.color }} />
            <span className="truncate">{one.name}</span>
            <span className="tabular shrink-0 text-muted">
              {props.value(one.total)} · {props.percent(one.share)}
            </span>
          </button>
        </li>
      ))}
      {before !== undefined && (
        <li className="flex min-h-6 items-center gap-1.5 px-1 text-muted">
          <LineSwatch color="var(--fg)" width={1.5} />
          {before}
        </li>
      )}
      {striped !== undefined && (
        <li className="flex min-h-6 items-center gap-1.5 px-1 text-muted">
          <span
            aria-hidden
            className="size-2.5 shrink-0 rounded-sm"
            style={{ background: stripesOf("var(--muted)", 2) }}
          />
          {striped}
        </li>
      )}
    </ul>
  );
}

/** The lines of a latency chart with what each is of the whole time. */
export function LatencyLegend(props: {
  lines: readonly ChartLine[];
  /** By the id of the line. */
  values: Readonly<Record<string, string>>;
}) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {props.lines.map(({ id, name, color, dash = "0" }) => (
        <li key={id} className="flex min-h-6 min-w-0 items-center gap-1.5 px-1">
          <LineSwatch color={color} dash={dash} width={2} />
          <span className="min-w-0 truncate">{name}</span>
          <span className="tabular shrink-0 text-muted">{props.values[id]}</span>
        </li>
      ))}
    </ul>
  );
}

function LineSwatch(props: { color: string; dash?: string; width: number }) {
  return (
    <svg aria-hidden viewBox="0 0 16 8" className="h-2 w-4 shrink-0">
      <line
        x1={0}
        x2={16}
        y1={4}
        y2={4}
        stroke={props.color}
        strokeWidth={props.width}
        strokeDasharray={props.dash}
      />
    </svg>
  );
}
