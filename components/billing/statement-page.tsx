"use client";

import { useQuery } from "@tanstack/react-query";
import { Download, Printer } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { ErrorPanel } from "../api/error-panel";
import { keyUnder } from "../api/read";
import type { Profile } from "../api/types";
import { useRead } from "../api/use-read";
import { downloadCsv } from "../charts/csv";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Facts, PageHeader } from "../ui/card";
import { Select } from "../ui/field";
import { ButtonLink } from "../ui/link";
import { Skeleton } from "../ui/states";
import { useMonthName } from "./ledger-months";
import { monthsSince, readStatement, statementFile } from "./statement";
import { Lines, useWords } from "./statement-tables";

/** An account's month with all that changed its balance, made to be printed. */
export function StatementPage() {
  const self = useRead("GET /api/user/self");
  const format = useFormat();
  const [wanted, setMonth] = useQueryState("month", parseAsString);
  if (self.isError) return <ErrorPanel error={self.error} onRetry={() => self.refetch()} />;
  if (self.data === undefined) return <Skeleton className="h-96" />;
  const months = monthsSince(self.data.createdAt, format.now(), format.timeZone);
  const month = months.find((one) => one === wanted) ?? months[0];
  if (month === undefined) return null;
  return <StatementOf self={self.data} months={months} month={month} onMonth={setMonth} />;
}

function StatementOf(props: {
  self: Profile;
  months: string[];
  month: string;
  onMonth: (month: string) => void;
}) {
  const text = useMessages("statement");
  const common = useMessages("common");
  const nameOf = useMonthName();
  const { month, months } = props;
  const { timeZone } = useFormat();
  const words = useWords();
  const read = useQuery({
    queryKey: [...keyUnder("/api/user/ledger"), "statement", month, timeZone],
    queryFn: async ({ signal }) => ({
      statement: await readStatement(month, timeZone, signal),
      at: Date.now(),
    }),
  });
  return (
    <>
      <div className="print:hidden">
        <PageHeader
          title={text.title}
          lead={text.lead}
          actions={
            <>
              <div className="w-full sm:w-44">
                <Select
                  aria-label={text.month}
                  value={month}
                  options={months.map((value) => ({ value, label: nameOf(value) }))}
                  onChange={({ target }) => props.onMonth(target.value)}
                />
              </div>
              <Button
                disabled={read.data === undefined}
                onClick={() =>
                  read.data &&
                  downloadCsv(
                    `tollgate-statement-${month}.csv`,
                    statementFile(month, read.data.statement, words),
                  )
                }
              >
                <Download aria-hidden className="size-4" />
                {common.downloadCsv}
              </Button>
              <Button disabled={read.data === undefined} onClick={() => window.print()}>
                <Printer aria-hidden className="size-4" />
                {text.print}
              </Button>
              <ButtonLink href="/console/billing">{text.back}</ButtonLink>
            </>
          }
        />
      </div>
      {read.isError && <ErrorPanel error={read.error} onRetry={() => read.refetch()} />}
      {read.isPending && <Skeleton className="h-96" />}
      {read.data !== undefined && (
        <article aria-label={fill(text.of, { month: nameOf(month) })} className="grid gap-6">
          <Head self={props.self} month={month} at={read.data.at} running={month === months[0]} />
          <Lines statement={read.data.statement} words={words} />
        </article>
      )}
    </>
  );
}

function Head(props: { self: Profile; month: string; at: number; running: boolean }) {
  const text = useMessages("statement");
  const common = useMessages("common");
  const format = useFormat();
  const nameOf = useMonthName();
  const { username, name, id } = props.self;
  const at = `${format.dateTime(new Date(props.at))} ${format.zoneLabel()}`;
  return (
    <header className="grid gap-3">
      <h2 className="text-lg font-semibold">
        <span className="hidden print:inline">{common.productName} · </span>
        {fill(text.of, { month: nameOf(props.month) })}
      </h2>
      <Facts
        rows={[
          [text.account, name === "" || name === username ? username : `${name} (${username})`],
          [text.accountId, <code key="id">{id}</code>],
          [text.month, `${nameOf(props.month)}, ${format.zoneLabel()}`],
          [text.issued, at],
        ]}
      />
      {props.running && <p className="text-sm text-muted">{fill(text.running, { at })}</p>}
    </header>
  );
}
