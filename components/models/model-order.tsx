"use client";

import type { CatalogModel } from "../api/types";
import { toScaled } from "../i18n/decimal";
import { useMessages } from "../i18n/provider";
import { type RowOrder, type Sorting, SortSelect, useRowOrder } from "../lists/row-order";

const sorts = ["input", "output", "context"] as const;
type Sort = (typeof sorts)[number];

/** The order of the catalog. */
export type ModelOrder = RowOrder<CatalogModel, Sort>;

/** Prices, as exact amounts, begin with the lowest, windows with the widest. */
export const modelSortings: Record<Sort, Sorting<CatalogModel>> = {
  input: { first: "asc", by: ({ prices }) => toScaled(prices.input) },
  output: {
    first: "asc",
    by: ({ kind, prices }) => (kind === "generation" ? toScaled(prices.output) : null),
  },
  context: { first: "desc", by: ({ contextWindow }) => contextWindow },
};

/** Reads and changes the order in the address. */
export function useModelOrder(): ModelOrder {
  return useRowOrder(modelSortings, ({ id }) => id);
}

/** The order of the cards. */
export function SortChoice(props: { order: ModelOrder }) {
  const text = useMessages("models");
  return (
    <SortSelect
      order={props.order}
      label={text.sort}
      options={sorts.map((value) => ({ value, label: text.sorts[value] }))}
    />
  );
}
