"use client";

import { Download } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useMemo } from "react";
import type { ProviderBill } from "@/lib/shared/provider-bills/bill";
import type { BillRange } from "@/lib/shared/provider-bills/bill-range";
import { type BillComparison, type ComparedRow, compareBill } from "@/lib/shared/provider-bills/compare-bill";
import type { OurDay } from "@/lib/shared/provider-bills/our-days";
import { QueryRegion } from "../../../api/query-region";
import { useRead } from "../../../api/use-read";
import { downloadCsv } from "../../../charts/csv";
import { plural } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import { SortedTable } from "../../../lists/sorted-table";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { Segmented } from "../../../ui/segmented";
import { EmptyState } from "../../../ui/states";
import { billSortings, type ShownRow, shownRow, totalRow, useBillColumns } from "./bill-columns";
import { billFile } from "./bill-file";
import { useCauseWords } from "./use-cause-words";

/** More rows are in the file only. */
const MOST_SHOWN = 500;
/** As many nodes as one read can name; of more all nodes are read. */
const MOST_NODES = 100;
const shows = ["differences", "all"] as const;

/** The comparison of a bill with what went to some nodes in a range, which all its days are in. */
export function BillResult(props: {
  bill: ProviderBill;
  range: Pick<BillRange, "from" | "to">;
  nodes: string[];
  rate: string | null;
}) {
  const { range, nodes } = props;
  const { from, to } = range;
  const ours = useRead("GET /api/admin/provider-bill", {
    query: { from, to, nodes: nodes.length > MOST_NODES ? null : nodes.toSorted().join(",") },
  });
  return (
    <QueryRegion query={ours} keepsOther>
      {(data) => <Compared {...props} ours={data.rows} />}
    </QueryRegion>
  );
}

function Compared(props: { bill: ProviderBill; nodes: string[]; rate: string | null; ours: OurDay[] }) {
  const text = useMessages("providerBill");
  const common = useMessages("common");
  const { locale, countFull } = useFormat();
  const [show, setShow] = useQueryState("show", parseAsStringLiteral(shows).withDefault("differences"));
  const { bill, nodes, rate, ours } = props;
  const compared = useMemo(() => {
    const ofNodes = ours.filter(({ nodeId }) => nodes.includes(nodeId));
    return compareBill(bill, ofNodes, { rate });
  }, [bill, nodes, rate, ours]);
  const download = useFile(bill, compared);
  const { rows } = compared;
  const differing = rows.filter(({ cause }) => cause.kind !== "equal");
  return (
    <Card
      flush
      title={text.result}
      actions={
        <Button size="sm" variant="ghost" onClick={download}>
          <Download aria-hidden className="size-4" />
          {common.downloadCsv}
        </Button>
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
        <p role="status" className="text-sm">
          {plural(text.differing, rows.length, locale, { differing: countFull(differing.length) })}
        </p>
        <Segmented
          label={text.show}
          value={show}
          onChange={(next) => void setShow(next)}
          options={shows.map((value) => ({ value, label: text.shown[value] }))}
        />
      </div>
      <Rows compared={compared} rows={show === "all" ? rows : differing} currency={bill.currency} />
    </Card>
  );
}

function Rows(props: { compared: BillComparison; rows: ComparedRow[]; currency: string | null }) {
  const text = useMessages("providerBill");
  const { locale } = useFormat();
  const { compared } = props;
  const total = totalRow(compared.totals, text.total);
  const rows = props.rows.map(shownRow);
  const columns = useBillColumns([...rows, total], props.currency);
  if (compared.rows.length === 0) return <EmptyState title={text.nothing} />;
  if (rows.length === 0) return <EmptyState title={text.allEqual}>{text.allEqualHint}</EmptyState>;
  return (
    <>
      <SortedTable
        flush
        caption={text.caption}
        columns={columns}
        rows={rows}
        rowId={(row: ShownRow) => row.id}
        sortings={billSortings}
        nameOf={(row) => `${row.model} ${row.day}`}
        most={MOST_SHOWN}
        total={total}
      />
      {rows.length > MOST_SHOWN && (
        <p className="px-4 py-3 text-sm text-muted">{plural(text.more, rows.length - MOST_SHOWN, locale)}</p>
      )}
    </>
  );
}

/** Downloads all rows, equal ones too. */
function useFile(bill: ProviderBill, { rows }: BillComparison): () => void {
  const text = useMessages("providerBill");
  const wordsOf = useCauseWords(bill.currency);
  return () => {
    const [from = "", to = ""] = [rows.at(-1)?.day, rows[0]?.day];
    downloadCsv(
      `tollgate-bill-${bill.vendor}-${from}-${to}.csv`,
      billFile(rows, bill.currency, text, wordsOf),
    );
  };
}
