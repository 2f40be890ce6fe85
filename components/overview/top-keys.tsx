"use client";

import { useQuery } from "@tanstack/react-query";
import { MINUTE_MS } from "@/lib/kernel/clock";
import { callApi } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import { queryKeys, useFilterKeys, useKeys } from "../api/queries";
import type { Stats } from "../api/types";
import { ratio } from "../i18n/decimal";
import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Card } from "../ui/card";
import { Amount } from "../ui/data-table";
import { Link, TextLink } from "../ui/link";
import { Skeleton } from "../ui/states";

/** So many keys are asked for: those that were used in the period and have cost the most so far. */
const ASKED = 8;
const SHOWN = 4;

/** The keys with the highest cost in the period of the statistics. */
export function TopKeys(props: { stats: Stats }) {
  const text = useMessages("overview");
  const format = useFormat();
  const { stats } = props;
  const spend = useKeySpend(stats);
  const rows = spend.data ?? [];
  const print = format.moneyColumn(rows.map((row) => row.cost));
  return (
    <Card flush title={text.topKeys} actions={<TextLink href="/console/keys">{text.allKeys}</TextLink>}>
      {spend.isError && <ErrorPanel className="m-4" error={spend.error} onRetry={() => spend.refetch()} />}
      {spend.isPending && <Skeleton className="m-4 h-24" />}
      {spend.isSuccess && rows.length === 0 && <p className="p-4 text-sm text-muted">{text.noKeyUsed}</p>}
      <ul className="divide-y">
        {rows.map((row) => (
          <li key={row.id} className="grid grid-cols-1 gap-1 px-4 py-2.5">
            <div className="flex items-center justify-between gap-3 text-sm">
              <Link
                href={`/console/usage?key=${row.id}`}
                className="min-w-0 truncate rounded-sm font-medium text-primary hover:underline"
              >
                {row.name}
              </Link>
              <Amount cents={row.cost} print={print} />
            </div>
            <div className="tabular flex items-center gap-3 text-xs text-muted">
              <span aria-hidden className="h-1 flex-1 overflow-hidden rounded-full bg-line">
                <span
                  className="block h-full rounded-full bg-primary"
                  style={{ width: `${ratio(row.cost, stats.totals.cost) * 100}%` }}
                />
              </span>
              {plural(text.requestCount, row.requestCount, format.locale)}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Asks for one key after another, so that a page takes one place among the reports that run. */
function useKeySpend(stats: Stats) {
  const loaded = useKeys().isSuccess;
  const keys = useFilterKeys();
  const { period, timezone: tz, from } = stats;
  const asked = keys
    .filter(({ lastUsedAt }) => lastUsedAt !== null && Date.parse(lastUsedAt) >= Date.parse(from))
    .sort((a, b) => b.usedQuota - a.usedQuota)
    .slice(0, ASKED);
  return useQuery({
    queryKey: [...queryKeys.stats, "keys", period, tz, asked.map(({ id }) => id).sort()],
    queryFn: async ({ signal }) => {
      const found = [];
      for (const { id, name } of asked) {
        const query = { period, tz, tokenId: id };
        const { totals } = await callApi("GET /api/user/stats", { signal, query });
        found.push({ id, name, cost: totals.cost, requestCount: totals.requestCount });
      }
      return found.sort((a, b) => ratio(b.cost, 1) - ratio(a.cost, 1)).slice(0, SHOWN);
    },
    enabled: loaded,
    refetchInterval: MINUTE_MS,
    placeholderData: (previous) => previous,
  });
}
