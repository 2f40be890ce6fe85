"use client";

import { type ComponentProps, type ReactNode, useState } from "react";
import { centsToYuan } from "@/lib/shared/decimal";
import { dateToZoned } from "@/lib/shared/zoned-time";
import { withQuery } from "../api/client";
import type { Stats } from "../api/types";
import { PERSONAL } from "../api/use-project-choice";
import { type ChartBucket, partsBesideTotal, type StackedData } from "../charts/chart-model";
import type { ChartWords } from "../charts/chart-words";
import { downloadCsv } from "../charts/csv";
import { StackedBars } from "../charts/lazy";
import { Legend } from "../charts/legend";
import { LinkedBars } from "../charts/linked-bars";
import { fill } from "../i18n/fill";
import { useKeyName } from "../i18n/key-name";
import { useModelName } from "../i18n/model-name";
import { useFormat, useMessages } from "../i18n/provider";
import { useOpenPage } from "../shell/offline";
import { rangeName, useChartFormatters } from "./chart-formatters";
import { StackedTable } from "./chart-tables";
import { FigureActions, FigureFrame } from "./figure-frame";
import { stackedSentence } from "./sentences";
import { type StackedMetric, stackedData } from "./stacked-data";
import { usePeriodName } from "./use-delta";
import type { Grouping } from "./use-usage-filters";

/** Units: pixels. */
export const CHART_HEIGHT = 280;
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
  /** What can be chosen beside table and download. */
  choice?: ReactNode;
  /** Without table and download. */
  compact?: boolean;
  heading?: ComponentProps<typeof FigureFrame>["heading"];
  /** Of the chart. Units: pixels. */
  height?: number;
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
  const { compact = false, title = text.units[metric] } = props;
  const logsHref = (bucket: ChartBucket) => logsOf(bucket, props);
  const exportCsv = () => exportStacked(stats, metric, data, text);
  return (
    <FigureFrame
      title={title}
      heading={props.heading}
      sentence={empty ? "" : sentence}
      actions={
        !compact &&
        !empty && (
          <div className="flex flex-wrap items-center gap-2">
            {props.choice}
            <FigureActions asTable={asTable} onToggle={() => setAsTable(!asTable)} onExport={exportCsv} />
          </div>
        )
      }
    >
      {empty ? (
        <NoData>{metric === "errors" ? text.noErrors : text.noData}</NoData>
      ) : asTable ? (
        <StackedTable caption={title} data={data} metric={metric} words={words} logsHref={logsHref} />
      ) : (
        <>
          <Plot
            withPage={props.withPage === true}
            height={props.height}
            title={title}
            data={data}
            words={words}
            dimmed={dimmed}
            hrefOf={logsHref}
          />
          <StackedLegend
            stats={stats}
            metric={metric}
            data={data}
            words={words}
            dimmed={dimmed}
            onDim={setDimmed}
          />
        </>
      )}
    </FigureFrame>
  );
}

/** The parts of a chart, and what its stripes and its line mean. Amounts are as exact as those of a column. */
function StackedLegend(props: {
  stats: Stats;
  metric: StackedMetric;
  data: StackedData;
  words: ChartWords;
  dimmed: string | null;
  onDim: (id: string | null) => void;
}) {
  const text = useMessages("usage");
  const format = useFormat();
  const { data, words } = props;
  const period = usePeriodName(props.stats);
  const parts = partsBesideTotal(data.series, text.total);
  const striped = data.buckets.some(({ partial }) => partial);
  const before = data.buckets.some(({ previous }) => previous !== undefined);
  if (parts.length === 0 && !striped && !before) return null;
  return (
    <Legend
      dimmed={props.dimmed}
      onDim={props.onDim}
      series={parts}
      value={
        props.metric === "cost"
          ? format.moneyColumn([data.total, ...parts.map(({ total }) => total)])
          : words.value
      }
      percent={words.percent}
      striped={striped ? text.striped : undefined}
      before={before ? fill(text.before, { period }) : undefined}
    />
  );
}

/** The bars of a figure: few are links that the server sends with the page. */
export function Plot(
  props: ComponentProps<typeof LinkedBars> & { withPage: boolean; height?: number | undefined },
) {
  const { withPage, hrefOf, height = CHART_HEIGHT, ...shown } = props;
  const openPage = useOpenPage();
  if (withPage && shown.data.buckets.length <= FEW_BARS) return <LinkedBars {...shown} hrefOf={hrefOf} />;
  return (
    <div style={{ height }}>
      <StackedBars {...shown} height={height} onPick={(bucket) => openPage(hrefOf(bucket))} />
    </div>
  );
}

/** In place of a chart. */
export function NoData(props: { children: string }) {
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
  const { personal } = useMessages("common").projects;
  // The keys of no project are the only group by project without a name.
  const projectName = (name: string) => (name === PERSONAL ? personal : name);
  const names: Partial<Record<Grouping, (name: string) => string>> = { key: keyName, project: projectName };
  return withNames(data, names[props.grouping] ?? modelName);
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
export function csvTime(startMs: number, { timezone }: Stats): string {
  return dateToZoned(new Date(startMs), timezone).replace("T", " ");
}
