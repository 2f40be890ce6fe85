import type { Query } from "./client";
import type { Period } from "./types";

/** On one page of a list. */
export const PAGE_SIZE = 50;

/** Keys of cached queries, so that changes can invalidate them. */
export const queryKeys = {
  self: ["self"],
  keys: ["keys"],
  models: ["models"],
  plans: ["plans"],
  logs: ["logs"],
  stats: ["stats"],
  ledger: ["ledger"],
  limits: ["limits"],
  views: ["views"],
  uptime: ["uptime"],
  announcements: ["announcements"],
  logins: ["logins"],
} as const;

/** What the log can be sorted by, the largest first. */
export const logSorts = ["cost", "latencyMs", "totalTokens"] as const;

export type LogSort = (typeof logSorts)[number];

/** The filters of the log, and its order. */
export interface LogFilters {
  from?: string | null;
  to?: string | null;
  tokenId?: string | null;
  /** In the log of all accounts only. */
  userId?: string | null;
  nodeId?: string | null;
  minAttempts?: number | null;
  attempt?: "failed" | null;
  model?: string | null;
  status?: string | null;
  outcome?: string | null;
  operation?: string | null;
  protocol?: string | null;
  stream?: string | null;
  httpStatus?: number | null;
  client?: string | null;
  errorCode?: string | null;
  requestId?: string | null;
  minLatencyMs?: number | null;
  /** Cents as decimal text. */
  minCost?: string | null;
  /** Null: newest first. */
  sort?: LogSort | null;
  cursor?: string | null;
  pageSize?: number;
}

/** The newest requests, unfiltered: what a log shows first. */
export const newestLogs = {
  from: null,
  to: null,
  tokenId: null,
  userId: null,
  nodeId: null,
  model: null,
  status: null,
  outcome: null,
  minAttempts: null,
  attempt: null,
  errorCode: null,
  operation: null,
  protocol: null,
  stream: null,
  httpStatus: null,
  client: null,
  minLatencyMs: null,
  minCost: null,
  requestId: null,
  sort: null,
  cursor: null,
  pageSize: PAGE_SIZE,
} satisfies LogFilters;

/** The log of the account, or of all accounts. */
export type LogPath = "/api/user/logs" | "/api/admin/logs";

/** The parameters of statistics. */
export interface StatsQuery {
  /** Null: the days from and to. */
  period: Period | null;
  from?: string | null;
  to?: string | null;
  groupBy?: "key" | "user" | null;
  tz: string;
  tokenId?: string | null;
  model?: string | null;
  /** Restricts the statistics of all accounts to one. */
  userId?: string | null;
}

/** The last seven days of everything: what usage shows first. */
export const usageWeek = {
  period: "7d",
  from: null,
  to: null,
  groupBy: null,
  tokenId: null,
  model: null,
  userId: null,
} satisfies Omit<StatsQuery, "tz">;

/** The statistics of the account, or of all accounts. */
export type StatsPath = "/api/user/stats" | "/api/admin/stats";

/** A read of the API that a page asks for: by the server while it renders, by the browser from then on. */
export interface PageRead {
  /** Where the browser keeps the answer. */
  queryKey: readonly unknown[];
  name: `GET /api/${string}`;
  query?: Query;
}

/** The signed-in account. */
export const selfRead = { queryKey: queryKeys.self, name: "GET /api/user/self" } as const;

/** Every model that is live, with prices. */
export const modelsRead = { queryKey: queryKeys.models, name: "GET /api/user/models" } as const;

/** What admins tell all users. */
export const announcementsRead = {
  queryKey: queryKeys.announcements,
  name: "GET /api/user/announcements",
} as const;

/** A page of the account's keys. */
export function keysRead(page = 1, pageSize = 100) {
  const query = { page, pageSize };
  return { queryKey: [...queryKeys.keys, page, pageSize], name: "GET /api/user/tokens", query } as const;
}

/** A page of the log of the account, or of all accounts. */
export function logsRead(filters: LogFilters, path: LogPath = "/api/user/logs") {
  return {
    queryKey: [...queryKeys.logs, path, filters],
    name: `GET ${path}`,
    query: { ...filters },
  } as const;
}

/** The requests of the log over time, of which `to` leaves out none. */
export function logVolumeRead(filters: LogFilters, tz: string, path: LogPath) {
  const { sort: _sort, cursor: _cursor, pageSize: _size, to: _to, ...narrowing } = filters;
  return {
    queryKey: [...queryKeys.logs, path, "volume", narrowing, tz],
    name: `GET ${path}/volume`,
    query: { ...narrowing, tz },
  } as const;
}

/** How often values occur in the log. */
export function logValuesRead(filters: LogFilters, path: LogPath) {
  const { sort: _sort, cursor: _cursor, pageSize: _size, ...query } = filters;
  return { queryKey: [...queryKeys.logs, path, "values", query], name: `GET ${path}/values`, query } as const;
}

/** What a log asks for first. */
export function newestLogsReads(path: LogPath, tz: string): PageRead[] {
  return [logsRead(newestLogs, path), logVolumeRead(newestLogs, tz, path)];
}

/** The statistics of the account, or of all accounts. */
export function statsRead(query: StatsQuery, path: StatsPath = "/api/user/stats") {
  return { queryKey: [...queryKeys.stats, path, query], name: `GET ${path}`, query: { ...query } } as const;
}
