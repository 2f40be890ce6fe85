"use client";

import type { ReactNode } from "react";
import { fromScaled, toScaled } from "@/lib/shared/decimal";
import type { LedgerEntry } from "../api/types";
import { fill } from "../i18n/fill";
import { useKeyName } from "../i18n/key-name";
import { useModelName } from "../i18n/model-name";
import { useFormat, useMessages } from "../i18n/provider";
import type { Column } from "../ui/columns";
import { DataTable } from "../ui/data-table";
import { creditsOf, type Statement, type UsageLine } from "./statement";

type Words = ReturnType<typeof useWords>;

/** The words of a statement and of its file. */
export function useWords() {
  const text = useMessages("statement");
  const { types } = useMessages("billing");
  const keyName = useKeyName();
  const modelName = useModelName();
  return {
    columns: text.columns,
    parts: text.parts,
    typeOf: (type: LedgerEntry["type"]) => types[type],
    nameOf: {
      model: ({ name }: UsageLine) => modelName(name),
      key: ({ id, name, keyPrefix }: UsageLine) =>
        id === "others" ? text.otherKeys : keyName(name) || (keyPrefix ?? id),
    },
  };
}

/** The tables of a statement. */
export function Lines({ statement, words }: { statement: Statement; words: Words }) {
  const text = useMessages("statement");
  const { parts, nameOf } = words;
  return (
    <>
      <Part title={text.summary}>
        <Summary statement={statement} words={words} />
      </Part>
      <Part title={text.movements}>
        {statement.movements.length === 0 ? (
          <p className="text-sm text-muted">{text.noMovements}</p>
        ) : (
          <Movements rows={statement.movements} words={words} />
        )}
      </Part>
      {statement.usage.requestCount === 0 ? (
        <p className="text-sm text-muted">{text.noUsage}</p>
      ) : (
        <>
          <Part title={parts.models}>
            <Usage
              caption={parts.models}
              rows={statement.models}
              all={statement.usage}
              nameOf={nameOf.model}
            />
          </Part>
          <Part title={parts.keys}>
            <Usage caption={parts.keys} rows={statement.keys} all={statement.usage} nameOf={nameOf.key} />
          </Part>
        </>
      )}
      <p className="text-xs text-muted">{fill(text.note, { zone: useFormat().zoneLabel() })}</p>
    </>
  );
}

function Part(props: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold">{props.title}</h3>
      {props.children}
    </section>
  );
}

function Summary({ statement, words: { parts, typeOf } }: { statement: Statement; words: Words }) {
  const text = useMessages("statement");
  const lines = [
    { id: "opening", name: parts.opening, amount: statement.opening },
    ...creditsOf(statement).map(({ type, amount }) => ({ id: type, name: typeOf(type), amount })),
    ...(statement.others === "0" ? [] : [{ id: "others", name: parts.others, amount: statement.others }]),
    { id: "usage", name: typeOf("charge"), amount: fromScaled(-toScaled(statement.usage.cost)) },
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

function Movements({ rows, words }: { rows: LedgerEntry[]; words: Words }) {
  const text = useMessages("statement");
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
        { id: "type", head: text.columns.part, card: "title", cell: ({ type }) => words.typeOf(type) },
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
}) {
  const text = useMessages("statement");
  const format = useFormat();
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
        number("requests", (row) => row.requestCount),
        number("input", (row) => row.promptTokens),
        number("output", (row) => row.completionTokens),
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
