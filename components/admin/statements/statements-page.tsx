"use client";

import { Download } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { AdminStatement } from "../../api/admin/types";
import { withQuery } from "../../api/client";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import { useMonthName } from "../../i18n/month-name";
import { useFormat, useMessages } from "../../i18n/provider";
import { buttonClass } from "../../ui/button";
import { PageHeader } from "../../ui/card";
import { Select } from "../../ui/field";
import { Segmented } from "../../ui/segmented";
import { Note, Skeleton } from "../../ui/states";
import { StatementSums } from "./statement-sums";

const groups = ["account", "project", "costCentre"] as const satisfies readonly AdminStatement["by"][];

/** What all accounts have used in a month, by account, project or cost centre, and its files. */
export function StatementsPage() {
  const text = useMessages("adminStatements");
  const common = useMessages("common");
  const [{ month: wanted, by }, choose] = useQueryStates({
    month: parseAsString,
    by: parseAsStringLiteral(groups).withDefault("account"),
  });
  const months = useRead("GET /api/admin/statements");
  const names = months.data?.data.map(({ month }) => month) ?? [];
  const month = names.find((one) => one === wanted) ?? names[0];
  const isMissing = wanted !== null && months.data !== undefined && month !== wanted;
  const nameOf = useMonthName();
  return (
    <>
      <PageHeader
        title={text.title}
        lead={text.lead}
        actions={month !== undefined && <Files month={month} />}
      />
      <QueryRegion query={months} skeleton={<StatementSkeleton label={common.loading} />}>
        {() =>
          month !== undefined && (
            <div className="grid gap-4">
              {isMissing && <Note tone="warning">{fill(text.noMonth, { month: wanted })}</Note>}
              <div className="flex flex-wrap items-center gap-2">
                <div className="w-full sm:w-44">
                  <Select
                    aria-label={text.month}
                    value={month}
                    options={names.map((value) => ({ value, label: nameOf(value) }))}
                    onChange={({ target }) => void choose({ month: target.value })}
                  />
                </div>
                <Segmented
                  className="w-fit"
                  label={text.group}
                  value={by}
                  onChange={(next) => void choose({ by: next })}
                  options={groups.map((value) => ({ value, label: text.by[value] }))}
                />
              </div>
              <MonthOf month={month} by={by} />
            </div>
          )
        }
      </QueryRegion>
    </>
  );
}

function MonthOf(props: { month: string; by: AdminStatement["by"] }) {
  const common = useMessages("common");
  const { month, by } = props;
  const statement = useRead("GET /api/admin/statements/{month}", { params: { month }, query: { by } });
  return (
    <QueryRegion query={statement} keepsOther skeleton={<StatementSkeleton label={common.loading} />}>
      {(data) => (
        <div className="grid gap-4">
          <State statement={data} />
          <StatementSums statement={data} />
        </div>
      )}
    </QueryRegion>
  );
}

/** Until when the month is open, or since when it is closed, with its checksum. */
function State({ statement }: { statement: AdminStatement }) {
  const text = useMessages("adminStatements");
  const format = useFormat();
  const { closesAt, closedAt, sha256, timezone } = statement;
  const moment = (iso: string) => `${format.dateTime(iso)} ${format.zoneLabel()}`;
  if (closesAt !== null)
    return (
      <p role="status" className="text-sm text-muted">
        {fill(text.open, { closes: moment(closesAt), zone: timezone })}
      </p>
    );
  return (
    <div className="grid gap-1 text-sm text-muted">
      <p role="status">{fill(text.closed, { at: moment(closedAt ?? ""), zone: timezone })}</p>
      <p className="wrap-anywhere" title={text.checksumHint}>
        {text.checksum} <code>{sha256}</code>
      </p>
    </div>
  );
}

/** The files of a month, with all lines. */
function Files({ month }: { month: string }) {
  const text = useMessages("adminStatements");
  const common = useMessages("common");
  const link = (kind: "export" | "focus") =>
    withQuery(`/api/admin/statements/${month}/${kind}`, { bom: kind === "export" ? true : null });
  return (
    <>
      <a className={buttonClass()} href={link("export")} title={text.linesHint} download>
        <Download aria-hidden className="size-4" />
        {common.downloadCsv}
      </a>
      <a className={buttonClass()} href={link("focus")} title={text.focusHint} download>
        <Download aria-hidden className="size-4" />
        {text.focus}
      </a>
    </>
  );
}

function StatementSkeleton(props: { label: string }) {
  return (
    <div aria-busy="true" className="grid gap-4">
      <span className="sr-only" role="status">
        {props.label}
      </span>
      <Skeleton className="h-24" />
      <Skeleton className="h-80" />
    </div>
  );
}
