"use client";

import type { CatalogModel, Uptime } from "../api/types";
import { toScaled } from "../i18n/decimal";
import { useMessages } from "../i18n/provider";
import { type RowOrder, type Sorting, SortSelect, useRowOrder } from "../lists/row-order";

const sorts = ["model", "input", "output", "context", "uptime"] as const;
type Sort = (typeof sorts)[number];

/** The order of the catalog. */
export type ModelOrder = RowOrder<CatalogModel, Sort>;

/** Prices, as exact amounts, begin with the lowest, windows with the widest, shares with the worst. */
export const modelSortings = (uptime?: Uptime | null): Record<Sort, Sorting<CatalogModel>> => ({
  model: { first: "asc", by: ({ id }) => id },
  input: { first: "asc", by: ({ prices }) => toScaled(prices.input) },
  output: {
    first: "asc",
    by: ({ kind, prices }) => (kind === "generation" ? toScaled(prices.output) : null),
  },
  context: { first: "desc", by: ({ contextWindow }) => contextWindow },
  uptime: {
    first: "asc",
    by: (model) => uptime?.models.find(({ id }) => id === model.id)?.lastDay ?? null,
  },
});

/** Reads and changes the order in the address. */
export function useModelOrder(uptime: Uptime | null | undefined): ModelOrder {
  return useRowOrder(modelSortings(uptime), ({ id }) => id);
}

/** The order of the cards. */
export function SortChoice(props: { order: ModelOrder; withUptime: boolean }) {
  const text = useMessages("models");
  return (
    <SortSelect
      order={props.order}
      label={text.sort}
      options={sorts
        .filter((value) => value !== "uptime" || props.withUptime)
        .map((value) => ({ value, label: text.sorts[value] }))}
    />
  );
}
