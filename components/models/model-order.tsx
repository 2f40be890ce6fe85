"use client";

import { toScaled } from "@/lib/shared/decimal";
import type { CatalogModel, Uptime } from "../api/types";
import { useMessages } from "../i18n/provider";
import { type RowOrder, type Sorting, SortSelect, useRowOrder } from "../lists/row-order";

const sorts = ["model", "input", "output", "context", "uptime", "firstToken", "speed"] as const;
/** Those of what is known in the console only. */
const measured: readonly Sort[] = ["uptime", "firstToken", "speed"];
type Sort = (typeof sorts)[number];

/** The order of the catalog. */
export type ModelOrder = RowOrder<CatalogModel, Sort>;

/** What the console knows of a model; undefined: nothing yet. */
export function measuredOf(uptime: Uptime | null | undefined, model: CatalogModel) {
  return uptime?.models.find(({ id }) => id === model.id);
}

/** Prices, as exact amounts, begin with the lowest, windows with the widest, shares with the worst, speeds with the best. */
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
    by: (model) => measuredOf(uptime, model)?.lastDay ?? null,
  },
  firstToken: { first: "asc", by: (model) => measuredOf(uptime, model)?.firstTokenMs ?? null },
  speed: { first: "desc", by: (model) => measuredOf(uptime, model)?.tokensPerSecond ?? null },
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
      options={sorts
        .filter((value) => !measured.includes(value) || props.withUptime)
        .map((value) => ({ value, label: text.sorts[value] }))}
    />
  );
}
