"use client";

import { Download } from "lucide-react";
import type { Stats } from "../api/types";
import { downloadCsv } from "../charts/csv";
import { centsToYuan, ratio } from "../i18n/decimal";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Table, Td, Th } from "../ui/table";

/** One row per model; its name narrows the page to it. */
export function BreakdownTable(props: { stats: Stats; onModel: (model: string) => void }) {
  const text = useMessages("usage");
  const common = useMessages("common");
  const { columns } = text;
  const { modelBreakdown: rows, totals } = props.stats;
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
          `${columns.latency} ms`,
        ],
        ...rows.map((row) => [
          row.model,
          row.requestCount,
          row.promptTokens,
          row.completionTokens,
          centsToYuan(row.cost),
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
      <Table caption={text.breakdown}>
        <thead>
          <tr>
            <Th>{columns.model}</Th>
            <Th end>{columns.requests}</Th>
            <Th end>{columns.input}</Th>
            <Th end>{columns.output}</Th>
            <Th end>{columns.cost}</Th>
            <Th className="max-sm:hidden">{columns.share}</Th>
            <Th end>{columns.latency}</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BreakdownRow key={row.model} row={row} totalCost={totals.cost} onModel={props.onModel} />
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

/** The share of a row as a bar; the number is next to it. */
function ShareBar(props: { share: number }) {
  return (
    <span aria-hidden className="h-1.5 flex-1 overflow-hidden rounded-full bg-line">
      <span className="block h-full rounded-full bg-primary" style={{ width: `${props.share * 100}%` }} />
    </span>
  );
}

function BreakdownRow(props: {
  row: Stats["modelBreakdown"][number];
  totalCost: string;
  onModel: (model: string) => void;
}) {
  const text = useMessages("usage");
  const format = useFormat();
  const { row } = props;
  const share = ratio(row.cost, props.totalCost);
  return (
    <tr className="last:*:border-b-0">
      <Td className="min-w-36">
        <button
          type="button"
          title={fill(text.filterBy, { model: row.model })}
          onClick={() => props.onModel(row.model)}
          className="min-h-6 rounded-sm text-left font-mono text-sm break-all text-primary underline underline-offset-2"
        >
          {row.model}
        </button>
      </Td>
      <Td end>{format.countFull(row.requestCount)}</Td>
      <Td end>{format.countFull(row.promptTokens)}</Td>
      <Td end>{format.countFull(row.completionTokens)}</Td>
      <Td end>
        <span title={format.moneyExact(row.cost)}>{format.money(row.cost)}</span>
      </Td>
      <Td className="max-sm:hidden">
        <div className="flex min-w-28 items-center gap-2">
          <ShareBar share={share} />
          <span className="w-12 text-right">{format.percent(share)}</span>
        </div>
      </Td>
      <Td end>{format.duration(row.averageLatencyMs)}</Td>
    </tr>
  );
}
