import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/kernel/durations";
import { PAGE_SIZE, type PageRead } from "../page-reads";

/** Names of cached admin answers. */
export const adminKeys = {
  all: ["admin"],
  nodes: ["admin", "nodes"],
  models: ["admin", "models"],
  prices: ["admin", "prices"],
  plans: ["admin", "plans"],
  users: ["admin", "users"],
  stats: ["admin", "stats"],
  audit: ["admin", "audit"],
  settings: ["admin", "settings"],
  announcements: ["admin", "announcements"],
  invitations: ["admin", "invitations"],
} as const;

/** One account. */
export const userKey = (id: string) => [...adminKeys.users, "one", id] as const;

/** The filters of accounts. */
export interface UserFilters {
  search: string | null;
  role: string | null;
  status: string | null;
  planId: string | null;
  quota: string | null;
  sort: string;
  order: string;
  /** The zone of the days that are summed up. */
  tz?: string;
  page: number;
  pageSize: number;
}

/** The first page of the accounts in use, the newest first. */
export const newestUsers = (tz: string): UserFilters => ({
  search: null,
  role: null,
  status: "current",
  planId: null,
  quota: null,
  sort: "createdAt",
  order: "desc",
  tz,
  page: 1,
  pageSize: PAGE_SIZE,
});

/** Accounts in use that have little left, those that called last first. */
export const lowUsers: UserFilters = {
  search: null,
  role: null,
  status: "active",
  planId: null,
  quota: "low",
  sort: "lastActiveAt",
  order: "desc",
  page: 1,
  pageSize: 5,
};

/** Accounts in use that have nothing left: only their number is shown. */
export const emptyUsers: UserFilters = { ...lowUsers, quota: "empty", pageSize: 1 };

/** Statistics of all accounts, or of one account or model. */
export interface AdminStatsQuery {
  /** Null: the days from and to. */
  period: string | null;
  from?: string | null;
  to?: string | null;
  tz: string;
  userId?: string;
  model?: string;
}

/** Every node with its health. */
export const nodesRead = { queryKey: adminKeys.nodes, name: "GET /api/admin/nodes" } as const;

/** Every model with its routes and price. */
export const adminModelsRead = { queryKey: adminKeys.models, name: "GET /api/admin/models" } as const;

/** Every plan with its use. */
export const adminPlansRead = { queryKey: adminKeys.plans, name: "GET /api/admin/plans" } as const;

/** A page of accounts. */
export function usersRead(filters: UserFilters) {
  const query = { ...filters };
  return { queryKey: [...adminKeys.users, filters], name: "GET /api/admin/users", query } as const;
}

/** Statistics of all accounts, or of one account or model. */
export function adminStatsRead(given: AdminStatsQuery) {
  const query = { ...given };
  return { queryKey: [...adminKeys.stats, given], name: "GET /api/admin/stats", query } as const;
}

/** The server checks every hour by itself; a check reads the whole ledger, so opening a page takes the last one. */
export const CHECK_IS_CURRENT_MS = HOUR_MS + 5 * MINUTE_MS;

/** The last check of all balances. */
export const lastCheckRead = {
  queryKey: [...adminKeys.all, "reconcile"],
  name: "GET /api/admin/reconcile",
  query: { maxAgeSeconds: CHECK_IS_CURRENT_MS / SECOND_MS },
} as const;

/** What was refused lately. */
export const refusalsRead = {
  queryKey: [...adminKeys.all, "refusals"],
  name: "GET /api/admin/refusals",
} as const;

/** What the overview of all accounts asks for. */
export function adminOverviewReads(tz: string): PageRead[] {
  const stats = adminStatsRead({ period: "7d", tz });
  const accounts = [usersRead(lowUsers), usersRead(emptyUsers)];
  return [nodesRead, adminModelsRead, stats, ...accounts, refusalsRead, lastCheckRead];
}
