"use client";

import type { ReactNode } from "react";
import { ratio } from "@/lib/shared/decimal";
import type { Stats } from "../api/types";
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
          <Reason
            key={code}
            name={<span className="font-mono">{code}</span>}
            href={logsOfStats(props.stats, { path: logs }, { code })}
            outcome={words[outcomeOf(code)]}
            count={count}
            of={totals.errorCount}
          />
        ))}
        {others > 0 && <Reason name={text.otherReasons} href={null} count={others} of={totals.errorCount} />}
      </ul>
    </Card>
  );
}

/** A reason with the way to its requests; several together have none. */
function Reason(props: {
  name: ReactNode;
  href: string | null;
  outcome?: string;
  count: number;
  of: number;
}) {
  const format = useFormat();
  return (
    <li className="flex items-center justify-between gap-3 px-4 py-2 text-sm">
      {props.href === null ? (
        <span className="min-w-0 truncate text-xs leading-6">{props.name}</span>
      ) : (
        <Link
          href={props.href}
          className="min-w-0 truncate rounded-sm text-xs leading-6 text-primary hover:underline"
        >
          {props.name}
        </Link>
      )}
      <span className="tabular shrink-0">
        {props.outcome !== undefined && <span className="mr-2 text-xs text-muted">{props.outcome}</span>}
        {format.countFull(props.count)}
        <span className="ml-2 text-xs text-muted">{format.percent(ratio(props.count, props.of))}</span>
      </span>
    </li>
  );
}
