"use client";

import { Download } from "lucide-react";
import type { Stats } from "../api/types";
import { downloadCsv } from "../charts/csv";
import { centsToYuan, ratio } from "../i18n/decimal";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { type Column, DataTable } from "../ui/data-table";

/** One row per model; its name narrows the page to it. */
export function BreakdownTable(props: { stats: Stats; onModel: (model: string) => void }) {
  const text = useMessages("usage");
  const common = useMessages("common");
  const { columns } = text;
  const { modelBreakdown: rows, totals } = props.stats;
  const shown = useBreakdownColumns(totals.cost, props.onModel);
  if (rows.length === 0) return null;
  function exportCsv() {
    downloadCsv(
      `tollgate-models-${props.stats.from.slice(0, 10)}-${props.stats.to.slice(0, 10)}-${props.stats.timezone}.csv`,
      [
        [
          columns.model,
          columns.requests,
          columns.input,
          columns.output,
          `${columns.cost} CNY`,
          `${columns.cacheSaving} CNY`,
          `${columns.latency} ms`,
        ],
        ...rows.map((row) => [
          row.model,
          row.requestCount,
          row.promptTokens,
          row.completionTokens,
          centsToYuan(row.cost),
          row.cacheSaving === null ? "" : centsToYuan(row.cacheSaving),
          row.averageLatencyMs ?? "",
        ]),
      ],
    );
  }
  return (
    <Card
      flush
      title={text.breakdown}
      actions={
        <Button size="sm" variant="ghost" onClick={exportCsv}>
          <Download aria-hidden className="size-4" />
          {common.downloadCsv}
        </Button>
      }
    >
      <DataTable
        opens
        flush
        caption={text.breakdown}
        columns={shown}
        rows={rows}
        rowId={(row) => row.model}
      />
    </Card>
  );
}

type ModelRow = Stats["modelBreakdown"][number];

function useBreakdownColumns(totalCost: string, onModel: (model: string) => void): Column<ModelRow>[] {
  const text = useMessages("usage");
  const format = useFormat();
  const { columns } = text;
  return [
    {
      id: "model",
      head: columns.model,
      className: "min-w-36",
      cell: ({ model }) => (
        <button
          type="button"
          title={fill(text.filterBy, { model })}
          onClick={() => onModel(model)}
          className="min-h-6 rounded-sm text-left font-mono text-sm break-all text-primary underline-offset-2 hover:underline"
        >
          {model}
        </button>
      ),
    },
    {
      id: "requests",
      head: columns.requests,
      end: true,
      cell: (row) => format.countFull(row.requestCount),
    },
    { id: "input", head: columns.input, end: true, cell: (row) => format.countFull(row.promptTokens) },
    { id: "output", head: columns.output, end: true, cell: (row) => format.countFull(row.completionTokens) },
    { id: "cost", head: columns.cost, card: "corner", money: (row) => row.cost },
    {
      id: "share",
      head: columns.share,
      card: "wide",
      cell: (row) => <Share share={ratio(row.cost, totalCost)} />,
    },
    {
      id: "latency",
      head: columns.latency,
      end: true,
      cell: (row) => format.duration(row.averageLatencyMs),
    },
  ];
}

/** A share of the cost as a bar with its number. */
function Share(props: { share: number }) {
  const format = useFormat();
  return (
    <div className="flex min-w-28 items-center gap-2">
      <span aria-hidden className="h-1.5 flex-1 overflow-hidden rounded-full bg-line">
        <span className="block h-full rounded-full bg-primary" style={{ width: `${props.share * 100}%` }} />
      </span>
      <span className="w-12 text-right">{format.percent(props.share)}</span>
    </div>
  );
}
