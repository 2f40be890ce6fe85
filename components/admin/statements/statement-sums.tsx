"use client";

import { ratio, toScaled } from "@/lib/shared/decimal";
import type { AdminStatement } from "../../api/admin/types";
import { useShell } from "../../api/shell-facts";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import type { Sorting } from "../../lists/row-order";
import { SortedTable } from "../../lists/sorted-table";
import { Card } from "../../ui/card";
import type { Column } from "../../ui/columns";
import { Kpi } from "../../ui/kpi";
import { TextLink } from "../../ui/link";
import { EmptyState } from "../../ui/states";

type Row = AdminStatement["rows"][number];

/** The highest first. */
const sortings: Record<string, Sorting<Row>> = {
  cost: { first: "desc", by: ({ cost }) => toScaled(cost) },
  previous: { first: "desc", by: ({ previous }) => toScaled(previous.cost) },
  requests: { first: "desc", by: ({ requestCount }) => requestCount },
};

/** The sums of a month beside those of the month before. */
export function StatementSums({ statement }: { statement: AdminStatement }) {
  const text = useMessages("adminStatements");
  const { by, totals, rows, others } = statement;
  const further = others === null ? [] : [{ ...others, id: "others", name: text.others, owner: null }];
  const columns = useColumns(by);
  if (rows.length === 0)
    return (
      <Card>
        <EmptyState title={text.empty} />
      </Card>
    );
  return (
    <>
      <Totals totals={totals} />
      <Card flush title={text.by[by]}>
        <SortedTable
          flush
          caption={text.by[by]}
          sortings={sortings}
          nameOf={({ name }) => name}
          columns={columns}
          rows={[...rows, ...further]}
          rowId={({ id }) => id}
          total={{ ...totals, id: "total", name: text.total, owner: null }}
        />
      </Card>
    </>
  );
}

function Totals({ totals }: { totals: AdminStatement["totals"] }) {
  const text = useMessages("adminStatements");
  const format = useFormat();
  const change = useChange();
  return (
    <div className="kpi-grid">
      <Kpi
        label={text.cost}
        value={format.money(totals.cost)}
        title={format.moneyExact(totals.cost)}
        note={fill(text.before, {
          amount: format.money(totals.previous.cost),
          change: change(totals.cost, totals.previous.cost),
        })}
      />
      <Kpi label={text.requests} value={format.countFull(totals.requestCount)} note={text.requestsNote} />
      <Kpi
        label={text.late}
        value={format.money(totals.lateCost)}
        title={format.moneyExact(totals.lateCost)}
        note={text.lateNote}
      />
    </div>
  );
}

function useColumns(by: AdminStatement["by"]): Column<Row>[] {
  const text = useMessages("adminStatements");
  const format = useFormat();
  const change = useChange();
  const { admin } = useShell();
  const name = (row: Row) => row.name || text.none[by];
  return [
    {
      id: "name",
      head: text.first[by],
      className: "min-w-32 wrap-anywhere",
      cell: (row) => (
        <>
          {by === "account" && admin && row.id !== "others" && row.id !== "total" ? (
            <TextLink href={`/admin/users/${row.id}`}>{name(row)}</TextLink>
          ) : (
            name(row)
          )}
          {row.owner !== null && (
            <span className="block text-xs text-muted">{fill(text.owner, { owner: row.owner })}</span>
          )}
        </>
      ),
    },
    {
      id: "requests",
      head: text.requests,
      end: true,
      from: "lg",
      cell: ({ requestCount }) => format.countFull(requestCount),
    },
    { id: "previous", head: text.previous, money: ({ previous }) => previous.cost },
    {
      id: "change",
      head: text.change,
      end: true,
      from: "lg",
      cell: ({ cost, previous }) => change(cost, previous.cost),
    },
    { id: "cost", head: text.cost, card: "corner", money: ({ cost }) => cost },
  ];
}

/** The change of an amount; a dash where there was none before. */
function useChange(): (now: string, before: string) => string {
  const format = useFormat();
  const none: Messages["adminStatements"]["noChange"] = useMessages("adminStatements").noChange;
  return (now, before) => {
    if (toScaled(before) === 0n) return none;
    const change = ratio(now, before) - 1;
    return `${change < 0 ? "−" : "+"}${format.percent(Math.abs(change))}`;
  };
}
