"use client";

import { withQuery } from "../api/client";
import type { Stats } from "../api/types";
import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Link } from "../ui/link";
import { countOutcomes } from "./choices";

/** Where counts of statistics lead to: a log, with the filters that the statistics have. */
export interface LogsTarget {
  path: string;
  query?: Record<string, string | null>;
}

/** The address of the requests that statistics count; those of a range that has ended are between its two ends. */
export function logsOfStats(
  { from, to, inProgress }: Pick<Stats, "from" | "to" | "inProgress">,
  target: LogsTarget,
  further: Record<string, string>,
): string {
  return withQuery(target.path, { ...target.query, ...further, from, to: inProgress ? null : to });
}

/** How many requests failed, and how many were refused; each number leads to exactly these. */
export function OutcomeCounts(props: { stats: Stats; logs: LogsTarget }) {
  const text = useMessages("common").outcomes;
  const format = useFormat();
  const { stats, logs } = props;
  const { errors } = stats.totals;
  const counts = countOutcomes(errors);
  const limited = errors.RATE_LIMITED ?? 0;
  return (
    <>
      <Count href={logsOfStats(stats, logs, { outcome: "failed" })} none={counts.failed === 0}>
        {plural(text.failed, counts.failed, format.locale)}
      </Count>
      {" · "}
      <Count href={logsOfStats(stats, logs, { outcome: "refused" })} none={counts.refused === 0}>
        {plural(text.refused, counts.refused, format.locale)}
      </Count>
      {limited > 0 && (
        <>
          {text.part}
          <Count href={logsOfStats(stats, logs, { code: "RATE_LIMITED" })} none={false}>
            {plural(text.rateLimited, limited, format.locale)}
          </Count>
        </>
      )}
    </>
  );
}

function Count(props: { href: string; none: boolean; children: string }) {
  if (props.none) return props.children;
  return (
    <Link
      href={props.href}
      className="inline-block rounded-sm py-1 text-fg underline underline-offset-2 hover:text-primary pointer-coarse:py-2"
    >
      {props.children}
    </Link>
  );
}
