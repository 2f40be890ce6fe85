"use client";

import { useQuery } from "@tanstack/react-query";
import { userKey as ofUser } from "../../api/admin/page-reads";
import { callApi } from "../../api/client";
import { useFormat } from "../../i18n/provider";

/** On one page of the lists of an account. */
export const ROWS_PER_PAGE = 20;

/** A page of an account's keys. */
export function useUserKeys(id: string, page: number) {
  return useQuery({
    queryKey: [...ofUser(id), "keys", page],
    queryFn: ({ signal }) =>
      callApi("GET /api/admin/users/{id}/tokens", {
        params: { id },
        query: { page, pageSize: ROWS_PER_PAGE },
        signal,
      }),
  });
}

/** A page of an account's ledger, of one type or all and of some days or all. */
export function useUserLedger(
  id: string,
  filter: { type: string | null; from: string | null; to: string | null; page: number },
) {
  const query = { ...filter, tz: useFormat().timeZone, pageSize: ROWS_PER_PAGE };
  return useQuery({
    queryKey: [...ofUser(id), "ledger", query],
    queryFn: ({ signal }) => callApi("GET /api/admin/users/{id}/grants", { params: { id }, query, signal }),
  });
}

/** The newest requests of an account, or the newest of an outcome. */
export function useUserRequests(id: string, outcome: "failed" | "refused" | null) {
  const query = { userId: id, outcome, pageSize: ROWS_PER_PAGE };
  return useQuery({
    queryKey: [...ofUser(id), "requests", outcome],
    queryFn: ({ signal }) => callApi("GET /api/admin/logs", { query, signal }),
  });
}
