import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/kernel/durations";
import { type Read, read } from "../../api/read";

/** Accounts in use that have little left, those that called last first. */
export const lowUsers = {
  query: { status: "active", quota: "low", sort: "lastActiveAt", order: "desc", page: 1, pageSize: 5 },
};

/** Accounts in use that have nothing left: only their number is shown. */
export const emptyUsers = { query: { ...lowUsers.query, quota: "empty", pageSize: 1 } };

/** The server checks every hour by itself; a check reads the whole ledger, so opening a page takes the last one. */
export const CHECK_IS_CURRENT_MS = HOUR_MS + 5 * MINUTE_MS;

/** The last check of all balances. */
export const lastCheck = { query: { maxAgeSeconds: CHECK_IS_CURRENT_MS / SECOND_MS } };

/** What the overview of all accounts asks for. */
export function adminOverviewReads(tz: string): Read[] {
  return [
    read("GET /api/admin/nodes"),
    read("GET /api/admin/models"),
    read("GET /api/admin/stats", { query: { period: "7d", tz } }),
    read("GET /api/admin/users", lowUsers),
    read("GET /api/admin/users", emptyUsers),
    read("GET /api/admin/refusals"),
    read("GET /api/admin/reconcile", lastCheck),
  ];
}
