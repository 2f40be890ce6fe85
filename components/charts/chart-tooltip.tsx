import { ratio, toScaled } from "@/lib/shared/decimal";
import { type ChartBucket, type ChartSeries, partsBesideTotal } from "./chart-model";
import type { ChartWords } from "./chart-words";

const MAX_ROWS = 8;

/** What a bucket holds: time, total, then each series by size. */
export function ChartTooltip(props: { bucket: ChartBucket; series: ChartSeries[]; words: ChartWords }) {
  const { bucket, words } = props;
  const rows = partsBesideTotal(props.series, words.total)
    .map((one) => ({ ...one, value: bucket.values[one.id] ?? "0" }))
    .filter((row) => toScaled(row.value) !== 0n)
    .sort((a, b) => (toScaled(b.value) > toScaled(a.value) ? 1 : -1));
  const { previous } = bucket;
  const before = previous === undefined ? [] : [previous];
  const print = words.full([bucket.total, ...before, ...rows.map((row) => row.value)]);
  return (
    <div className="max-w-80 rounded-md bg-page p-3 text-xs shadow-float">
      <p className="text-muted">
        {words.range(bucket)}
        {bucket.partial && ` · ${words.inProgress}`}
      </p>
      <p className="tabular mt-1 flex justify-between gap-6 font-semibold">
        <span>{words.total}</span>
        <span>{print(bucket.total)}</span>
      </p>
      {previous !== undefined && (
        <p className="tabular flex justify-between gap-6 text-muted">
          <span>{words.previous}</span>
          <span>{print(previous)}</span>
        </p>
      )}
      <ul className="mt-1 grid gap-0.5">
        {rows.slice(0, MAX_ROWS).map((row) => (
          <li key={row.id} className="flex items-center gap-2">
            <span aria-hidden className="size-2.5 shrink-0 rounded-sm" style={{ background: row.color }} />
            <span className="min-w-0 flex-1 truncate">{row.name}</span>
            <span className="tabular">{print(row.value)}</span>
            <span className="tabular w-12 text-right text-muted">
              {words.percent(ratio(row.value, bucket.total))}
            </span>
          </li>
        ))}
      </ul>
      {rows.length > MAX_ROWS && <p className="mt-1 text-muted">{words.more(rows.length - MAX_ROWS)}</p>}
    </div>
  );
}
