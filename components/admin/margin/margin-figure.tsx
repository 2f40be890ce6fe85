"use client";

import { useState } from "react";
import { fromScaled, ratio, sumDecimals, toScaled } from "@/lib/shared/decimal";
import type { Margin } from "../../api/admin/types";
import { withQuery } from "../../api/client";
import type { ChartBucket } from "../../charts/chart-model";
import { Legend } from "../../charts/legend";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Card } from "../../ui/card";
import { useChartFormatters } from "../../usage/chart-formatters";
import { FigureActions, FigureFrame } from "../../usage/figure-frame";
import { Plot } from "../../usage/usage-figure";
import { usePeriodName } from "../../usage/use-delta";
import { MarginDays, useMarginFile } from "./margin-table";
import { periodOf } from "./period";

/**
 * Provider cost, margin, and what was billed without a known cost, over time; a loss shows as cost above what was billed.
 * With a sentence, a table and a file.
 */
export function MarginFigure({ margin }: { margin: Margin }) {
  const text = useMessages("margin");
  const format = useFormat();
  const words = useChartFormatters(margin, "cost");
  const period = usePeriodName(periodOf(margin));
  const download = useMarginFile(margin, "buckets");
  const [dimmed, setDimmed] = useState<string | null>(null);
  const [asTable, setAsTable] = useState(false);
  const data = chartOf(margin, text);
  const { revenue, cost, margin: left } = margin.totals;
  const sums = {
    billed: format.money(revenue),
    cost: format.money(cost ?? 0),
    margin: format.money(left ?? 0),
  };
  return (
    <Card>
      <FigureFrame
        title={text.chart}
        sentence={fill(text.sentence, { period, ...sums })}
        actions={
          <FigureActions asTable={asTable} onToggle={() => setAsTable(!asTable)} onExport={download} />
        }
      >
        {asTable ? (
          <MarginDays margin={margin} caption={text.chart} />
        ) : (
          <>
            <Plot withPage title={text.chart} data={data} words={words} dimmed={dimmed} hrefOf={logsOf} />
            <Legend
              series={data.series}
              value={words.value}
              percent={words.percent}
              dimmed={dimmed}
              onDim={setDimmed}
            />
          </>
        )}
      </FigureFrame>
    </Card>
  );
}

function logsOf({ startMs, endMs }: ChartBucket): string {
  const [from, to] = [startMs, endMs].map((ms) => new Date(ms).toISOString());
  return withQuery("/admin/logs", { from, to });
}

type Sums = Pick<Margin["totals"], "revenue" | "covered" | "cost" | "margin">;

/** Amounts that are stacked: none of them is below 0. */
function partsOf({ revenue, covered, cost, margin }: Sums) {
  const gain = margin === null || margin.startsWith("-") ? "0" : margin;
  return { cost: cost ?? "0", margin: gain, unknown: fromScaled(toScaled(revenue) - toScaled(covered)) };
}

function chartOf(margin: Margin, text: { cost: string; margin: string; unknown: string }) {
  const buckets = margin.buckets.map((bucket, index) => {
    const values = partsOf(bucket);
    const next = margin.buckets[index + 1];
    return {
      startMs: Date.parse(bucket.bucketStart),
      endMs: Date.parse(next?.bucketStart ?? margin.to),
      partial: next === undefined && margin.inProgress,
      values,
      total: sumDecimals(Object.values(values)),
    };
  });
  const total = sumDecimals(buckets.map((bucket) => bucket.total));
  const names = { cost: text.cost, margin: text.margin, unknown: text.unknown };
  const colors = { cost: "var(--series-2)", margin: "var(--series-3)", unknown: "var(--series-other)" };
  const series = (["cost", "margin", "unknown"] as const).map((part) => {
    const sum = sumDecimals(buckets.map(({ values }) => values[part]));
    return { id: part, name: names[part], color: colors[part], total: sum, share: ratio(sum, total) };
  });
  return { series: series.filter((one) => one.total !== "0"), buckets, total };
}
