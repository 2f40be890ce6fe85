"use client";

import type { ComponentProps } from "react";
import { cn } from "../ui/cn";
import { DataTable } from "../ui/data-table";
import { type FirstOrder, type Sorting, SortSelect, useRowOrder } from "./row-order";

/** A table of rows that are all there, sorted by its heads; on a phone, where there are none, by a choice above the cards. */
export function SortedTable<T>(
  props: ComponentProps<typeof DataTable<T>> & {
    /** By the id of their column. */
    sortings: Record<string, Sorting<T>>;
    /** What rows that are otherwise equal are sorted by. */
    nameOf: (row: T) => string;
    initial?: FirstOrder<string>;
    /** Of the sorted rows so many are shown; all without it. */
    most?: number;
  },
) {
  const { sortings, nameOf, initial, most, ...table } = props;
  const order = useRowOrder(sortings, nameOf, initial);
  const isSortable = ({ id }: { id: string }) => Object.hasOwn(sortings, id);
  return (
    <div className="grid min-w-0 gap-3">
      <div className={cn("md:hidden", table.flush && "px-4 pt-3")}>
        <SortSelect
          order={order}
          hasFirst={initial !== undefined}
          options={table.columns
            .filter((column) => isSortable(column) && column.card !== "none")
            .map(({ id, head }) => ({ value: id, label: head }))}
        />
      </div>
      <div className="min-w-0">
        <DataTable
          {...table}
          rows={order.sorted(table.rows).slice(0, most)}
          columns={table.columns.map((column) =>
            isSortable(column) ? { ...column, sort: order.sortBy(column.id) } : column,
          )}
        />
      </div>
    </div>
  );
}
