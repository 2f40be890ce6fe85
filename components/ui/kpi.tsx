import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "./link";

/** One key figure with its comparison value, and its course below it. */
export function Kpi(props: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  title?: string | undefined;
  course?: ReactNode;
  /** Where what it counts is listed. */
  href?: string;
}) {
  return (
    <div className="grid min-w-0 content-start gap-1 rounded-lg border p-3 sm:p-4">
      {props.href === undefined ? (
        <p className="text-sm text-muted">{props.label}</p>
      ) : (
        <Link
          href={props.href}
          className="min-h-6 justify-self-start rounded-sm text-sm text-muted underline-offset-2 hover:underline"
        >
          {props.label}
          <ChevronRight aria-hidden className="inline size-3.5" />
        </Link>
      )}
      <p className="tabular text-xl font-semibold break-keep wrap-anywhere sm:text-2xl" title={props.title}>
        {props.value}
      </p>
      {props.course !== undefined && <div className="flex h-7 items-center">{props.course}</div>}
      {props.note !== undefined && props.note !== "" && (
        <div className="tabular text-xs text-muted">{props.note}</div>
      )}
    </div>
  );
}
