"use client";

import type { Stats } from "../api/types";
import { ratio } from "../i18n/decimal";
import { plural } from "../i18n/fill";
import { useKeyName } from "../i18n/key-name";
import { useFormat, useMessages } from "../i18n/provider";
import { Card } from "../ui/card";
import { Amount } from "../ui/columns";
import { Link, TextLink } from "../ui/link";

const SHOWN = 4;

/** The keys with the highest cost in the period of the statistics, which are grouped by key. */
export function TopKeys(props: { stats: Stats }) {
  const text = useMessages("overview");
  const format = useFormat();
  const keyName = useKeyName();
  const { stats } = props;
  const rows = stats.groups?.rows.slice(0, SHOWN) ?? [];
  const print = format.moneyColumn(rows.map(({ cost }) => cost));
  return (
    <Card flush title={text.topKeys} actions={<TextLink href="/console/keys">{text.allKeys}</TextLink>}>
      {rows.length === 0 && <p className="p-4 text-sm text-muted">{text.noKeyUsed}</p>}
      {/* In two columns where there is room for them; one key has the whole row. */}
      <ul className="grid overflow-hidden sm:grid-cols-2">
        {rows.map((row) => (
          <li
            key={row.id}
            className="-mb-px grid min-w-0 grid-cols-1 gap-1 border-b px-4 py-2 first:last:col-span-full"
          >
            <div className="flex items-center justify-between gap-3 text-sm">
              <Link
                href={`/console/usage?key=${row.id}`}
                className="min-w-0 truncate rounded-sm leading-6 font-medium text-primary hover:underline"
              >
                {keyName(row.name) || row.keyPrefix}
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
