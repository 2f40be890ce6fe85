"use client";

import type { ReactNode } from "react";
import { fromScaled, toScaled } from "@/lib/shared/decimal";
import type { AccountStatement } from "../api/types";
import { fill } from "../i18n/fill";
import { useKeyName } from "../i18n/key-name";
import { useModelName } from "../i18n/model-name";
import { useMonthName } from "../i18n/month-name";
import { useFormat, useMessages } from "../i18n/provider";
import type { Column } from "../ui/columns";
import { DataTable } from "../ui/data-table";
import { creditsOf, linesOf, promptTokensOf, type UsageLine } from "./statement";

/** The tables of a statement; that of a project has no balances and no grants. */
export function Lines({ statement }: { statement: AccountStatement }) {
  const text = useMessages("statement");
  const { parts } = text;
  const keyName = useKeyName();
  const modelName = useModelName();
  const { models, keys, late, totals } = statement;
  const nameOf = (name: (line: UsageLine) => string) => (line: UsageLine) =>
    line.id === "others" ? text.others : name(line);
  const model = nameOf(({ name }) => modelName(name));
  const key = nameOf(({ id, name, keyPrefix }) => keyName(name) || (keyPrefix ?? id));
  const own = subtracted(totals, linesOf(late));
  return (
    <>
      {statement.opening !== null && (
        <>
          <Part title={text.summary}>
            <Summary statement={statement} />
          </Part>
          <Part title={text.movements}>
            {statement.grants.length === 0 ? (
              <p className="text-sm text-muted">{text.noMovements}</p>
            ) : (
              <Movements rows={statement.grants} />
            )}
          </Part>
        </>
      )}
      {own.requestCount === 0 ? (
        <p className="text-sm text-muted">{text.noUsage}</p>
      ) : (
        <>
          <Part title={parts.models}>
            <Usage caption={parts.models} rows={linesOf(models)} all={own} nameOf={model} />
          </Part>
          <Part title={parts.keys}>
            <Usage caption={parts.keys} rows={linesOf(keys)} all={own} nameOf={key} />
          </Part>
        </>
      )}
      {late.rows.length > 0 && (
        <Part title={parts.late}>
          <p className="text-sm text-muted">{text.lateNote}</p>
          <Usage
            caption={parts.late}
            rows={linesOf(late)}
            all={subtracted(totals, [own])}
            nameOf={model}
            ofMonth
          />
        </Part>
      )}
      <p className="text-xs text-muted">{fill(text.note, { zone: statement.timezone })}</p>
    </>
  );
}

/** What is left of sums without lines that are in them, as a line. */
function subtracted(totals: AccountStatement["totals"], lines: AccountStatement["totals"][]): UsageLine {
  const all: UsageLine = { ...totals, id: "total", name: "", keyPrefix: null, ofMonth: null };
  for (const line of lines) {
    all.requestCount -= line.requestCount;
    all.inputTokens -= line.inputTokens;
    all.cacheReadTokens -= line.cacheReadTokens;
    all.cacheWriteTokens -= line.cacheWriteTokens;
    all.outputTokens -= line.outputTokens;
    all.cost = fromScaled(toScaled(all.cost) - toScaled(line.cost));
  }
  return all;
}

function Part(props: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold">{props.title}</h3>
      {props.children}
    </section>
  );
}

function Summary({ statement }: { statement: AccountStatement }) {
  const text = useMessages("statement");
  const { types } = useMessages("billing");
  const { parts } = text;
  const lines = [
    { id: "opening", name: parts.opening, amount: statement.opening },
    ...creditsOf(statement).map(({ type, amount }) => ({ id: type, name: types[type], amount })),
    ...(statement.otherGrants === "0"
      ? []
      : [{ id: "others", name: parts.others, amount: statement.otherGrants }]),
    { id: "usage", name: types.charge, amount: fromScaled(-toScaled(statement.totals.cost)) },
  ];
  return (
    <DataTable
      caption={text.summary}
      rows={lines}
      rowId={({ id }) => id}
      total={{ id: "closing", name: parts.closing, amount: statement.closing }}
      columns={[
        { id: "name", head: text.line, cell: ({ name }) => name },
        { id: "amount", head: text.columns.amount, card: "corner", rate: ({ amount }) => amount },
      ]}
    />
  );
}

function Movements({ rows }: { rows: AccountStatement["grants"] }) {
  const text = useMessages("statement");
  const { types } = useMessages("billing");
  const format = useFormat();
  return (
    <DataTable
      caption={text.movements}
      rows={rows}
      rowId={({ id }) => id}
      columns={[
        {
          id: "date",
          head: text.columns.date,
          card: "plain",
          className: "whitespace-nowrap",
          cell: ({ createdAt }) => (
            <time dateTime={createdAt}>
              {new Intl.DateTimeFormat(format.locale, {
                dateStyle: "medium",
                timeStyle: "short",
                hourCycle: "h23",
                timeZone: format.timeZone,
              }).format(new Date(createdAt))}
            </time>
          ),
        },
        { id: "type", head: text.columns.part, card: "title", cell: ({ type }) => types[type] },
        {
          id: "reason",
          head: text.columns.name,
          card: "line",
          className: "min-w-32 wrap-anywhere",
          cell: ({ reason }) => (reason === "" ? "–" : reason),
        },
        { id: "amount", head: text.columns.amount, card: "corner", rate: ({ amount }) => amount },
      ]}
    />
  );
}

function Usage(props: {
  caption: string;
  rows: UsageLine[];
  all: UsageLine;
  nameOf: (line: UsageLine) => string;
  /** With the month of the requests. */
  ofMonth?: boolean;
}) {
  const text = useMessages("statement");
  const format = useFormat();
  const monthName = useMonthName();
  const monthColumn: Column<UsageLine> = {
    id: "month",
    head: text.month,
    cell: ({ ofMonth }) => (ofMonth === null ? "" : monthName(ofMonth)),
  };
  const number = (
    id: "requests" | "input" | "output",
    read: (row: UsageLine) => number,
  ): Column<UsageLine> => ({
    id,
    head: text.columns[id],
    end: true,
    cell: (row) => format.countFull(read(row)),
  });
  return (
    <DataTable
      caption={props.caption}
      rows={props.rows}
      rowId={({ id }) => id}
      total={props.all}
      columns={[
        {
          id: "name",
          head: text.columns.name,
          className: "min-w-32 wrap-anywhere",
          cell: (row) => (row === props.all ? text.total : <Name row={row} name={props.nameOf(row)} />),
        },
        ...(props.ofMonth === true ? [monthColumn] : []),
        number("requests", (row) => row.requestCount),
        number("input", promptTokensOf),
        number("output", (row) => row.outputTokens),
        { id: "amount", head: text.columns.amount, card: "corner", rate: ({ cost }) => cost },
      ]}
    />
  );
}

function Name({ row, name }: { row: UsageLine; name: string }) {
  return (
    <>
      {name}
      {row.keyPrefix !== null && row.keyPrefix !== name && (
        <span className="ml-2 font-mono text-xs text-muted">{row.keyPrefix}…</span>
      )}
    </>
  );
}
