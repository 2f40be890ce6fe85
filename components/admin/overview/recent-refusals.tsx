"use client";

import { useRead } from "../../api/use-read";
import { useFormat, useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";

/** What the gateway has refused in the last hour, by reason; nothing where it has refused nothing. */
export function RecentRefusals() {
  const text = useMessages("admin").overview;
  const format = useFormat();
  const refusals = useRead("GET /api/admin/refusals");
  const counted = refusals.data?.data ?? [];
  if (counted.length === 0) return null;
  return (
    <Card flush title={text.refusals}>
      <p className="px-4 pt-3 pb-2 text-sm text-muted">{text.refusalsHint}</p>
      <ul className="divide-y" aria-label={text.refusals}>
        {counted.map(({ reason, count, last }) => (
          <li key={reason} className="grid items-baseline gap-x-4 gap-y-1 px-4 py-2 text-sm sm:grid-cols-6">
            <span className="sm:col-span-4">
              {text.refusalReasons[reason]} <span className="font-mono text-xs text-muted">{reason}</span>
            </span>
            <span className="text-muted sm:text-right">{format.relative(last, refusals.dataUpdatedAt)}</span>
            <span className="tabular sm:text-right">{format.countFull(count)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
