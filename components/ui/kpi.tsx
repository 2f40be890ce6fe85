import type { ReactNode } from "react";

/** One key figure with its comparison value, and its course beside it. */
export function Kpi(props: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  title?: string | undefined;
  course?: ReactNode;
}) {
  return (
    <div className="grid min-w-0 content-start gap-1 rounded-lg border p-3 sm:p-4">
      <p className="text-sm text-muted">{props.label}</p>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 max-sm:flex-col max-sm:items-start">
        <p
          className="tabular max-w-full shrink-0 text-xl font-semibold wrap-anywhere sm:text-2xl"
          title={props.title}
        >
          {props.value}
        </p>
        {props.course}
      </div>
      {props.note !== undefined && <div className="tabular text-xs text-muted">{props.note}</div>}
    </div>
  );
}
