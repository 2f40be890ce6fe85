"use client";

import { Download } from "lucide-react";
import { centsToYuan, ratio, toScaled } from "@/lib/shared/decimal";
import type { Margin } from "../../api/admin/types";
import { withQuery } from "../../api/client";
import { useShell } from "../../api/shell-facts";
import { downloadCsv } from "../../charts/csv";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import type { Sorting } from "../../lists/row-order";
import { SortedTable } from "../../lists/sorted-table";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import type { Column } from "../../ui/columns";
import { DataTable } from "../../ui/data-table";
import { TextLink } from "../../ui/link";
import { makeBucketName, rangeName } from "../../usage/chart-formatters";

export const marginGroupings = ["models", "nodes", "accounts", "buckets"] as const;

/** What a table of margins is by. */
export type MarginGrouping = (typeof marginGroupings)[number];

type MarginRow = Margin["totals"] & { id: string; name: string; href: string | null };

/** What was billed, provider cost and margin of each model, node, account or day, with their sum, and as a file. */
export function MarginTable(props: { margin: Margin; by: MarginGrouping }) {
  const text = useMessages("margin");
  const common = useMessages("common");
  const { margin, by } = props;
  const format = useFormat();
  const download = useMarginFile(margin, by);
  const table = useMarginTable(margin, by);
  const isPart = by === "accounts" && margin.accountCount > margin.accounts.length;
  return (
    <Card
      flush
      title={text.by[by]}
      actions={
        <Button size="sm" variant="ghost" onClick={download}>
          <Download aria-hidden className="size-4" />
          {common.downloadCsv}
        </Button>
      }
    >
      <SortedTable {...table} flush caption={text.by[by]} sortings={sortings} nameOf={(row) => row.name} />
      {isPart && (
        <p className="px-4 py-3 text-sm text-muted">
          {fill(text.leading, {
            shown: format.countFull(margin.accounts.length),
            count: format.countFull(margin.accountCount),
          })}
        </p>
      )}
    </Card>
  );
}

/** The same by day, as the table of a chart. */
export function MarginDays(props: { margin: Margin; caption: string }) {
  return <DataTable {...useMarginTable(props.margin, "buckets")} caption={props.caption} />;
}

/** The rows of a grouping with their sum. */
function useMarginTable(margin: Margin, by: MarginGrouping) {
  return {
    opens: by !== "buckets",
    columns: useMarginColumns(by),
    rows: useMarginRows(margin, by),
    total: useTotalRow(margin),
    rowId: (row: MarginRow) => row.id,
  };
}

/** The largest first; what is not known stays at the end. */
const sortings: Record<string, Sorting<MarginRow>> = {
  billed: { first: "desc", by: ({ revenue }) => toScaled(revenue) },
  covered: { first: "desc", by: (row) => (row.cost === null ? null : ratio(row.covered, row.revenue)) },
  cost: { first: "desc", by: ({ cost }) => (cost === null ? null : toScaled(cost)) },
  margin: { first: "desc", by: ({ margin }) => (margin === null ? null : toScaled(margin)) },
  share: { first: "asc", by: (row) => (row.margin === null ? null : ratio(row.margin, row.covered)) },
};

/** Downloads the rows of a grouping with their sum. */
export function useMarginFile(margin: Margin, by: MarginGrouping): () => void {
  const text = useMessages("margin");
  const rows = useMarginRows(margin, by);
  const total = useTotalRow(margin);
  return () =>
    downloadCsv(
      `tollgate-margin-by-${by}-${rangeName(margin)}.csv`,
      fileOf([...rows, total], text.first[by], text),
    );
}

function useTotalRow(margin: Margin): MarginRow {
  return { ...margin.totals, id: "total", name: useMessages("margin").total, href: null };
}

function useMarginRows(margin: Margin, by: MarginGrouping): MarginRow[] {
  const text = useMessages("margin");
  const format = useFormat();
  const { admin } = useShell();
  switch (by) {
    case "models":
      return margin.models.map((row) => ({
        ...row,
        id: row.model,
        name: row.model,
        href: withQuery("/admin/usage", { model: row.model }),
      }));
    case "nodes":
      return margin.nodes.map(({ nodeId, node, ...row }) => ({
        ...row,
        id: nodeId,
        name: node === "" ? text.deleted : node,
        href: node === "" || !admin ? null : `/admin/nodes?node=${nodeId}`,
      }));
    case "accounts":
      return margin.accounts.map(({ userId, username, deleted, ...row }) => ({
        ...row,
        id: userId,
        name: username === "" ? text.deleted : username,
        href: deleted || !admin ? null : `/admin/users/${userId}`,
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
    { id: "billed", head: text.billed, card: "corner", money: (row) => row.revenue },
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
  text: Messages["margin"],
): Array<Array<string | number>> {
  const amount = (cents: string | null) => (cents === null ? "" : centsToYuan(cents));
  return [
    [first, ...[text.billed, text.billedWithCost, text.cost, text.margin].map((head) => `${head} CNY`)],
    ...rows.map((row) => [row.name, ...[row.revenue, row.covered, row.cost, row.margin].map(amount)]),
  ];
}
