"use client";

import { useEffect, useRef, useState } from "react";
import type { AdminUser } from "../types";

/** Accounts that are ticked, over all pages and filters. */
export interface Selection {
  users: AdminUser[];
  has(id: string): boolean;
  set(users: AdminUser[], ticked: boolean): void;
  /** Ticks one account, or, with Shift, all between it and the last one. */
  tick(user: AdminUser, ticked: boolean, range: { held: boolean; rows: AdminUser[] }): void;
  /** Takes over what has become of accounts that are ticked. */
  renew(users: AdminUser[]): void;
  /** Keeps only these. */
  keep(ids: string[]): void;
}

type Chosen = ReadonlyMap<string, AdminUser>;

/** The ticked accounts of a list, as they were when `page` or a page before it was read. */
export function useSelection(page: AdminUser[] | undefined): Selection {
  const [chosen, setChosen] = useState<Chosen>(new Map());
  useEffect(() => {
    if (page !== undefined) setChosen((before) => freshened(before, page));
  }, [page]);
  const last = useRef<string | null>(null);
  const set = (users: AdminUser[], ticked: boolean) =>
    setChosen((before) => {
      const after = new Map(before);
      for (const user of users) {
        if (ticked) after.set(user.id, user);
        else after.delete(user.id);
      }
      return after;
    });
  return {
    users: [...chosen.values()],
    has: (id) => chosen.has(id),
    set,
    tick: (user, ticked, { held, rows }) => {
      set(held ? between(rows, last.current, user.id) : [user], ticked);
      last.current = user.id;
    },
    renew: (users) => setChosen((before) => freshened(before, users)),
    keep: (ids) => setChosen((before) => new Map([...before].filter(([id]) => ids.includes(id)))),
  };
}

/** The chosen accounts as a page shows them now; those that are deleted are no longer chosen. */
export function freshened(chosen: Chosen, page: AdminUser[]): Chosen {
  const known = page.filter(({ id }) => chosen.has(id));
  if (known.length === 0) return chosen;
  const after = new Map(chosen);
  for (const user of known) {
    if (isSelectable(user)) after.set(user.id, user);
    else after.delete(user.id);
  }
  return after;
}

/** The rows from one to another, both included; the other alone where the first is not among them. */
function between<Row extends { id: string }>(rows: Row[], from: string | null, to: string): Row[] {
  const ends = [from, to].map((id) => rows.findIndex((row) => row.id === id));
  const [first = -1, other = -1] = ends;
  return first === -1 ? rows.slice(other, other + 1) : rows.slice(Math.min(...ends), Math.max(...ends) + 1);
}

/** What can be ticked: an account that is deleted cannot be changed. */
export function isSelectable(user: AdminUser): boolean {
  return user.status !== "deleted";
}
