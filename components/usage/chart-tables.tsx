"use client";

import { type ChartBucket, partsBesideTotal, type StackedData } from "../charts/chart-model";
import type { LatencyBucket } from "../charts/latency-lines";
import type { ChartWords } from "../charts/stacked-bars";
import { useFormat, useMessages } from "../i18n/provider";
import type { Column } from "../ui/columns";
import { DataTable } from "../ui/data-table";
import { Link } from "../ui/link";
import type { StackedMetric } from "./stacked-data";

/** The numbers of a stacked chart; each row leads to its logs. */
export function StackedTable(props: {
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
      caption={text.units[props.metric]}
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
export function LatencyTable(props: { caption: string; buckets: LatencyBucket[]; words: ChartWords }) {
  const text = useMessages("usage");
  const format = useFormat();
  return (
    <DataTable
      caption={props.caption}
      className="max-h-96"
      rows={props.buckets}
      rowId={(bucket) => String(bucket.startMs)}
      columns={[
        {
          id: "bucket",
          head: text.bucket,
          className: "whitespace-nowrap",
          cell: (bucket) => props.words.label(bucket.startMs),
        },
        { id: "p50", head: text.p50, end: true, cell: (bucket) => format.duration(bucket.p50Ms) },
        { id: "p95", head: text.p95, end: true, cell: (bucket) => format.duration(bucket.p95Ms) },
      ]}
    />
  );
}
