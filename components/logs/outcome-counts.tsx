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

/** How many requests failed, and how many were refused, where any did; each number leads to exactly these. */
export function OutcomeCounts(props: { stats: Stats; logs: LogsTarget }) {
  const text = useMessages("common").outcomes;
  const format = useFormat();
  const { stats, logs } = props;
  const { errors } = stats.totals;
  const { failed, refused } = countOutcomes(errors);
  const limited = errors.RATE_LIMITED ?? 0;
  if (failed + refused === 0) return text.none;
  return (
    <>
      {failed > 0 && (
        <Count href={logsOfStats(stats, logs, { outcome: "failed" })}>
          {plural(text.failed, failed, format.locale)}
        </Count>
      )}
      {failed > 0 && refused > 0 && " · "}
      {refused > 0 && (
        <Count href={logsOfStats(stats, logs, { outcome: "refused" })}>
          {plural(text.refused, refused, format.locale)}
        </Count>
      )}
      {limited > 0 && (
        <>
          {format.gap}
          <Count href={logsOfStats(stats, logs, { code: "RATE_LIMITED" })}>
            {plural(text.rateLimited, limited, format.locale)}
          </Count>
        </>
      )}
    </>
  );
}

function Count(props: { href: string; children: string }) {
  return (
    <Link
      href={props.href}
      className="inline-block rounded-sm py-1 text-fg underline underline-offset-2 hover:text-primary pointer-coarse:py-2"
    >
      {props.children}
    </Link>
  );
}
