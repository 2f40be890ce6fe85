"use client";

import { Radio } from "lucide-react";
import type { ReactNode } from "react";
import { ratio } from "@/lib/shared/decimal";
import { fill, plural } from "../i18n/fill";
import type { Format } from "../i18n/format";
import { useKeyName } from "../i18n/key-name";
import type { Messages } from "../i18n/messages";
import { useModelName } from "../i18n/model-name";
import { useFormat, useMessages } from "../i18n/provider";
import type { FilterTexts } from "../lists/filters";
import { SortSelect } from "../lists/row-order";
import { cn } from "../ui/cn";
import type { Column } from "../ui/columns";
import { DataTable } from "../ui/data-table";
import { Link } from "../ui/link";
import { logSorts } from "./log-query";
import type { LogRow } from "./log-rows";
import { LogStatus, useEnd } from "./log-status";
import { CellNarrowing } from "./narrowing";
import { type LogFilterName, type LogOrder, logSortBy, type UrlLogFilters } from "./use-log-filters";

/** Requests; narrow tables leave columns out by priority. */
export function LogTable(props: {
  rows: LogRow[];
  /** The filters that a cell narrows, the order that the heads change and the open request; without them there are none. */
  filters?: UrlLogFilters;
  hrefOf: (requestId: string) => string;
}) {
  const text = useMessages("logs");
  const { filters } = props;
  const order = filters?.order;
  const columns = useLogColumns(props.rows, props.hrefOf, filters?.list);
  return (
    <DataTable
      opens
      list="log"
      caption={text.caption}
      columns={order === undefined ? columns : columns.map((column) => sortable(column, order))}
      rows={props.rows}
      rowId={(row) => row.requestId}
      current={(row) => row.requestId === filters?.url.request}
    />
  );
}

/** The order of cards, which have no heads to sort by. */
export function LogSortSelect({ order }: { order: LogOrder }) {
  const { columns } = useMessages("logs");
  const options = logSorts.map((value) => ({ value, label: columns[sortColumns[value]] }));
  return <SortSelect order={order} options={options} />;
}

/** The columns that sort the log, by what it is sorted by. */
const sortColumns = { cost: "cost", latencyMs: "duration", totalTokens: "tokens" } as const;

function sortable(column: Column<LogRow>, order: LogOrder): Column<LogRow> {
  const sort = column.id === "time" ? null : logSorts.find((name) => sortColumns[name] === column.id);
  return sort === undefined ? column : { ...column, sort: logSortBy(order, sort) };
}

function useLogColumns(
  rows: LogRow[],
  hrefOf: (requestId: string) => string,
  list: FilterTexts<LogFilterName> | undefined,
): Column<LogRow>[] {
  const text = useMessages("logs");
  const format = useFormat();
  const keyName = useKeyName();
  const modelName = useModelName();
  const endOf = useEnd();
  const narrow = makeNarrow(list);
  const { columns } = text;
  const slowest = Math.max(1, ...rows.map((row) => row.latencyMs));
  const forAdmin = rows.some((row) => row.username !== undefined);
  return [
    { ...timeColumn, head: columns.time, cell: (row) => <TimeLink row={row} href={hrefOf(row.requestId)} /> },
    {
      ...statusColumn,
      head: columns.status,
      cell: (row) => <StatusCell row={row} />,
      beside: narrow("outcome", endOf),
    },
    {
      id: "model",
      head: columns.model,
      card: "title",
      className: cn(narrowable, "max-w-40 truncate"),
      cell: ({ model }) => <NameCell name={modelName(model)} className="font-mono" />,
      beside: narrow("model", ({ model }) => ({ value: model, name: modelName(model) })),
    },
    ...(forAdmin ? adminColumns(text, narrow) : []),
    {
      id: "key",
      head: columns.key,
      from: forAdmin ? "2xl" : "lg",
      card: forAdmin ? "none" : "plain",
      className: cn(narrowable, "max-w-32 truncate"),
      cell: (row) => <NameCell name={keyName(row.tokenName)} title={row.keyPrefix} />,
      beside: narrow("key", (row) => ({ value: row.tokenId, name: keyName(row.tokenName) })),
    },
    {
      id: "tokens",
      head: columns.tokens,
      end: true,
      from: "lg",
      cell: (row) => `${format.countFull(row.promptTokens)} / ${format.countFull(row.completionTokens)}`,
    },
    { id: "cost", head: columns.cost, card: "corner", kind: "request", listed: (row) => row.cost },
    {
      ...firstTokenColumn,
      from: forAdmin ? "3xl" : "xl",
      head: columns.ttft,
      cell: (row) => format.duration(row.ttftMs),
    },
    {
      id: "duration",
      head: columns.duration,
      end: true,
      card: "plain",
      cell: (row) => <Duration ms={row.latencyMs} share={ratio(row.latencyMs, slowest)} />,
    },
    ...(forAdmin ? [] : [streamColumn(columns.stream, text.streamed)]),
    ...extraColumns(text, format),
  ];
}

/** What most readers look up in the details of a request only. */
function extraColumns({ columns }: Messages["logs"], format: Format): Column<LogRow>[] {
  const count = (id: string, head: string, of: (row: LogRow) => number): Column<LogRow> => ({
    id,
    head,
    end: true,
    extra: true,
    cell: (row) => format.countFull(of(row)),
  });
  return [
    count("cacheRead", columns.cacheRead, (row) => row.cacheReadTokens),
    count("reasoning", columns.reasoning, (row) => row.reasoningTokens),
    {
      id: "protocol",
      head: columns.protocol,
      extra: true,
      className: "font-mono text-xs",
      cell: (row) => row.protocol,
    },
    { id: "http", head: columns.http, end: true, extra: true, cell: (row) => row.httpStatus ?? "–" },
    {
      id: "id",
      head: columns.id,
      extra: true,
      className: "font-mono text-xs whitespace-nowrap",
      cell: (row) => row.requestId,
    },
  ];
}

/** Of a cell with a button over its end, which is shown while the pointer is there. */
const narrowable = "group relative";

const timeColumn = { id: "time", card: "plain", className: "whitespace-nowrap" } as const;
const statusColumn = { id: "status", card: "plain", className: narrowable } as const;
const firstTokenColumn = { id: "ttft", end: true, card: "none" } as const;

function streamColumn(head: string, streamed: string): Column<LogRow> {
  return {
    id: "stream",
    head,
    from: "2xl",
    card: "none",
    cell: (row) => row.stream && <Radio aria-label={streamed} className="size-4 text-muted" />,
  };
}

function adminColumns(text: Messages["logs"], narrow: Narrow): Column<LogRow>[] {
  const { columns } = text;
  return [
    {
      id: "user",
      head: columns.user,
      card: "plain",
      className: cn(narrowable, "max-w-28 truncate"),
      cell: ({ username = "" }) => <NameCell name={username} />,
      beside: narrow("user", ({ userId = "", username = "" }) => ({ value: userId, name: username })),
    },
    {
      id: "node",
      head: columns.node,
      from: "xl",
      className: "max-w-40 wrap-anywhere text-muted",
      cell: (row) => <NodeCell row={row} failed={text.failedNodes} />,
    },
  ];
}

/** The buttons of a column that narrow the log to the value of their row. */
type Narrow = (
  filter: "model" | "user" | "key" | "outcome",
  of: (row: LogRow) => { value: string; name: string },
) => (row: LogRow) => ReactNode;

/** Without filters there is nothing to narrow. */
function makeNarrow(list: FilterTexts<LogFilterName> | undefined): Narrow {
  return (filter, of) => (row) => list && <CellNarrowing list={list} filter={filter} {...of(row)} />;
}

/** A name that may be cut, so that the tooltip has it whole unless it has something else. */
function NameCell(props: { name: string; title?: string; className?: string }) {
  return (
    <span title={props.title ?? props.name} className={props.className}>
      {props.name}
    </span>
  );
}

/** The node that answered, and those that failed before. */
function NodeCell(props: { row: LogRow; failed: string }) {
  const { node, failedAttempts = [] } = props.row;
  const failed = [...new Set(failedAttempts.map((attempt) => attempt.node))].join(", ");
  return (
    <span className="inline-flex max-w-full min-w-32 flex-wrap gap-x-2 md:grid">
      {(node || failed === "") && <span>{node || "–"}</span>}
      {failed !== "" && <span className="text-xs text-danger">{fill(props.failed, { nodes: failed })}</span>}
    </span>
  );
}

function TimeLink(props: { row: LogRow; href: string }) {
  const format = useFormat();
  const { createdAt } = props.row;
  return (
    <Link
      href={props.href}
      scroll={false}
      title={format.dateTime(createdAt)}
      className="tabular inline-flex min-h-6 items-center gap-2 rounded-sm text-primary underline-offset-2 hover:underline"
    >
      <time dateTime={createdAt} className="inline-flex gap-2">
        <span className="text-muted">{format.dayShort(createdAt)}</span>
        {format.time(createdAt)}
      </time>
    </Link>
  );
}

function StatusCell(props: { row: LogRow }) {
  const text = useMessages("logs");
  const format = useFormat();
  const { errorCode, attemptCount } = props.row;
  return (
    <span className="inline-flex flex-wrap gap-x-2 md:grid">
      <LogStatus entry={props.row} />
      {errorCode !== null && <span className="font-mono text-xs text-muted">{errorCode}</span>}
      {attemptCount > 1 && (
        <span className="text-xs whitespace-nowrap text-warning">
          {plural(text.afterAttempts, attemptCount, format.locale)}
        </span>
      )}
    </span>
  );
}

function Duration(props: { ms: number; share: number }) {
  const format = useFormat();
  return (
    <span className="inline-flex items-center justify-end gap-2 whitespace-nowrap">
      {format.duration(props.ms)}
      <span
        aria-hidden
        className="h-1 w-12 overflow-hidden rounded-full bg-line @max-[1144px]:hidden max-md:hidden"
      >
        <span className="block h-full bg-control" style={{ width: `${props.share * 100}%` }} />
      </span>
    </span>
  );
}
