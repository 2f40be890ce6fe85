"use client";

import { useSearchParams } from "next/navigation";
import { useEffect } from "react";

const LIST = "/admin/users";
let remembered = "";

/** Remembers the filters and the order of the list of accounts until the page is loaded anew. */
export function useRememberedList(): void {
  const search = useSearchParams().toString();
  useEffect(() => {
    remembered = search === "" ? "" : `?${search}`;
  }, [search]);
}

/** The list of accounts as it was last shown. */
export function listAddress(): string {
  return LIST + remembered;
}
