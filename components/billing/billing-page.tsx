"use client";

import { parseAsString, parseAsStringLiteral } from "nuqs";
import { fromScaled, ratio, toScaled } from "@/lib/shared/decimal";
import { ErrorPanel } from "../api/error-panel";
import { useShell } from "../api/shell-facts";
import type { Profile } from "../api/types";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { ExportLink } from "../lists/export-link";
import { List, useListSource } from "../lists/list-page";
import { useListState } from "../lists/list-state";
import { PAGE_SIZE } from "../lists/page-size";
import { PageHeader } from "../ui/card";
import { Contact } from "../ui/contact";
import { Kpi } from "../ui/kpi";
import { ButtonLink } from "../ui/link";
import { Meter } from "../ui/meter";
import { Skeleton } from "../ui/states";
import { DaysSummary, LedgerMonths, MonthFilter } from "./ledger-months";
import { LedgerTable } from "./ledger-table";

/** The balance and its ledger. */
export function BillingPage() {
  const text = useMessages("billing");
  const self = useRead("GET /api/user/self");
  return (
    <>
      <PageHeader
        compact
        title={text.title}
        lead={text.lead}
        actions={
          <>
            <ButtonLink href="/console/billing/statement">{text.monthStatement}</ButtonLink>
            <ButtonLink href="/console/usage">{text.seeUsage}</ButtonLink>
          </>
        }
      />
      <div className="grid gap-4">
        {self.isError && <ErrorPanel error={self.error} onRetry={() => self.refetch()} />}
        {self.isPending && <Skeleton className="h-40" />}
        {self.data !== undefined && <Balance self={self.data} />}
        <Ledger />
      </div>
    </>
  );
}

function Balance(props: { self: Profile }) {
  const text = useMessages("billing");
  const format = useFormat();
  const { contact } = useShell();
  const { quota, usedExact, heldExact, requestCount } = props.self;
  const remaining = fromScaled(toScaled(quota) - toScaled(usedExact));
  const spent = format.spent(usedExact, quota);
  const words = fill(text.usedShare, spent);
  const exactNote = (exact: string, shown: string) =>
    exact === shown ? undefined : fill(text.exactly, { amount: exact });
  // A debt is told to the last digit: rounded down it would differ from the amount below it.
  const left = toScaled(remaining) < 0n ? format.moneyExact(remaining) : format.left(remaining);
  return (
    <div className="grid gap-3">
      <div className="kpi-grid">
        <Kpi label={text.remaining} value={left} note={exactNote(format.moneyExact(remaining), left)} />
        <Kpi
          label={text.used}
          value={spent.used}
          note={exactNote(format.moneyExact(usedExact), spent.used)}
        />
        <Kpi label={text.quota} value={spent.quota} />
        <Kpi label={text.requests} value={format.countFull(Number(requestCount))} />
      </div>
      <div className="grid gap-2 rounded-lg border p-4">
        <div className="tabular flex flex-wrap justify-between gap-x-4 text-sm">
          <span>{words}</span>
          {toScaled(heldExact) > 0n && (
            <span className="text-muted" title={format.moneyExact(heldExact)}>
              {text.held}: {format.money(heldExact)}
            </span>
          )}
        </div>
        <Meter share={ratio(usedExact, quota)} label={text.balance} text={words} />
        <p className="text-sm text-muted">
          {text.askAdmin}
          {contact !== null && (
            <>
              {" "}
              <Contact contact={contact} />
            </>
          )}
        </p>
      </div>
    </div>
  );
}

const types = ["charge", "grant", "adjustment", "invite", "signup"] as const;
const filterParsers = { type: parseAsStringLiteral(types), from: parseAsString, to: parseAsString };

function Ledger() {
  const text = useMessages("billing");
  const list = useListState(filterParsers);
  const { type, ...days } = list.url;
  const months = { days, onChoose: list.set };
  const ledger = useRead("GET /api/user/ledger", {
    query: { type, ...days, cursor: list.cursor, tz: useFormat().timeZone, pageSize: PAGE_SIZE },
  });
  return (
    <>
      <LedgerMonths {...months} />
      <section aria-labelledby="ledger" className="mt-4 grid gap-3">
        <div className="flex flex-wrap items-end justify-between gap-3">
          <div className="grid gap-1">
            <h2 id="ledger" className="text-lg font-semibold">
              {text.ledger}
            </h2>
            <p className="text-sm text-muted">{text.ledgerHint}</p>
          </div>
          <ExportLink path="/api/user/ledger/export" query={{ type, ...days }} />
        </div>
        <List
          byCursor
          hasColumns
          state={list}
          filters={[
            { kind: "other", name: "to", element: <MonthFilter {...months} /> },
            { kind: "dates", from: "from", to: "to", unit: "day", labels: text.days },
            {
              kind: "select",
              name: "type",
              label: text.columns.type,
              options: types.map((value) => ({ value, label: text.types[value] })),
            },
          ]}
          source={useListSource(ledger)}
          notice={(days.from !== null || days.to !== null) && <DaysSummary days={days} />}
          empty={text.empty}
        >
          {(rows) => <LedgerTable rows={rows} />}
        </List>
      </section>
    </>
  );
}
