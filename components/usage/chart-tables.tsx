"use client";

import { type ChartBucket, type ChartLine, partsBesideTotal, type StackedData } from "../charts/chart-model";
import type { ChartWords } from "../charts/chart-words";
import type { TimeSpan } from "../charts/latency-lines";
import { useFormat, useMessages } from "../i18n/provider";
import type { Column } from "../ui/columns";
import { DataTable } from "../ui/data-table";
import { Link } from "../ui/link";
import type { StackedMetric } from "./stacked-data";

/** The numbers of a stacked chart; each row leads to its logs. */
export function StackedTable(props: {
  caption: string;
  data: StackedData;
  metric: StackedMetric;
  words: ChartWords;
  logsHref: (bucket: ChartBucket) => string;
}) {
  const text = useMessages("usage");
  const format = useFormat();
  const numbers = (id: string, head: string, read: (bucket: ChartBucket) => string): Column<ChartBucket> =>
    props.metric === "cost"
      ? { id, head, money: read }
      : { id, head, end: true, cell: (bucket) => format.countFull(Number(read(bucket))) };
  return (
    <DataTable
      caption={props.caption}
      className="max-h-96"
      rows={props.data.buckets}
      rowId={(bucket) => String(bucket.startMs)}
      columns={[
        {
          id: "bucket",
          head: text.bucket,
          className: "whitespace-nowrap",
          cell: (bucket) => (
            <Link
              href={props.logsHref(bucket)}
              className="inline-flex min-h-6 items-center rounded-sm text-primary underline-offset-2 hover:underline"
            >
              {props.words.label(bucket.startMs)}
            </Link>
          ),
        },
        ...partsBesideTotal(props.data.series, text.total).map((one) =>
          numbers(one.id, one.name, (bucket) => bucket.values[one.id] ?? "0"),
        ),
        {
          ...numbers("total", text.total, (bucket) => bucket.total),
          card: "corner",
          className: "font-medium",
        },
      ]}
    />
  );
}

/** The numbers of the latency chart. */
export function LatencyTable(props: {
  caption: string;
  buckets: readonly TimeSpan[];
  lines: readonly ChartLine[];
  words: ChartWords;
}) {
  const text = useMessages("usage");
  const format = useFormat();
  const rows = props.buckets.map((bucket, index) => ({ ...bucket, index }));
  return (
    <DataTable
      caption={props.caption}
      className="max-h-96"
      rows={rows}
      rowId={(bucket) => String(bucket.startMs)}
      columns={[
        {
          id: "bucket",
          head: text.bucket,
          className: "whitespace-nowrap",
          cell: (bucket) => props.words.label(bucket.startMs),
        },
        ...props.lines.map(
          ({ id, name, values }): Column<(typeof rows)[number]> => ({
            id,
            head: name,
            end: true,
            cell: ({ index }) => format.duration(values[index] ?? null),
          }),
        ),
      ]}
    />
  );
}
