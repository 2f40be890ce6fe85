"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "./client";
import { keyUnder } from "./read";
import type { KeyRecord } from "./types";

/** On one page of the list. */
const MAX_KEYS_PER_PAGE = 100;

/** All keys of the account, across pages. */
export function useAllKeys(enabled: boolean) {
  return useQuery({
    queryKey: [...keyUnder("/api/user/tokens"), { page: "all" }],
    queryFn: async ({ signal }) => {
      const keys: KeyRecord[] = [];
      for (let page = 1; ; page += 1) {
        const query = { page, pageSize: MAX_KEYS_PER_PAGE };
        const { data, total } = await callApi("GET /api/user/tokens", { signal, query });
        keys.push(...data);
        if (data.length < MAX_KEYS_PER_PAGE || keys.length >= (total ?? 0)) return { data: keys };
      }
    },
    enabled,
  });
}
