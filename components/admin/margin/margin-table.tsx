"use client";

import { Download } from "lucide-react";
import { downloadCsv } from "../../charts/csv";
import { centsToYuan, ratio } from "../../i18n/decimal";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { type Column, DataTable } from "../../ui/data-table";
import { TextLink } from "../../ui/link";
import { makeBucketName, rangeName } from "../../usage/chart-formatters";
import type { Margin } from "../types";

export const marginGroupings = ["models", "nodes", "buckets"] as const;

/** What a table of margins is by. */
export type MarginGrouping = (typeof marginGroupings)[number];

type MarginRow = Margin["totals"] & { id: string; name: string; href: string | null };

/** Revenue, cost and margin of each model, node or day, with their sum, and as a file. */
export function MarginTable(props: { margin: Margin; by: MarginGrouping }) {
  const text = useMessages("margin");
  const common = useMessages("common");
  const { margin, by } = props;
  const rows = useMarginRows(margin, by);
  const total = { ...margin.totals, id: "total", name: text.total, href: null };
  const columns = useMarginColumns(by);
  return (
    <Card
      flush
      title={text.by[by]}
      actions={
        <Button
          size="sm"
          variant="ghost"
          onClick={() =>
            downloadCsv(
              `tollgate-margin-by-${by}-${rangeName(margin)}.csv`,
              fileOf([...rows, total], text.first[by], text),
            )
          }
        >
          <Download aria-hidden className="size-4" />
          {common.downloadCsv}
        </Button>
      }
    >
      <DataTable
        opens={by === "nodes"}
        flush
        caption={text.by[by]}
        columns={columns}
        rows={rows}
        total={total}
        rowId={(row) => row.id}
      />
    </Card>
  );
}

function useMarginRows(margin: Margin, by: MarginGrouping): MarginRow[] {
  const text = useMessages("margin");
  const format = useFormat();
  switch (by) {
    case "models":
      return margin.models.map((row) => ({ ...row, id: row.model, name: row.model, href: null }));
    case "nodes":
      return margin.nodes.map(({ nodeId, node, ...row }) => ({
        ...row,
        id: nodeId,
        name: node === "" ? text.deletedNode : node,
        href: node === "" ? null : `/admin/nodes?node=${nodeId}`,
      }));
    case "buckets": {
      const nameOf = makeBucketName(margin, format.locale);
      return margin.buckets
        .map((row) => ({
          ...row,
          id: row.bucketStart,
          name: nameOf(Date.parse(row.bucketStart)),
          href: null,
        }))
        .reverse();
    }
  }
}

function useMarginColumns(by: MarginGrouping): Column<MarginRow>[] {
  const text = useMessages("margin");
  const format = useFormat();
  return [
    {
      id: "name",
      head: text.first[by],
      className: "min-w-36",
      cell: ({ name, href }) =>
        href === null ? (
          <span className="wrap-anywhere">{name}</span>
        ) : (
          <TextLink href={href}>{name}</TextLink>
        ),
    },
    { id: "revenue", head: text.revenue, card: "corner", money: (row) => row.revenue },
    {
      id: "covered",
      head: text.covered,
      end: true,
      cell: (row) => (row.cost === null ? "–" : format.percent(ratio(row.covered, row.revenue))),
    },
    { id: "cost", head: text.cost, money: (row) => row.cost },
    { id: "margin", head: text.margin, money: (row) => row.margin },
    {
      id: "share",
      head: text.share,
      end: true,
      cell: (row) => (row.margin === null ? "–" : format.percent(ratio(row.margin, row.covered))),
    },
  ];
}

function fileOf(
  rows: readonly MarginRow[],
  first: string,
  text: { revenue: string; coveredRevenue: string; cost: string; margin: string },
): Array<Array<string | number>> {
  const amount = (cents: string | null) => (cents === null ? "" : centsToYuan(cents));
  return [
    [first, ...[text.revenue, text.coveredRevenue, text.cost, text.margin].map((head) => `${head} CNY`)],
    ...rows.map((row) => [row.name, ...[row.revenue, row.covered, row.cost, row.margin].map(amount)]),
  ];
}
