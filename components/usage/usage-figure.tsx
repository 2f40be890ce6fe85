"use client";

import { type ComponentProps, useState } from "react";
import { withQuery } from "../api/client";
import type { Stats } from "../api/types";
import { type ChartBucket, partsBesideTotal, type StackedData } from "../charts/chart-model";
import { downloadCsv } from "../charts/csv";
import { LatencyLines, StackedBars } from "../charts/lazy";
import { LatencyLegend, Legend } from "../charts/legend";
import { LinkedBars } from "../charts/linked-bars";
import type { ChartWords } from "../charts/stacked-bars";
import { centsToYuan } from "../i18n/decimal";
import { useKeyName } from "../i18n/key-name";
import { useModelName } from "../i18n/model-name";
import { useFormat, useMessages } from "../i18n/provider";
import { dateToZoned } from "../i18n/zoned";
import { useOpenPage } from "../shell/offline";
import { rangeName, useChartFormatters } from "./chart-formatters";
import { LatencyTable, StackedTable } from "./chart-tables";
import { FigureActions, FigureFrame } from "./figure-frame";
import { latencyBuckets, latencySentence, stackedSentence } from "./sentences";
import { type StackedMetric, stackedData } from "./stacked-data";
import { usePeriodName } from "./use-delta";
import type { Grouping } from "./use-usage-filters";

const CHART_HEIGHT = 280;
/** Each can be a link of its own, with its label below. */
const FEW_BARS = 8;

interface StackedProps {
  stats: Stats;
  metric: StackedMetric;
  grouping: Grouping;
  logsQuery?: Record<string, string | null>;
  logsPath?: string;
  /** The heading, where the metric alone does not say enough. */
  title?: string;
  /** Without table and download. */
  compact?: boolean;
  /** Few bars are part of the page that the server sends. */
  withPage?: boolean;
}

/** A stacked chart of one metric with its sentence, legend, table and CSV. */
export function StackedFigure(props: StackedProps) {
  const { stats, metric } = props;
  const text = useMessages("usage");
  const words = useChartFormatters(stats, metric);
  const [dimmed, setDimmed] = useState<string | null>(null);
  const [asTable, setAsTable] = useState(false);
  const data = useStackedData(props);
  const sentence = useSentence(props, data, words);
  const empty = data.series.length === 0;
  const parts = partsBesideTotal(data.series, text.total);
  const { compact = false, title = text.units[metric] } = props;
  const logsHref = (bucket: ChartBucket) => logsOf(bucket, props);
  const exportCsv = () => exportStacked(stats, metric, data, text);
  return (
    <FigureFrame
      title={title}
      sentence={empty ? "" : sentence}
      actions={
        !compact &&
        !empty && (
          <FigureActions asTable={asTable} onToggle={() => setAsTable(!asTable)} onExport={exportCsv} />
        )
      }
    >
      {empty ? (
        <NoData>{metric === "errors" ? text.noErrors : text.noData}</NoData>
      ) : asTable ? (
        <StackedTable data={data} metric={metric} words={words} logsHref={logsHref} />
      ) : (
        <>
          <Plot
            withPage={props.withPage === true}
            title={title}
            data={data}
            words={words}
            dimmed={dimmed}
            hrefOf={logsHref}
          />
          {parts.length > 0 && (
            <Legend
              series={parts}
              value={words.value}
              percent={words.percent}
              dimmed={dimmed}
              onDim={setDimmed}
            />
          )}
        </>
      )}
    </FigureFrame>
  );
}

/** The bars of a figure: few are links that the server sends with the page. */
export function Plot(props: ComponentProps<typeof LinkedBars> & { withPage: boolean }) {
  const { withPage, hrefOf, ...shown } = props;
  const openPage = useOpenPage();
  if (withPage && shown.data.buckets.length <= FEW_BARS) return <LinkedBars {...shown} hrefOf={hrefOf} />;
  return (
    <div style={{ height: CHART_HEIGHT }}>
      <StackedBars {...shown} height={CHART_HEIGHT} onPick={(bucket) => openPage(hrefOf(bucket))} />
    </div>
  );
}

function NoData(props: { children: string }) {
  return <p className="flex h-60 items-center justify-center text-muted">{props.children}</p>;
}

function useSentence({ stats, metric }: StackedProps, data: StackedData, words: ChartWords): string {
  const text = useMessages("usage");
  const format = useFormat();
  return stackedSentence(data, metric, stats, words, text, format, usePeriodName(stats));
}

function useStackedData(props: StackedProps): StackedData {
  const text = useMessages("usage");
  const keyName = useKeyName();
  const modelName = useModelName();
  const data = stackedData(props.stats, props.metric, props.grouping, text);
  return withNames(data, props.grouping === "key" ? keyName : modelName);
}

function withNames(data: StackedData, nameOf: (name: string) => string): StackedData {
  return { ...data, series: data.series.map((one) => ({ ...one, name: nameOf(one.name) })) };
}

function logsOf(
  bucket: ChartBucket,
  target: { logsPath?: string; logsQuery?: Record<string, string | null> },
): string {
  return withQuery(target.logsPath ?? "/console/logs", {
    from: new Date(bucket.startMs).toISOString(),
    to: new Date(bucket.endMs).toISOString(),
    ...target.logsQuery,
  });
}

function exportStacked(
  stats: Stats,
  metric: StackedMetric,
  data: ReturnType<typeof stackedData>,
  text: { bucket: string; total: string },
): void {
  const parts = partsBesideTotal(data.series, text.total);
  const amount = (exact: string) => (metric === "cost" ? centsToYuan(exact) : exact);
  downloadCsv(`tollgate-${metric}-${rangeName(stats)}.csv`, [
    [`${text.bucket} (${stats.timezone})`, ...parts.map((one) => one.name), text.total],
    ...data.buckets.map((bucket) => [
      csvTime(bucket.startMs, stats),
      ...parts.map((one) => amount(bucket.values[one.id] ?? "0")),
      amount(bucket.total),
    ]),
  ]);
}

/** The start of a bucket as the chart shows it: in the zone of the statistics. */
function csvTime(startMs: number, { timezone }: Stats): string {
  return dateToZoned(new Date(startMs), timezone).replace("T", " ");
}

/** The latency chart with its sentence, table and CSV. */
export function LatencyFigure(props: { stats: Stats }) {
  const { stats } = props;
  const text = useMessages("usage");
  const format = useFormat();
  const words = useChartFormatters(stats, "requests");
  const period = usePeriodName(stats);
  const [asTable, setAsTable] = useState(false);
  const buckets = latencyBuckets(stats);
  const empty = buckets.every((bucket) => bucket.p50Ms === null);
  function exportCsv() {
    downloadCsv(`tollgate-latency-${rangeName(stats)}.csv`, [
      [`${text.bucket} (${stats.timezone})`, "p50 ms", "p95 ms"],
      ...buckets.map((bucket) => [csvTime(bucket.startMs, stats), bucket.p50Ms ?? "", bucket.p95Ms ?? ""]),
    ]);
  }
  return (
    <FigureFrame
      title={text.units.latency}
      sentence={empty ? "" : latencySentence(stats, text, format, period)}
      actions={
        !empty && (
          <FigureActions asTable={asTable} onToggle={() => setAsTable(!asTable)} onExport={exportCsv} />
        )
      }
    >
      {empty ? (
        <NoData>{text.noLatency}</NoData>
      ) : asTable ? (
        <LatencyTable caption={text.units.latency} buckets={buckets} words={words} />
      ) : (
        <>
          <div style={{ height: CHART_HEIGHT }}>
            <LatencyLines
              buckets={buckets}
              height={CHART_HEIGHT}
              title={text.units.latency}
              words={{ ...words, duration: format.duration, p50: text.p50, p95: text.p95 }}
            />
          </div>
          <LatencyLegend
            names={text}
            values={{ p50: format.duration(stats.totals.p50Ms), p95: format.duration(stats.totals.p95Ms) }}
          />
        </>
      )}
    </FigureFrame>
  );
}
