"use client";

import { toScaled } from "@/lib/shared/decimal";
import { dateToZoned, momentsOfDays } from "@/lib/shared/zoned-time";
import { withQuery } from "../api/client";
import type { LedgerEntry } from "../api/types";
import { fill, plural } from "../i18n/fill";
import type { Format } from "../i18n/format";
import { useKeyName } from "../i18n/key-name";
import { useFormat, useMessages } from "../i18n/provider";
import { cn } from "../ui/cn";
import { Amount } from "../ui/columns";
import { DataTable } from "../ui/data-table";
import { Link } from "../ui/link";

/** Movements of a balance, newest first; charges lead to their requests in the log at `logsPath`. */
export function LedgerTable(props: { rows: LedgerEntry[]; logsPath?: string }) {
  const text = useMessages("billing");
  const { columns } = text;
  return (
    <DataTable
      list="ledger"
      caption={text.caption}
      rows={props.rows}
      rowId={(row) => row.id}
      columns={[
        {
          id: "time",
          head: columns.time,
          card: "plain",
          className: "whitespace-nowrap",
          cell: (row) => <Day row={row} />,
        },
        { id: "type", head: columns.type, card: "plain", cell: (row) => text.types[row.type] },
        {
          id: "reference",
          head: columns.reference,
          card: "title",
          className: "min-w-32 wrap-anywhere",
          cell: (row) => <Reference row={row} logsPath={props.logsPath ?? "/console/logs"} />,
        },
        {
          id: "amount",
          head: columns.amount,
          end: true,
          card: "corner",
          cell: (row) => <Movement amount={row.amount} />,
        },
        {
          id: "balance",
          head: columns.balance,
          kind: "running",
          listed: (row) => row.balanceAfter,
        },
      ]}
    />
  );
}

/** An amount with its sign, with the decimals of the balance beside it; additions are green too. */
function Movement(props: { amount: string }) {
  const print = useFormat().listColumn("request");
  const added = toScaled(props.amount) > 0n;
  return (
    <span className={cn("font-medium", added && "text-success")}>
      {added && "+"}
      <Amount cents={props.amount} print={print} />
    </span>
  );
}

function Day(props: { row: LedgerEntry }) {
  const text = useMessages("billing");
  const format = useFormat();
  const { row } = props;
  if (row.date !== null)
    return (
      <span className="inline-flex flex-wrap gap-x-2 md:grid">
        <time dateTime={row.date}>{dayName(row.date, format.locale)}</time>
        <span className="text-xs text-muted" title={text.untilHint}>
          {fill(text.until, { time: timeOfDay(row.createdAt, row.date, format) })}
        </span>
      </span>
    );
  return <time dateTime={row.createdAt}>{format.dateTime(row.createdAt)}</time>;
}

function Reference(props: { row: LedgerEntry; logsPath: string }) {
  const text = useMessages("billing");
  const format = useFormat();
  const keyName = useKeyName();
  const { row } = props;
  if (row.type !== "charge" || row.date === null) {
    if (row.reason !== "") return row.reason;
    // The head of a card says what it is.
    return (
      <>
        <span className="max-md:hidden">–</span>
        <span className="md:hidden">{text.types[row.type]}</span>
      </>
    );
  }
  const key = row.tokenName === null ? (row.keyPrefix ?? "") : keyName(row.tokenName);
  const { from, to } = momentsOfDays({ from: row.date, to: row.date }, format.timeZone);
  return (
    <Link
      className="rounded-sm py-1 text-primary underline underline-offset-2"
      title={fill(text.openLogs, { key, date: dayName(row.date, format.locale) })}
      href={withQuery(props.logsPath, { key: row.tokenId, from, to })}
    >
      {plural(text.charge, row.requestCount ?? 0, format.locale, { key })}
    </Link>
  );
}

/** A day of the calendar, which has no zone. */
function dayName(date: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(`${date}T00:00:00Z`),
  );
}

/** The time that puts the charges of a day in order, which can be the end of the day. */
function timeOfDay(at: string, date: string, { timeZone }: Format): string {
  const local = dateToZoned(new Date(at), timeZone);
  return local.startsWith(date) ? local.slice("2026-11-21T".length) : "24:00";
}
