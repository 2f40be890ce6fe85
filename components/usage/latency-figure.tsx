"use client";

import { type ReactNode, useState } from "react";
import type { Stats } from "../api/types";
import { PERSONAL } from "../api/use-project-choice";
import { type ChartLine, colorsByName, MAX_SERIES, percentileLines } from "../charts/chart-model";
import { downloadCsv } from "../charts/csv";
import { LatencyLines } from "../charts/lazy";
import { LatencyLegend } from "../charts/legend";
import { fill } from "../i18n/fill";
import { useKeyName } from "../i18n/key-name";
import { useModelName } from "../i18n/model-name";
import { useFormat, useMessages } from "../i18n/provider";
import { Segmented } from "../ui/segmented";
import { type BreakdownRow, breakdownRows } from "./breakdown";
import { rangeName, useChartFormatters } from "./chart-formatters";
import { LatencyTable } from "./chart-tables";
import { FigureActions, FigureFrame } from "./figure-frame";
import { latencySentence } from "./sentences";
import { CHART_HEIGHT, csvTime, NoData } from "./usage-figure";
import { usePeriodName } from "./use-delta";
import { type Grouping, type Percentile, percentiles } from "./use-usage-filters";

interface FigureProps {
  stats: Stats;
  grouping: Grouping;
  /** Which of them a group has a line of. */
  percentile: Percentile;
  onPercentile: (percentile: Percentile) => void;
}

/** The latency over time with its sentence, table and CSV: both percentiles of all requests, or one of each group. */
export function LatencyFigure(props: FigureProps) {
  const { stats, grouping } = props;
  const text = useMessages("usage");
  const format = useFormat();
  const words = useChartFormatters(stats, "requests");
  const [asTable, setAsTable] = useState(false);
  const { lines, totals, sentence } = useLines(props);
  const buckets = stats.buckets.map((bucket, index) => ({
    startMs: Date.parse(bucket.bucketStart),
    endMs: Date.parse(stats.buckets[index + 1]?.bucketStart ?? stats.to),
  }));
  if (lines.every(({ values }) => values.every((ms) => ms === null)))
    return (
      <FigureFrame title={text.units.latency} sentence="" actions={null}>
        <NoData>{text.noLatency}</NoData>
      </FigureFrame>
    );
  const exportCsv = () =>
    downloadCsv(`tollgate-latency-${rangeName(stats)}.csv`, [
      [`${text.bucket} (${stats.timezone})`, ...lines.map(({ name }) => `${name} ms`)],
      ...buckets.map(({ startMs }, index) => [
        csvTime(startMs, stats),
        ...lines.map(({ values }) => values[index] ?? ""),
      ]),
    ]);
  return (
    <FigureFrame
      title={text.units.latency}
      sentence={sentence}
      actions={
        <div className="flex flex-wrap items-center gap-2">
          {grouping !== "day" && <PercentileChoice {...props} />}
          <FigureActions asTable={asTable} onToggle={() => setAsTable(!asTable)} onExport={exportCsv} />
        </div>
      }
    >
      {asTable ? (
        <LatencyTable caption={text.units.latency} buckets={buckets} lines={lines} words={words} />
      ) : (
        <>
          <div style={{ height: CHART_HEIGHT }}>
            <LatencyLines
              buckets={buckets}
              lines={lines}
              height={CHART_HEIGHT}
              title={text.units.latency}
              words={{ ...words, duration: format.duration }}
            />
          </div>
          <LatencyLegend lines={lines} values={totals} />
        </>
      )}
    </FigureFrame>
  );
}

function PercentileChoice(props: FigureProps): ReactNode {
  const text = useMessages("usage");
  return (
    <Segmented
      label={text.percentile}
      value={props.percentile}
      onChange={props.onPercentile}
      options={percentiles.map((value) => ({ value, label: text[value] }))}
    />
  );
}

/** The lines, what each is of the whole time, and what they say. */
function useLines({ stats, grouping, percentile }: FigureProps) {
  const text = useMessages("usage");
  const format = useFormat();
  const { personal } = useMessages("common").projects;
  const names = { key: useKeyName(), model: useModelName() };
  const whole = latencySentence(stats, text, format, usePeriodName(stats));
  if (grouping === "day") {
    const totals = { p50: format.duration(stats.totals.p50Ms), p95: format.duration(stats.totals.p95Ms) };
    return { lines: percentileLines(stats.buckets, text), totals, sentence: whole };
  }
  const field = `${percentile}Ms` as const;
  const all = breakdownRows(stats, grouping).filter((row) => row.kind === "one" && row[field] !== null);
  const rows = all.slice(0, MAX_SERIES);
  const nameOf = (row: BreakdownRow) =>
    (grouping === "key" || grouping === "model" ? names[grouping](row.name) : row.name) ||
    row.keyPrefix ||
    (row.id === PERSONAL ? personal : row.id);
  const slowest = rows.reduce<BreakdownRow | null>(
    (most, row) => (most === null || (row[field] ?? 0) > (most[field] ?? 0) ? row : most),
    null,
  );
  const sentences = [
    whole,
    ...(rows.length > 1 && slowest !== null
      ? [
          fill(text.sentences.slowest, {
            name: nameOf(slowest),
            value: `${text[percentile]} ${format.duration(slowest[field])}`,
          }),
        ]
      : []),
    ...(all.length > rows.length ? [fill(text.sentences.firstOf, { count: rows.length })] : []),
  ];
  return {
    lines: groupLines(stats, grouping, field, rows, nameOf),
    totals: Object.fromEntries(rows.map((row) => [row.id, format.duration(row[field])])),
    sentence: sentences.join(format.gap),
  };
}

function groupLines(
  stats: Stats,
  grouping: Exclude<Grouping, "day">,
  field: "p50Ms" | "p95Ms",
  rows: readonly BreakdownRow[],
  nameOf: (row: BreakdownRow) => string,
): ChartLine[] {
  const colors = colorsByName(rows.map(({ id }) => id));
  const points =
    grouping === "model"
      ? stats.series.map((point) => ({ ...point, id: point.model }))
      : (stats.groups?.series ?? []);
  const found = new Map(points.map((point) => [`${point.bucketStart} ${point.id}`, point[field]]));
  return rows.map((row) => ({
    id: row.id,
    name: nameOf(row),
    color: colors.get(row.id) ?? "",
    values: stats.buckets.map(({ bucketStart }) => found.get(`${bucketStart} ${row.id}`) ?? null),
  }));
}
