"use client";

import type { ReactNode } from "react";
import type { Cents, listColumns, MoneyColumn } from "../i18n/money";
import { useFormat } from "../i18n/provider";

type Content<T> =
  | { cell: (row: T) => ReactNode }
  /** An amount in cents, in a list; null is a dash. The decimals are those of its kind. */
  | { listed: (row: T) => Cents | null; kind: keyof typeof listColumns }
  /** An amount in cents, in a table that has all its rows; null is a dash. All have the decimals that the largest needs. */
  | { money: (row: T) => Cents | null }
  /** A price or another amount in cents that is shown with every digit; null is a dash. */
  | { rate: (row: T) => Cents | null };

/** One column of a table; the first one names the row. */
export type Column<T> = Content<T> & {
  id: string;
  head: string;
  /** The head is a button that sorts the rows by this column. */
  sort?: ColumnSort;
  /** What a table's head shows instead of the text, such as a check box. */
  headCell?: ReactNode;
  /** What a cell of a table has besides its content; cards leave it out. */
  beside?: (row: T) => ReactNode;
  /** Numbers align to the end; amounts always do. */
  end?: boolean;
  /** Narrower tables leave it out; cards always show it. */
  from?: keyof typeof hiding;
  /** Only shown when the reader chooses it, and never in a card. */
  extra?: boolean;
  /**
   * Where a card shows it: as its title instead of the first column, beside the title, among the facts without
   * its label, on a line of its own with or without it, or not at all; else among the facts.
   */
  card?: "title" | "corner" | "plain" | "wide" | "line" | "none";
  className?: string;
};

/** How a column sorts the rows. */
export interface ColumnSort {
  /** Undefined: the rows are in the order of another column. */
  direction: "ascending" | "descending" | undefined;
  onSort: () => void;
}

/** The classes that hide a column in a table narrower than `widths`; the table's own width counts, not the page's. */
const hiding = {
  lg: "@max-[880px]:hidden",
  xl: "@max-[980px]:hidden",
  "2xl": "@max-[1144px]:hidden",
  "3xl": "@max-[1220px]:hidden",
};

/** As in `hiding`. Unit: px. */
const widths: Record<keyof typeof hiding, number> = { lg: 880, xl: 980, "2xl": 1144, "3xl": 1220 };

/** Whether a table of this width leaves a column out. */
export function isTooWide(column: { from?: keyof typeof hiding }, width: number | null): boolean {
  return column.from !== undefined && width !== null && width < widths[column.from];
}

/** A column with the content of its cells. */
export type ShownColumn<T> = Omit<Column<T>, "cell" | "money" | "rate" | "listed" | "kind"> & {
  end: boolean;
  show: (row: T) => ReactNode;
};

/** The columns with the content of their cells; amounts and prices know the others of their column, and the sum. */
export function useShownColumns<T>({
  columns,
  rows,
  total,
}: {
  columns: Column<T>[];
  rows: T[];
  total?: T;
}): ShownColumn<T>[] {
  const format = useFormat();
  const all = total === undefined ? rows : [...rows, total];
  return columns.map((column) => {
    if ("cell" in column) return { ...column, end: column.end ?? false, show: column.cell };
    if ("listed" in column) {
      const { listed, kind, ...rest } = column;
      const print = format.listColumn(kind);
      return { ...rest, end: true, show: (row) => <Amount cents={listed(row)} print={print} /> };
    }
    const [read, columnOf] =
      "money" in column ? [column.money, format.moneyColumn] : [column.rate, format.exactColumn];
    const print = columnOf(all.map(read).filter((amount) => amount !== null));
    return { ...column, end: true, show: (row) => <Amount cents={read(row)} print={print} /> };
  });
}

/** An amount, as its column shows it where that has a way of its own, with every digit in the tooltip. */
export function Amount(props: { cents: Cents | null; print?: MoneyColumn }) {
  const format = useFormat();
  if (props.cents === null) return "–";
  return (
    <span className="tabular whitespace-nowrap" title={format.moneyExact(props.cents)}>
      {(props.print ?? format.money)(props.cents)}
    </span>
  );
}

/** The class of a column that narrower tables leave out. */
export function hidden(column: { from?: keyof typeof hiding }): string | undefined {
  return column.from && hiding[column.from];
}
