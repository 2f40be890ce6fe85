"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { parseAsStringLiteral, useQueryStates } from "nuqs";
import { comparing } from "@/lib/shared/collate";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import type { ColumnSort } from "../ui/columns";
import { Select } from "../ui/field";

type Direction = "asc" | "desc";

/** What rows can be sorted by. */
export interface Sorting<T> {
  /** The order that a first click gives. */
  first: Direction;
  /** What they are compared by; rows with null are last in either direction. */
  by: (row: T) => string | number | bigint | null;
}

/** What rows are sorted by while nobody has chosen. */
export interface FirstOrder<Name> {
  sort: Name;
  order: Direction;
}

/** The order of rows, in the address; without one it is the first one, or that of the list itself. */
export interface RowOrder<T, Name extends string> {
  sort: Name | null;
  onSort(sort: Name | null): void;
  sortBy(column: Name): ColumnSort;
  sorted(rows: readonly T[]): T[];
}

/** Reads and changes the order in the address, for a list whose rows are all there. */
export function useRowOrder<T, Name extends string>(
  sortings: Record<Name, Sorting<T>>,
  nameOf: (row: T) => string,
  initial?: FirstOrder<NoInfer<Name>>,
): RowOrder<T, Name> {
  const [url, setUrl] = useQueryStates({
    // The names of the sortings are all of their names.
    sort: parseAsStringLiteral(Object.keys(sortings) as Name[]),
    order: parseAsStringLiteral(["asc", "desc"]),
  });
  const sort: Name | null = url.sort ?? initial?.sort ?? null;
  const first = url.sort === null ? initial?.order : sortings[url.sort].first;
  const direction = url.order ?? first ?? "asc";
  const compareTexts = comparing(useFormat().locale);
  const onSort = (chosen: Name | null) => void setUrl({ sort: chosen, order: null });
  return {
    sort,
    onSort,
    sortBy: (column) => ({
      direction: column !== sort ? undefined : direction === "asc" ? "ascending" : "descending",
      onSort: () =>
        column === sort ? void setUrl({ sort, order: direction === "asc" ? "desc" : "asc" }) : onSort(column),
    }),
    sorted: (rows) =>
      sort === null ? [...rows] : sortedRows(rows, sortings[sort].by, direction, nameOf, compareTexts),
  };
}

/** Rows in an order; equal ones by name, those without a value last. */
export function sortedRows<T>(
  rows: readonly T[],
  by: Sorting<T>["by"],
  direction: Direction,
  nameOf: (row: T) => string,
  compareTexts: (a: string, b: string) => number,
): T[] {
  const compare = (a: string | number | bigint, b: string | number | bigint) =>
    typeof a === "string" && typeof b === "string" ? compareTexts(a, b) : a === b ? 0 : a < b ? -1 : 1;
  const sign = direction === "asc" ? 1 : -1;
  return [...rows].sort((left, right) => {
    const [a, b] = [by(left), by(right)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compare(a, b) || compare(nameOf(left), nameOf(right));
  });
}

/** The order of cards, which have no heads to sort by: what they are sorted by and, where it can be turned, how. */
export function SortSelect<Name extends string>(props: {
  order: Pick<RowOrder<never, Name>, "sort" | "onSort"> & Partial<Pick<RowOrder<never, Name>, "sortBy">>;
  options: { value: Name; label: string }[];
  /** One of the options holds while nobody has chosen. */
  hasFirst?: boolean;
}) {
  const common = useMessages("common");
  const { options } = props;
  const { sort, onSort, sortBy } = props.order;
  return (
    <div className="flex min-w-0 grow basis-2/5 items-center gap-2 md:hidden">
      <span aria-hidden className="shrink-0 text-sm text-muted">
        {common.sort}
      </span>
      <div className="min-w-0 grow">
        <Select
          aria-label={common.sort}
          value={sort ?? ""}
          options={props.hasFirst ? options : [{ value: "", label: common.unsorted }, ...options]}
          onChange={(event) =>
            onSort(options.find(({ value }) => value === event.target.value)?.value ?? null)
          }
        />
      </div>
      {sort !== null && sortBy !== undefined && <TurnButton {...sortBy(sort)} />}
    </div>
  );
}

/** Tells the direction of the order, and turns it around. */
function TurnButton({ direction = "ascending", onSort }: ColumnSort) {
  const text = useMessages("common").turnOrder;
  const Icon = direction === "ascending" ? ArrowUp : ArrowDown;
  return (
    <Button size="icon" aria-label={text[direction]} title={text[direction]} onClick={onSort}>
      <Icon aria-hidden className="size-4" />
    </Button>
  );
}
