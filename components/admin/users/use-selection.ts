"use client";

import { useState } from "react";
import type { AdminUser } from "../types";

/** Accounts that are ticked, over all pages and filters. */
export interface Selection {
  users: AdminUser[];
  has(id: string): boolean;
  set(users: AdminUser[], ticked: boolean): void;
  /** Keeps only these. */
  keep(ids: string[]): void;
}

/** The ticked accounts of a list. */
export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, AdminUser>>(new Map());
  return {
    users: [...chosen.values()],
    has: (id) => chosen.has(id),
    set: (users, ticked) =>
      setChosen((before) => {
        const after = new Map(before);
        for (const user of users) {
          if (ticked) after.set(user.id, user);
          else after.delete(user.id);
        }
        return after;
      }),
    keep: (ids) => setChosen((before) => new Map([...before].filter(([id]) => ids.includes(id)))),
  };
}

/** What can be ticked: an account that is deleted cannot be changed. */
export function isSelectable(user: AdminUser): boolean {
  return user.status !== "deleted";
}
