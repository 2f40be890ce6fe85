"use client";

import { Download, Printer } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { withQuery } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import type { AccountStatement, Profile } from "../api/types";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useMonthName } from "../i18n/month-name";
import { useFormat, useMessages } from "../i18n/provider";
import { Button, buttonClass } from "../ui/button";
import { Facts, PageHeader } from "../ui/card";
import { Select } from "../ui/field";
import { ButtonLink } from "../ui/link";
import { Skeleton } from "../ui/states";
import { MonthState } from "./month-state";
import { Lines } from "./statement-tables";

/** An account's month with all that changed its balance, made to be printed. */
export function StatementPage() {
  const self = useRead("GET /api/user/self");
  const months = useRead("GET /api/user/statements");
  const [wanted, setMonth] = useQueryState("month", parseAsString);
  const failed = [self, months].find(({ isError }) => isError);
  if (failed !== undefined) return <ErrorPanel error={failed.error} onRetry={() => failed.refetch()} />;
  if (self.data === undefined || months.data === undefined) return <Skeleton className="h-96" />;
  const names = months.data.data.map(({ month }) => month);
  const month = names.find((one) => one === wanted) ?? names[0];
  if (month === undefined) return null;
  return <StatementOf self={self.data} months={names} month={month} onMonth={setMonth} />;
}

function StatementOf(props: {
  self: Profile;
  months: string[];
  month: string;
  onMonth: (month: string) => void;
}) {
  const text = useMessages("statement");
  const nameOf = useMonthName();
  const { month } = props;
  const read = useRead(
    "GET /api/user/statements/{month}",
    { params: { month } },
    { placeholderData: undefined },
  );
  return (
    <>
      <div className="print:hidden">
        <PageHeader
          title={text.title}
          lead={text.lead}
          actions={<Actions {...props} ready={read.isSuccess} />}
        />
      </div>
      {read.isError && <ErrorPanel error={read.error} onRetry={() => read.refetch()} />}
      {read.isPending && <Skeleton className="h-96" />}
      {read.data !== undefined && (
        <article aria-label={fill(text.of, { month: nameOf(month) })} className="grid gap-6">
          <Head self={props.self} statement={read.data} at={read.dataUpdatedAt} />
          <Lines statement={read.data} />
        </article>
      )}
    </>
  );
}

function Actions(props: {
  months: string[];
  month: string;
  onMonth: (month: string) => void;
  ready: boolean;
}) {
  const text = useMessages("statement");
  const common = useMessages("common");
  const nameOf = useMonthName();
  const { month } = props;
  return (
    <>
      <div className="w-full sm:w-44">
        <Select
          aria-label={text.month}
          value={month}
          options={props.months.map((value) => ({ value, label: nameOf(value) }))}
          onChange={({ target }) => props.onMonth(target.value)}
        />
      </div>
      <a
        className={buttonClass()}
        href={withQuery(`/api/user/statements/${month}/export`, { bom: true })}
        download
      >
        <Download aria-hidden className="size-4" />
        {common.downloadCsv}
      </a>
      <Button disabled={!props.ready} onClick={() => window.print()}>
        <Printer aria-hidden className="size-4" />
        {text.print}
      </Button>
      <ButtonLink href="/console/billing">{text.back}</ButtonLink>
    </>
  );
}

function Head(props: { self: Profile; statement: AccountStatement; at: number }) {
  const text = useMessages("statement");
  const common = useMessages("common");
  const format = useFormat();
  const nameOf = useMonthName();
  const { username, name, id } = props.self;
  const { month, timezone, closedAt, sha256 } = props.statement;
  const moment = (date: Date | string) => `${format.dateTime(date)} ${format.zoneLabel()}`;
  return (
    <header className="grid gap-3">
      <h2 className="text-lg font-semibold">
        <span className="hidden print:inline">{common.productName} · </span>
        {fill(text.of, { month: nameOf(month) })}
      </h2>
      <Facts
        rows={[
          [text.account, name === "" || name === username ? username : `${name} (${username})`],
          [text.accountId, <code key="id">{id}</code>],
          [text.month, `${nameOf(month)}, ${timezone}`],
          [text.issued, moment(new Date(props.at))],
          ...(closedAt === null ? [] : [[text.closed, moment(closedAt)] satisfies [string, string]]),
          ...(sha256 === null
            ? []
            : [[text.checksum, <code key="checksum">{sha256}</code>] satisfies [string, React.ReactNode]]),
        ]}
      />
      <MonthState statement={props.statement} at={props.at} />
    </header>
  );
}
