"use client";

import type { Stats } from "../api/types";
import { ratio } from "../i18n/decimal";
import { useFormat, useMessages } from "../i18n/provider";
import { outcomeOf } from "../logs/choices";
import { logsOfStats } from "../logs/outcome-counts";
import { Card } from "../ui/card";
import { Link } from "../ui/link";

const SHOWN = 4;

/** Why requests failed or were refused, most frequent first; each reason leads to its requests in the log. */
export function ErrorReasons(props: {
  stats: Stats;
  title?: string;
  logs?: "/console/logs" | "/admin/logs";
}) {
  const text = useMessages("overview");
  const format = useFormat();
  const { title = text.errorReasons, logs = "/console/logs" } = props;
  const words = useMessages("logs").outcomes;
  const { totals } = props.stats;
  const reasons = Object.entries(totals.errors)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN);
  const others = totals.errorCount - reasons.reduce((sum, [, count]) => sum + count, 0);
  return (
    <Card flush title={title}>
      {reasons.length === 0 && <p className="p-4 text-sm text-muted">{text.noErrors}</p>}
      <ul className="divide-y">
        {reasons.map(([code, count]) => (
          <li key={code} className="flex items-center justify-between gap-3 px-4 py-2 text-sm">
            <Link
              href={logsOfStats(props.stats, { path: logs }, { code })}
              className="min-w-0 truncate rounded-sm font-mono text-xs leading-6 text-primary hover:underline"
            >
              {code}
            </Link>
            <span className="tabular shrink-0">
              <span className="mr-2 text-xs text-muted">{words[outcomeOf(code)]}</span>
              {format.countFull(count)}
              <span className="ml-2 text-xs text-muted">
                {format.percent(ratio(count, totals.errorCount))}
              </span>
            </span>
          </li>
        ))}
        {others > 0 && (
          <li className="flex items-center justify-between gap-3 px-4 py-2 text-sm">
            <Link
              href={logsOfStats(props.stats, { path: logs }, { outcome: "unanswered" })}
              className="rounded-sm text-xs leading-6 text-primary hover:underline"
            >
              {text.otherReasons}
            </Link>
            <span className="tabular shrink-0">
              {format.countFull(others)}
              <span className="ml-2 text-xs text-muted">
                {format.percent(ratio(others, totals.errorCount))}
              </span>
            </span>
          </li>
        )}
      </ul>
    </Card>
  );
}
