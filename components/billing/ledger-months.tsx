"use client";

import { useState } from "react";
import { fromScaled, toScaled } from "@/lib/shared/decimal";
import { ErrorPanel } from "../api/error-panel";
import type { LedgerMonth } from "../api/types";
import { useRead } from "../api/use-read";
import { fill, plural } from "../i18n/fill";
import { useMonthName } from "../i18n/month-name";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { DataTable } from "../ui/data-table";
import { Select } from "../ui/field";
import { Link } from "../ui/link";
import { rowNameClass } from "../ui/table";
import { daysOf } from "./statement";

/** The days that a list is narrowed to, both included, in the zone of the page. */
export interface LedgerDays {
  from: string | null;
  to: string | null;
}

interface Choice {
  days: LedgerDays;
  onChoose: (days: LedgerDays) => void;
}

const anyDay: LedgerDays = { from: null, to: null };

/** The ledger summed up by month, of some days or all. */
function useLedgerMonths(days: LedgerDays) {
  return useRead("GET /api/user/ledger/months", { query: { ...days, tz: useFormat().timeZone } });
}

/** Months that are shown at once. */
const SHOWN = 6;

/** What each month brought and cost, with the decimals of the ledger, so that they add up; a click narrows it to one. */
export function LedgerMonths({ days, onChoose }: Choice) {
  const text = useMessages("billing");
  const format = useFormat();
  const months = useLedgerMonths(anyDay);
  const [all, setAll] = useState(false);
  const nameOf = useMonthName();
  const rows = months.data?.data ?? [];
  if (months.isError) return <ErrorPanel error={months.error} onRetry={() => months.refetch()} />;
  if (rows.length === 0) return null;
  const isChosen = ({ month }: LedgerMonth) => isMonth(days, month);
  const amount = (id: "added" | "charged") => ({
    id,
    head: text.months[id],
    kind: "request" as const,
    listed: (row: LedgerMonth) => row[id],
  });
  return (
    <section aria-labelledby="ledger-months" className="mt-4 grid gap-3">
      <MonthsHead />
      <DataTable
        opens
        caption={text.months.title}
        rows={all ? rows : rows.slice(0, SHOWN)}
        rowId={({ month }) => month}
        current={isChosen}
        columns={[
          {
            id: "month",
            head: text.months.month,
            card: "title",
            cell: (row) => (
              <MonthButton
                name={nameOf(row.month)}
                pressed={isChosen(row)}
                onClick={() => onChoose(isChosen(row) ? anyDay : daysOf(row.month))}
              />
            ),
          },
          amount("added"),
          amount("charged"),
          {
            id: "requests",
            head: text.months.requests,
            end: true,
            cell: (row) => format.countFull(row.requestCount),
          },
          {
            id: "balanceAfter",
            head: text.months.balanceAfter,
            kind: "running",
            listed: (row) => row.balanceAfter,
          },
          {
            id: "statement",
            head: text.months.statement,
            end: true,
            card: "plain",
            cell: ({ month }) => <StatementLink month={month} />,
          },
        ]}
      />
      {!all && rows.length > SHOWN && (
        <Button size="sm" className="w-fit" onClick={() => setAll(true)}>
          {plural(text.months.all, rows.length, format.locale)}
        </Button>
      )}
    </section>
  );
}

function MonthsHead() {
  const text = useMessages("billing").months;
  return (
    <div className="grid gap-1">
      <h2 id="ledger-months" className="text-lg font-semibold">
        {text.title}
      </h2>
      <p className="text-sm text-muted">{fill(text.hint, { zone: useFormat().zoneLabel() })}</p>
    </div>
  );
}

function MonthButton(props: { name: string; pressed: boolean; onClick: () => void }) {
  return (
    <button type="button" className={rowNameClass} aria-pressed={props.pressed} onClick={props.onClick}>
      {props.name}
    </button>
  );
}

function StatementLink({ month }: { month: string }) {
  const text = useMessages("billing").months;
  return (
    <Link
      href={`/console/billing/statement?month=${month}`}
      aria-label={fill(text.openStatement, { month: useMonthName()(month) })}
      className="inline-flex min-h-6 min-w-6 items-center rounded-sm text-primary underline underline-offset-2"
    >
      {text.statement}
    </Link>
  );
}

/** Chooses one of the months with movements; days of one's own choice are no month. */
export function MonthFilter({ days, onChoose }: Choice) {
  const text = useMessages("billing").months;
  const months = useLedgerMonths(anyDay).data?.data ?? [];
  const nameOf = useMonthName();
  return (
    <Select
      aria-label={text.month}
      value={months.find(({ month }) => isMonth(days, month))?.month ?? ""}
      options={[
        { value: "", label: text.any },
        ...months.map(({ month }) => ({ value: month, label: nameOf(month) })),
      ]}
      onChange={({ target }) => onChoose(target.value === "" ? anyDay : daysOf(target.value))}
    />
  );
}

/** What the chosen days brought and cost, with the decimals of the ledger, so that they add up. */
export function DaysSummary({ days }: { days: LedgerDays }) {
  const text = useMessages("billing").months;
  const format = useFormat();
  const found = useLedgerMonths(days);
  const months = found.data?.data;
  if (months === undefined || months.length === 0 || found.isPlaceholderData) return null;
  const print = format.listColumn("request");
  const sum = (id: "added" | "charged") =>
    print(fromScaled(months.reduce((total, month) => total + toScaled(month[id]), 0n)));
  const requests = months.reduce((total, { requestCount }) => total + requestCount, 0);
  return (
    <p role="status" className="tabular rounded-lg border p-3 text-sm">
      {plural(text.summary, requests, format.locale, { added: sum("added"), charged: sum("charged") })}{" "}
      <span className="text-muted">
        {fill(text.balanceThen, { balance: format.listColumn("running")(months[0]?.balanceAfter ?? "0") })}
      </span>
    </p>
  );
}

function isMonth(days: LedgerDays, month: string): boolean {
  const { from, to } = daysOf(month);
  return days.from === from && days.to === to;
}
