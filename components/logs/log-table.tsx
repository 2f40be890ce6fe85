"use client";

import { Radio } from "lucide-react";
import { ratio } from "../i18n/decimal";
import { useFormat, useMessages } from "../i18n/provider";
import { type Column, DataTable } from "../ui/data-table";
import { Link } from "../ui/link";
import type { LogRow } from "./log-rows";
import { LogStatus } from "./log-status";

/** Requests, newest first; narrow tables leave columns out by priority. */
export function LogTable(props: {
  rows: LogRow[];
  hrefOf: (requestId: string) => string;
  current: string | null;
}) {
  const text = useMessages("logs");
  return (
    <DataTable
      caption={text.caption}
      columns={useLogColumns(props.rows, props.hrefOf)}
      rows={props.rows}
      rowId={(row) => row.requestId}
      current={(row) => row.requestId === props.current}
    />
  );
}

function useLogColumns(rows: LogRow[], hrefOf: (requestId: string) => string): Column<LogRow>[] {
  const text = useMessages("logs");
  const format = useFormat();
  const { columns } = text;
  const slowest = Math.max(1, ...rows.map((row) => row.latencyMs));
  const forAdmin = rows.some((row) => row.username !== undefined);
  return [
    {
      id: "time",
      head: columns.time,
      className: "whitespace-nowrap",
      cell: (row) => (
        <Link
          href={hrefOf(row.requestId)}
          scroll={false}
          title={format.dateTime(row.createdAt)}
          className="tabular inline-flex min-h-6 items-center gap-2 rounded-sm text-primary underline-offset-2 hover:underline pointer-coarse:min-h-11"
        >
          <time dateTime={row.createdAt} className="inline-flex gap-2">
            <span className="text-muted">{format.dayShort(row.createdAt)}</span>
            {format.time(row.createdAt)}
          </time>
        </Link>
      ),
    },
    { id: "status", head: columns.status, card: "corner", cell: (row) => <StatusCell row={row} /> },
    {
      id: "model",
      head: columns.model,
      card: "wide",
      className: "max-w-56 truncate font-mono",
      cell: (row) => <span title={row.model}>{row.model}</span>,
    },
    ...(forAdmin ? adminColumns(columns) : []),
    {
      id: "key",
      head: columns.key,
      from: "lg",
      className: "max-w-44 truncate",
      cell: (row) => <span title={row.keyPrefix}>{row.tokenName}</span>,
    },
    {
      id: "tokens",
      head: columns.tokens,
      end: true,
      from: "lg",
      cell: (row) => `${format.countFull(row.promptTokens)} / ${format.countFull(row.completionTokens)}`,
    },
    { id: "cost", head: columns.cost, money: (row) => row.cost },
    { id: "ttft", head: columns.ttft, end: true, from: "xl", cell: (row) => format.duration(row.ttftMs) },
    {
      id: "duration",
      head: columns.duration,
      end: true,
      cell: (row) => <Duration ms={row.latencyMs} share={ratio(row.latencyMs, slowest)} />,
    },
    {
      id: "stream",
      head: columns.stream,
      from: "lg",
      card: "none",
      cell: (row) => row.stream && <Radio aria-label={text.streamed} className="size-4 text-muted" />,
    },
  ];
}

function adminColumns(columns: { user: string; node: string }): Column<LogRow>[] {
  return [
    { id: "user", head: columns.user, className: "max-w-40 truncate", cell: (row) => row.username },
    {
      id: "node",
      head: columns.node,
      from: "xl",
      className: "max-w-44 truncate text-muted",
      cell: (row) => row.node || "–",
    },
  ];
}

function StatusCell(props: { row: LogRow }) {
  const { errorCode } = props.row;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 md:flex-nowrap md:whitespace-nowrap">
      <LogStatus entry={props.row} />
      {errorCode !== null && <span className="font-mono text-xs text-muted">{errorCode}</span>}
    </span>
  );
}

function Duration(props: { ms: number; share: number }) {
  const format = useFormat();
  return (
    <span className="inline-flex items-center justify-end gap-2 whitespace-nowrap">
      {format.duration(props.ms)}
      <span aria-hidden className="h-1 w-12 overflow-hidden rounded-full bg-line max-xl:hidden">
        <span className="block h-full bg-control" style={{ width: `${props.share * 100}%` }} />
      </span>
    </span>
  );
}
