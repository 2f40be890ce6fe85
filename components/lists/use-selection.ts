"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";

interface Row {
  id: string;
}

/** Rows that are ticked, over all pages and filters. */
export interface Selection<T extends Row> {
  rows: T[];
  has(id: string): boolean;
  set(rows: T[], ticked: boolean): void;
  /** Ticks one row, or, with Shift, all between it and the last one. */
  tick(row: T, ticked: boolean, range: { held: boolean; rows: T[] }): void;
  /** Takes over what has become of rows that are ticked. */
  renew(rows: T[]): void;
  /** Keeps only these. */
  keep(ids: string[]): void;
  /** Whether a row can be ticked at all. */
  takes(row: T): boolean;
}

/** The ticked rows of a list, as they were when `page` or a page before it was read; `first` are ticked from the start. */
export function useSelection<T extends Row>(
  page: T[] | undefined,
  takes: (row: T) => boolean,
  first: T[] = [],
): Selection<T> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(
    () => new Map(first.map((row) => [row.id, row])),
  );
  const onPage = useEffectEvent((rows: T[]) => setChosen((before) => freshened(before, rows, takes)));
  useEffect(() => {
    if (page !== undefined) onPage(page);
  }, [page]);
  const last = useRef<string | null>(null);
  const set = (rows: T[], ticked: boolean) =>
    setChosen((before) => {
      const after = new Map(before);
      for (const row of rows) {
        if (ticked) after.set(row.id, row);
        else after.delete(row.id);
      }
      return after;
    });
  return {
    takes,
    rows: [...chosen.values()],
    has: (id) => chosen.has(id),
    set,
    tick: (row, ticked, { held, rows }) => {
      set(held ? between(rows, last.current, row.id) : [row], ticked);
      last.current = row.id;
    },
    renew: (rows) => setChosen((before) => freshened(before, rows, takes)),
    keep: (ids) => setChosen((before) => new Map([...before].filter(([id]) => ids.includes(id)))),
  };
}

/** The chosen rows as a page shows them now; those that cannot be ticked any more are no longer chosen. */
export function freshened<T extends Row>(
  chosen: ReadonlyMap<string, T>,
  page: T[],
  takes: (row: T) => boolean,
): ReadonlyMap<string, T> {
  const known = page.filter(({ id }) => chosen.has(id));
  if (known.length === 0) return chosen;
  const after = new Map(chosen);
  for (const row of known) {
    if (takes(row)) after.set(row.id, row);
    else after.delete(row.id);
  }
  return after;
}

/** The rows from one to another, both included; the other alone where the first is not among them. */
function between<T extends Row>(rows: T[], from: string | null, to: string): T[] {
  const ends = [from, to].map((id) => rows.findIndex((row) => row.id === id));
  const [first = -1, other = -1] = ends;
  return first === -1 ? rows.slice(other, other + 1) : rows.slice(Math.min(...ends), Math.max(...ends) + 1);
}
