"use client";

import type { ChartBucket, StackedData } from "../charts/chart-model";
import type { LatencyBucket } from "../charts/latency-lines";
import type { ChartWords } from "../charts/stacked-bars";
import { useFormat, useMessages } from "../i18n/provider";
import { Link } from "../ui/link";
import { Table, Td, Th } from "../ui/table";

/** The numbers of a stacked chart; each row leads to its logs. */
export function StackedTable(props: {
  caption: string;
  data: StackedData;
  words: ChartWords;
  logsHref: (bucket: ChartBucket) => string;
}) {
  const text = useMessages("usage");
  const { data, words } = props;
  return (
    <Table caption={props.caption} className="max-h-96 rounded-md border">
      <thead>
        <tr>
          <Th>{text.bucket}</Th>
          {data.series.map((one) => (
            <Th key={one.id} end>
              {one.name}
            </Th>
          ))}
          <Th end>{text.total}</Th>
        </tr>
      </thead>
      <tbody>
        {data.buckets.map((bucket) => (
          <tr key={bucket.startMs}>
            <th scope="row" className="h-9 border-b px-3 text-left font-normal whitespace-nowrap">
              <Link
                href={props.logsHref(bucket)}
                className="rounded-sm text-primary underline underline-offset-2"
              >
                {words.label(bucket.startMs)}
              </Link>
            </th>
            {data.series.map((one) => (
              <Td key={one.id} end>
                {words.full(bucket.values[one.id] ?? "0")}
              </Td>
            ))}
            <Td end className="font-medium">
              {words.full(bucket.total)}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The numbers of the latency chart. */
export function LatencyTable(props: { caption: string; buckets: LatencyBucket[]; words: ChartWords }) {
  const text = useMessages("usage");
  const format = useFormat();
  return (
    <Table caption={props.caption} className="max-h-96 rounded-md border">
      <thead>
        <tr>
          <Th>{text.bucket}</Th>
          <Th end>{text.p50}</Th>
          <Th end>{text.p95}</Th>
        </tr>
      </thead>
      <tbody>
        {props.buckets.map((bucket) => (
          <tr key={bucket.startMs}>
            <th scope="row" className="h-9 border-b px-3 text-left font-normal whitespace-nowrap">
              {props.words.label(bucket.startMs)}
            </th>
            <Td end>{format.duration(bucket.p50Ms)}</Td>
            <Td end>{format.duration(bucket.p95Ms)}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
