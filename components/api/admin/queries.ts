"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "../client";
import {
  type AdminStatsQuery,
  adminKeys,
  adminModelsRead,
  adminPlansRead,
  adminStatsRead,
  nodesRead,
  refusalsRead,
  type UserFilters,
  userKey,
  usersRead,
} from "./page-reads";
import type { AdminUser } from "./types";

const NODES_EVERY_MS = 3_000;
const MINUTES_EVERY_MS = 10_000;
const STATS_EVERY_MS = 60_000;
const NODE_MODELS_FRESH_MS = 300_000;

/** Every node with its health, refetched every few seconds while the page is visible. */
export function useNodes(enabled = true) {
  return useQuery({
    queryKey: nodesRead.queryKey,
    queryFn: ({ signal }) => callApi(nodesRead.name, { signal }),
    enabled,
    refetchInterval: NODES_EVERY_MS,
    staleTime: 0,
  });
}

/** One node with the calls of its last sixty minutes. */
export function useNodeDetail(id: string) {
  return useQuery({
    queryKey: [...adminKeys.nodes, "one", id],
    queryFn: ({ signal }) => callApi("GET /api/admin/nodes/{id}", { params: { id: id }, signal }),
    refetchInterval: MINUTES_EVERY_MS,
    placeholderData: undefined,
  });
}

/** A node's own list of models, asked for when it is wanted. */
export function useNodeModels(id: string | null) {
  return useQuery({
    queryKey: [...adminKeys.nodes, "models", id],
    queryFn: ({ signal }) =>
      callApi("GET /api/admin/nodes/{id}/models", { params: { id: id ?? "" }, signal }),
    enabled: id !== null,
    staleTime: NODE_MODELS_FRESH_MS,
    placeholderData: undefined,
  });
}

/** How fast and how well a node answered in a period. */
export function useNodeStats(id: string, query: { period: string; tz: string }) {
  return useQuery({
    queryKey: [...adminKeys.nodes, "stats", id, query],
    queryFn: ({ signal }) => callApi("GET /api/admin/nodes/{id}/stats", { params: { id }, query, signal }),
    refetchInterval: STATS_EVERY_MS,
  });
}

/** Every model with its routes and price. */
export function useAdminModels(enabled = true) {
  return useQuery({
    queryKey: adminModelsRead.queryKey,
    queryFn: ({ signal }) => callApi(adminModelsRead.name, { signal }),
    enabled,
  });
}

/** The price versions of one alias, newest first. */
export function usePriceHistory(model: string) {
  return useQuery({
    queryKey: [...adminKeys.prices, model],
    queryFn: ({ signal }) => callApi("GET /api/admin/prices", { signal, query: { model } }),
  });
}

/** Every plan with its use. */
export function useAdminPlans() {
  return useQuery({
    queryKey: adminPlansRead.queryKey,
    queryFn: ({ signal }) => callApi(adminPlansRead.name, { signal }),
  });
}

/** Of each plan how many accounts met its limits in 7 days; asked for beside the list, which does not wait for it. */
export function usePlanRefusals() {
  return useQuery({
    queryKey: [...adminKeys.plans, "refusals"],
    queryFn: ({ signal }) => callApi("GET /api/admin/plans/refusals", { signal }),
  });
}

const MOST_AT_ONCE = 100;

/** Every account that filters find, page by page. */
export async function readAllUsers(filters: Omit<UserFilters, "page" | "pageSize">): Promise<AdminUser[]> {
  const found = new Map<string, AdminUser>();
  for (let page = 1; ; page += 1) {
    const query = { ...filters, page, pageSize: MOST_AT_ONCE };
    const { data, total } = await callApi("GET /api/admin/users", { query });
    for (const user of data) found.set(user.id, user);
    if (total === null || page * MOST_AT_ONCE >= total) return [...found.values()];
  }
}

/** A page of accounts. */
export function useUsers(filters: UserFilters, enabled = true) {
  const { queryKey, name, query } = usersRead(filters);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(name, { signal, query }),
    enabled,
  });
}

/** One account. */
export function useAdminUser(id: string) {
  return useQuery({
    queryKey: userKey(id),
    queryFn: ({ signal }) => callApi("GET /api/admin/users/{id}", { params: { id }, signal }),
    placeholderData: undefined,
  });
}

/** The filters of the audit log. */
export interface AuditFilters {
  from: string | null;
  to: string | null;
  /** Who did it, or to whom it was done. */
  accountId: string | null;
  action: string | null;
  newStatus: "active" | "suspended" | null;
  targetType: string | null;
  targetId: string | null;
  search?: string | null;
  batchId?: string | null;
  /** The changes of several accounts as one entry each. */
  grouped?: "true";
  page: number;
  pageSize: number;
}

/** A page of the audit. */
export function useAudit(filters: AuditFilters, enabled = true) {
  return useQuery({
    enabled,
    queryKey: [...adminKeys.audit, filters],
    queryFn: ({ signal }) => callApi("GET /api/admin/audit", { signal, query: { ...filters } }),
  });
}

/** The run-time settings, and the cost of open registration; for admins only. */
export function useAdminSettings(enabled: boolean) {
  return useQuery({
    queryKey: adminKeys.settings,
    queryFn: ({ signal }) => callApi("GET /api/admin/settings", { signal }),
    enabled,
  });
}

/** Every announcement, the one that begins last first. */
export function useAdminAnnouncements() {
  return useQuery({
    queryKey: adminKeys.announcements,
    queryFn: ({ signal }) => callApi("GET /api/admin/announcements", { signal }),
  });
}

/** Every invitation, the newest first. */
export function useInvitations() {
  return useQuery({
    queryKey: adminKeys.invitations,
    queryFn: ({ signal }) => callApi("GET /api/admin/invitations", { signal }),
  });
}

/** What was billed in a period or between two days, and what the nodes charge for it. */
export function useMargin(query: {
  period: string | null;
  from: string | null;
  to: string | null;
  tz: string;
}) {
  return useQuery({
    queryKey: [...adminKeys.stats, "margin", query],
    queryFn: ({ signal }) => callApi("GET /api/admin/margin", { signal, query }),
    refetchInterval: STATS_EVERY_MS,
  });
}

/** What was refused in the last hour. */
export function useRefusals() {
  const { queryKey, name } = refusalsRead;
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(name, { signal }),
    refetchInterval: MINUTES_EVERY_MS,
    staleTime: 0,
  });
}

/** Statistics of all accounts, or of one account or model. */
export function useAdminStats(given: AdminStatsQuery) {
  const { queryKey, name, query } = adminStatsRead(given);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(name, { signal, query }),
    refetchInterval: STATS_EVERY_MS,
  });
}
