"use client";

import { useLanguage } from "../i18n/provider";

/** What the reader has chosen for the columns of one list. */
export interface ColumnChoice {
  /** Null where nothing was chosen: the width of the table decides. */
  of(column: string): "shown" | "hidden" | null;
  /** Whether the reader wants a column, whatever the width. */
  wants(column: { id: string; extra?: boolean }): boolean;
  any: boolean;
  choose(column: string, shown: boolean): void;
  reset(): void;
}

/** Reads and changes the choices of one list; without a list there are none. */
export function useColumnChoice(list: string | undefined): ColumnChoice {
  const { columns, chooseColumns } = useLanguage();
  const isOwn = (entry: string) => entry.startsWith(`${list}+`) || entry.startsWith(`${list}-`);
  const entry = (column: string, shown: boolean) => `${list}${shown ? "+" : "-"}${column}`;
  const isOf = (column: string, one: string) => one === entry(column, true) || one === entry(column, false);
  const of = (column: string) => {
    if (columns.includes(entry(column, true))) return "shown";
    return columns.includes(entry(column, false)) ? "hidden" : null;
  };
  return {
    of,
    wants: ({ id, extra }) => (extra === true ? of(id) === "shown" : of(id) !== "hidden"),
    any: columns.some(isOwn),
    choose: (column, shown) =>
      chooseColumns([...columns.filter((one) => !isOf(column, one)), entry(column, shown)]),
    reset: () => chooseColumns(columns.filter((one) => !isOwn(one))),
  };
}
