"use client";

import type { ReactNode } from "react";
import type { Cents, MoneyColumn } from "../i18n/money";
import { useFormat } from "../i18n/provider";
import { cn } from "./cn";
import { Table, Td, Th } from "./table";

type Content<T> =
  | { cell: (row: T) => ReactNode }
  /** An amount in cents; null is a dash. The whole column has the same number of decimals. */
  | { money: (row: T) => Cents | null }
  /** A price in cents, shown with every digit; null is a dash. */
  | { rate: (row: T) => Cents | null };

/** One column of a table; the first one names the row. */
export type Column<T> = Content<T> & {
  id: string;
  head: string;
  /** Numbers align to the end; amounts always do. */
  end?: boolean;
  /** Narrower tables leave it out; cards always show it. */
  from?: "lg" | "xl";
  /** Where a card shows it: beside the name, over the whole width, or not at all; else among the facts. */
  card?: "corner" | "wide" | "none";
  className?: string;
};

interface TableProps<T> {
  caption: string;
  columns: Column<T>[];
  rows: T[];
  rowId: (row: T) => string;
  actions?: ((row: T) => ReactNode) | undefined;
  actionsHead?: string;
  /** The table is the whole content of a card, which has the border. */
  flush?: boolean;
  current?: (row: T) => boolean;
  className?: string;
}

/** Rows of equal height as a table; on a phone each row is a card. */
export function DataTable<T>(props: TableProps<T>) {
  const columns = useShownColumns(props.columns, props.rows);
  const cardFrame = props.flush === true ? "px-4 py-3" : "rounded-lg border p-4";
  return (
    <>
      <div className={cn("overflow-hidden max-md:hidden", props.flush !== true && "rounded-lg border")}>
        <Table caption={props.caption} {...(props.className && { className: props.className })}>
          <Head columns={columns} {...(props.actions && { actionsHead: props.actionsHead ?? "" })} />
          <tbody>
            {props.rows.map((row) => (
              <tr
                key={props.rowId(row)}
                className={cn(
                  "last:*:border-b-0",
                  props.current?.(row) ? "bg-primary-soft" : "hover:bg-card",
                )}
                aria-current={props.current?.(row) ? "true" : undefined}
              >
                {columns.map((column) => (
                  <Td key={column.id} end={column.end} className={cn(hiding(column), column.className)}>
                    {column.show(row)}
                  </Td>
                ))}
                {props.actions !== undefined && <Td end>{props.actions(row)}</Td>}
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
      <ul
        aria-label={props.caption}
        className={cn("md:hidden", props.flush === true ? "divide-y" : "grid gap-3")}
      >
        {props.rows.map((row) => (
          <li key={props.rowId(row)} className={cn("grid gap-3", cardFrame)}>
            <RowCard columns={columns} row={row} actions={props.actions?.(row)} />
          </li>
        ))}
      </ul>
    </>
  );
}

type ShownColumn<T> = Omit<Column<T>, "cell" | "money" | "rate"> & {
  end: boolean;
  show: (row: T) => ReactNode;
};

/** The columns with the content of their cells: amounts know the other amounts of their column. */
function useShownColumns<T>(columns: Column<T>[], rows: T[]): ShownColumn<T>[] {
  const format = useFormat();
  return columns.map((column) => {
    const { end = false } = column;
    if ("cell" in column) return { ...column, end, show: column.cell };
    const read = "money" in column ? column.money : column.rate;
    const amounts = rows.map(read).filter((amount) => amount !== null);
    const print = "money" in column ? format.moneyColumn(amounts) : format.rateColumn(amounts);
    return { ...column, end: true, show: (row) => <Amount cents={read(row)} print={print} /> };
  });
}

/** An amount as its column shows it, with every digit in the tooltip. */
export function Amount(props: { cents: Cents | null; print: MoneyColumn }) {
  const format = useFormat();
  if (props.cents === null) return "–";
  return (
    <span className="tabular whitespace-nowrap" title={format.moneyExact(props.cents)}>
      {props.print(props.cents)}
    </span>
  );
}

function hiding(column: { from?: "lg" | "xl" }): string | undefined {
  return column.from && { lg: "max-lg:hidden", xl: "max-xl:hidden" }[column.from];
}

function Head<T>(props: { columns: ShownColumn<T>[]; actionsHead?: string }) {
  return (
    <thead>
      <tr>
        {props.columns.map((column) => (
          <Th key={column.id} end={column.end} className={hiding(column)}>
            {column.head}
          </Th>
        ))}
        {props.actionsHead !== undefined && (
          <Th>
            <span className="sr-only">{props.actionsHead}</span>
          </Th>
        )}
      </tr>
    </thead>
  );
}

function RowCard<T>(props: { columns: ShownColumn<T>[]; row: T; actions: ReactNode }) {
  const [name, ...rest] = props.columns;
  const shown = rest.filter((column) => column.card !== "none");
  const corner = shown.filter((column) => column.card === "corner");
  const facts = shown.filter((column) => column.card !== "corner");
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0 wrap-anywhere">{name?.show(props.row)}</div>
        <div className="flex shrink-0 items-center gap-2">
          {corner.map((column) => (
            <span key={column.id}>{column.show(props.row)}</span>
          ))}
          {props.actions}
        </div>
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm">
        {facts.map((column) => (
          <div key={column.id} className={cn("min-w-0", column.card === "wide" && "col-span-2")}>
            <dt className="text-xs text-muted">{column.head}</dt>
            <dd className="tabular wrap-anywhere">{column.show(props.row)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
