"use client";

import { parseAsStringLiteral, useQueryStates } from "nuqs";
import type { CatalogModel } from "../api/types";
import { toScaled } from "../i18n/decimal";
import { useMessages } from "../i18n/provider";
import type { ColumnSort } from "../ui/data-table";
import { Select } from "../ui/field";

const sorts = ["input", "output", "context"] as const;
type Sort = (typeof sorts)[number];

/** Prices begin with the lowest, windows with the widest. */
const firstOrder = { input: "asc", output: "asc", context: "desc" } as const;

const parsers = { sort: parseAsStringLiteral(sorts), order: parseAsStringLiteral(["asc", "desc"]) };

/** The order of the catalog, in the address; without one it is the catalog's own. */
export interface ModelOrder {
  sort: Sort | null;
  onSort(sort: Sort | null): void;
  sortBy(column: Sort): ColumnSort;
  sorted(models: CatalogModel[]): CatalogModel[];
}

/** Reads and changes the order in the address. */
export function useModelOrder(): ModelOrder {
  const [{ sort, order }, setUrl] = useQueryStates(parsers);
  const direction = order ?? (sort === null ? "asc" : firstOrder[sort]);
  const onSort = (chosen: Sort | null) => void setUrl({ sort: chosen, order: null });
  return {
    sort,
    onSort,
    sortBy: (column) => ({
      direction: column !== sort ? undefined : direction === "asc" ? "ascending" : "descending",
      onSort: () =>
        column === sort ? void setUrl({ order: direction === "asc" ? "desc" : "asc" }) : onSort(column),
    }),
    sorted: (models) => (sort === null ? models : sortedModels(models, sort, direction)),
  };
}

/** Models by a price or by their window; those without one are last in either direction. */
export function sortedModels(
  models: readonly CatalogModel[],
  sort: Sort,
  direction: "asc" | "desc",
): CatalogModel[] {
  const sign = direction === "asc" ? 1 : -1;
  return [...models].sort((left, right) => {
    const [a, b] = [sizeOf(left, sort), sizeOf(right, sort)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return a === b ? left.id.localeCompare(right.id) : a < b ? -sign : sign;
  });
}

/** What a model is sorted by; null for none. Amounts are exact. */
function sizeOf(model: CatalogModel, sort: Sort): bigint | null {
  if (sort === "context") return model.contextWindow === null ? null : BigInt(model.contextWindow);
  if (sort === "output" && model.kind !== "generation") return null;
  return toScaled(model.prices[sort]);
}

/** Cards have no heads to sort by. */
export function SortChoice(props: { order: ModelOrder }) {
  const text = useMessages("models");
  const { sort, onSort } = props.order;
  return (
    <div className="min-w-0 grow basis-2/5 md:hidden">
      <Select
        aria-label={text.sort}
        value={sort ?? ""}
        options={[
          { value: "", label: text.sort },
          ...sorts.map((value) => ({ value, label: text.sorts[value] })),
        ]}
        onChange={(event) => onSort(sorts.find((value) => value === event.target.value) ?? null)}
      />
    </div>
  );
}
