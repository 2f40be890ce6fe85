import { type Read, read } from "../api/read";
import { PAGE_SIZE } from "../lists/page-size";

/** What the log can be sorted by, the largest first. */
export const logSorts = ["cost", "latencyMs", "totalTokens"] as const;

export type LogSort = (typeof logSorts)[number];

/** The log of the account, or of all accounts. */
export type LogPath = "/api/user/logs" | "/api/admin/logs";

/** The filters of the log, and its order. */
export interface LogFilters {
  from?: string | null;
  to?: string | null;
  tokenId?: string | null;
  projectId?: string | null;
  createdBy?: string | null;
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
export const newestLogs = { pageSize: PAGE_SIZE };

/** What a log asks for first. */
export function newestLogsReads(path: LogPath, tz: string): Read[] {
  return [
    read(`GET ${path}`, { query: newestLogs }),
    read(`GET ${path}/volume`, { query: volumeQuery(newestLogs, tz) }),
  ];
}

/** Asks for the requests over time, of which `to` leaves out none. */
export function volumeQuery(filters: LogFilters, tz: string) {
  const { to: _to, ...narrowing } = narrowingOf(filters);
  return { ...narrowing, tz };
}

/** The filters without the order and the page. */
export function narrowingOf(filters: LogFilters) {
  const { sort: _sort, cursor: _cursor, pageSize: _size, ...narrowing } = filters;
  return narrowing;
}
