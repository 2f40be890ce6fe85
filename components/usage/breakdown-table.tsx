"use client";

import { Download } from "lucide-react";
import { ratio, toScaled } from "@/lib/shared/decimal";
import { dateToZoned } from "@/lib/shared/zoned-time";
import type { Stats } from "../api/types";
import { PERSONAL } from "../api/use-project-choice";
import { downloadCsv } from "../charts/csv";
import { fill, plural } from "../i18n/fill";
import { useKeyName } from "../i18n/key-name";
import { useModelName } from "../i18n/model-name";
import { useFormat, useMessages } from "../i18n/provider";
import type { Sorting } from "../lists/row-order";
import { SortedTable } from "../lists/sorted-table";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import type { Column } from "../ui/columns";
import { Link } from "../ui/link";
import { rowNameClass } from "../ui/table";
import { answeredShare, type BreakdownRow, breakdownFile, breakdownRows, totalRow } from "./breakdown";
import { makeBucketName, rangeName } from "./chart-formatters";
import type { Grouping } from "./use-usage-filters";

/** One row per model, key, account or time, and their sum; a name narrows the page to it, a time leads to its logs. */
export function BreakdownTable(props: {
  stats: Stats;
  by: Grouping;
  /** The latencies are shown where there is little room too. */
  latency: boolean;
  onPick: (id: string) => void;
  logsHref: (from: string, to: string) => string;
}) {
  const text = useMessages("usage");
  const common = useMessages("common");
  const { stats, by } = props;
  const nameOf = useRowNames(stats, by);
  const columns = useBreakdownColumns(props, nameOf);
  const rows = breakdownRows(stats, by);
  const total = totalRow(stats);
  if (rows.length === 0) return null;
  const title = by === "day" && stats.bucket === "hour" ? text.by.hour : text.by[by];
  const first = by === "day" && stats.bucket === "hour" ? text.firstColumn.hour : text.firstColumn[by];
  function exportCsv() {
    downloadCsv(
      `tollgate-usage-by-${by}-${rangeName(stats)}.csv`,
      breakdownFile([...rows, total], {
        by,
        first: by === "day" ? `${first} (${stats.timezone})` : first,
        nameOf: (row) => (by === "day" && row.kind === "one" ? timeOf(row, stats) : nameOf(row)),
        heads: { ...text.columns, p50: text.p50, p95: text.p95 },
      }),
    );
  }
  return (
    <Card
      flush
      title={title}
      actions={
        <Button size="sm" variant="ghost" onClick={exportCsv}>
          <Download aria-hidden className="size-4" />
          {common.downloadCsv}
        </Button>
      }
    >
      <SortedTable
        opens
        flush
        sortings={sortings}
        nameOf={nameOf}
        initial={by === "day" ? newestFirst : dearestFirst}
        caption={title}
        columns={[{ ...columns.name, head: first }, ...columns.rest]}
        rows={rows}
        total={total}
        rowId={(row) => row.id}
      />
    </Card>
  );
}

/** The sum of the others stays below the rows, whatever they are sorted by. */
const byOnes = <Value,>(read: (row: BreakdownRow) => Value) => ({
  first: "desc" as const,
  by: (row: BreakdownRow) => (row.kind === "one" ? read(row) : null),
});

const sortings: Record<string, Sorting<BreakdownRow>> = {
  name: { ...byOnes((row) => row.name || row.id), first: "asc" },
  owner: { ...byOnes((row) => row.owner), first: "asc" },
  requests: byOnes((row) => row.requestCount),
  answered: byOnes(answeredShare),
  input: byOnes((row) => row.promptTokens),
  output: byOnes((row) => row.completionTokens),
  cached: byOnes((row) => row.cacheReadTokens),
  p50: byOnes((row) => row.p50Ms),
  p95: byOnes((row) => row.p95Ms),
  cost: byOnes((row) => toScaled(row.cost)),
};

const newestFirst = { sort: "name", order: "desc" } as const;
const dearestFirst = { sort: "cost", order: "desc" } as const;

/** The start of a bucket in the zone of the statistics: a day, or a day and a time. */
function timeOf(row: BreakdownRow, { timezone, bucket }: Stats): string {
  const local = dateToZoned(new Date(row.id), timezone);
  return bucket === "day" ? local.slice(0, 10) : local.replace("T", " ");
}

function useRowNames(stats: Stats, by: Grouping): (row: BreakdownRow) => string {
  const text = useMessages("usage");
  const format = useFormat();
  const { personal } = useMessages("common").projects;
  const names = { key: useKeyName(), model: useModelName() };
  const bucketName = makeBucketName(stats, format.locale);
  return (row) => {
    if (row.kind === "total") return text.total;
    if (row.kind === "others") return plural(text.others, row.count, format.locale);
    if (by === "day") return bucketName(Date.parse(row.id));
    const name = by === "key" || by === "model" ? names[by](row.name) : row.name;
    return name || row.keyPrefix || (row.id === PERSONAL ? personal : row.id);
  };
}

function dearestCost(stats: Stats, by: Grouping): string {
  return breakdownRows(stats, by).reduce(
    (most, { cost }) => (toScaled(cost) > toScaled(most) ? cost : most),
    "0",
  );
}

function ownerColumn(head: string): Column<BreakdownRow> {
  return {
    id: "owner",
    head,
    className: "max-w-40 truncate",
    cell: (row) => row.owner && <span title={row.owner}>{row.owner}</span>,
  };
}

type TableProps = Parameters<typeof BreakdownTable>[0];

function useBreakdownColumns(props: TableProps, nameOf: (row: BreakdownRow) => string) {
  const text = useMessages("usage");
  const format = useFormat();
  const { columns } = text;
  const { stats } = props;
  const number = (id: string, head: string, read: (row: BreakdownRow) => number): Column<BreakdownRow> => ({
    id,
    head,
    end: true,
    cell: (row) => format.countFull(read(row)),
  });
  const latency = (
    id: string,
    head: string,
    read: (row: BreakdownRow) => number | null,
  ): Column<BreakdownRow> => ({
    id,
    head,
    end: true,
    ...(props.latency ? {} : { from: "xl" as const }),
    cell: (row) => format.duration(read(row)),
  });
  const dearest = dearestCost(stats, props.by);
  const owners =
    (props.by === "key" || props.by === "project") &&
    stats.groups?.rows.some((row) => row.owner !== null) === true;
  // Beside further columns a tablet has no room for them.
  const tokensFrom = owners || props.latency ? { from: "lg" as const } : {};
  const rest: Column<BreakdownRow>[] = [
    ...(owners ? [ownerColumn(columns.account)] : []),
    number("requests", columns.requests, (row) => row.requestCount),
    {
      id: "answered",
      head: columns.answered,
      end: true,
      cell: (row) => {
        const share = answeredShare(row);
        return share === null ? "–" : <span title={columns.answeredHint}>{format.percent(share)}</span>;
      },
    },
    latency("p50", text.p50, (row) => row.p50Ms),
    latency("p95", text.p95, (row) => row.p95Ms),
    { ...number("input", columns.input, (row) => row.promptTokens), ...tokensFrom },
    { ...number("output", columns.output, (row) => row.completionTokens), ...tokensFrom },
    { ...number("cached", columns.cached, (row) => row.cacheReadTokens), from: owners ? "xl" : "lg" },
    { id: "cost", head: columns.cost, card: "corner", money: (row) => row.cost },
    {
      id: "share",
      head: columns.share,
      from: "lg",
      card: "wide",
      // The share of the total itself would say nothing.
      cell: (row) =>
        row.kind === "total" ? null : (
          <Share share={ratio(row.cost, stats.totals.cost)} width={ratio(row.cost, dearest)} />
        ),
    },
  ];
  const name: Column<BreakdownRow> = {
    id: "name",
    head: "",
    className: "min-w-36",
    cell: (row) => <RowName row={row} name={nameOf(row)} {...props} />,
  };
  return { name, rest };
}

function RowName(props: TableProps & { row: BreakdownRow; name: string }) {
  const text = useMessages("usage");
  const { row, by, name } = props;
  if (row.kind !== "one") return <span className={row.kind === "total" ? "font-semibold" : ""}>{name}</span>;
  if (by === "day") return <TimeLink {...props} />;
  const mono = by === "model" ? "font-mono text-sm break-all" : "";
  return (
    <span className="grid justify-items-start">
      <button
        type="button"
        title={fill(text.filterBy, { name })}
        onClick={() => props.onPick(row.id)}
        className={`${rowNameClass} ${mono}`}
      >
        {name}
      </button>
      {row.keyPrefix !== null && row.keyPrefix !== name && (
        <span className="font-mono text-xs text-muted">{row.keyPrefix}…</span>
      )}
      {row.deleted && name !== text.deleted && (
        <span className="text-xs text-muted">{by === "project" ? text.archived : text.deleted}</span>
      )}
    </span>
  );
}

function TimeLink(props: TableProps & { row: BreakdownRow; name: string }) {
  const { stats, row } = props;
  const at = stats.buckets.findIndex((bucket) => bucket.bucketStart === row.id);
  return (
    <Link
      href={props.logsHref(row.id, stats.buckets[at + 1]?.bucketStart ?? stats.to)}
      className={`${rowNameClass} whitespace-nowrap`}
    >
      {props.name}
    </Link>
  );
}

/** A share of the cost with a bar, which is full for the dearest row. */
function Share(props: { share: number; width: number }) {
  const format = useFormat();
  return (
    <div className="flex min-w-28 items-center gap-2">
      <span aria-hidden className="h-1.5 flex-1 overflow-hidden rounded-full bg-line">
        <span className="block h-full rounded-full bg-primary" style={{ width: `${props.width * 100}%` }} />
      </span>
      <span className="w-12 text-right">{format.percent(props.share)}</span>
    </div>
  );
}
