import type { SavedView } from "../api/types";
import { errorCodes, modes } from "./choices";
import { attemptsQuery, SEVERAL, type UrlLogFilters } from "./use-log-filters";

type SavedFilters = SavedView["filters"];

export const SLOW_MS = 10_000;
/** Units: cents. */
export const EXPENSIVE = "10";

/** The views that everybody has. */
export const builtInViews = [
  { id: "failed", filters: { outcome: "failed" } },
  { id: "refused", filters: { outcome: "refused" } },
  { id: "slow", filters: { minLatencyMs: SLOW_MS } },
  { id: "expensive", filters: { minCost: EXPENSIVE } },
] as const satisfies readonly { id: string; filters: SavedFilters }[];

/** The filters of the address as a view keeps them; absent where there is none. */
export function filtersOfUrl(url: UrlLogFilters["url"]): SavedFilters {
  const all = {
    last: url.last,
    from: url.from?.toISOString() ?? null,
    to: url.to?.toISOString() ?? null,
    tokenId: url.key,
    userId: url.user,
    projectId: url.project,
    createdBy: url.member,
    nodeId: url.node,
    ...attemptsQuery(url.attempts),
    model: url.model,
    status: url.status,
    outcome: url.outcome,
    errorCode: url.code,
    operation: url.operation,
    protocol: url.protocol,
    stream: url.mode && url.mode === "streamed",
    httpStatus: url.http,
    client: url.client,
    minLatencyMs: url.min,
    minCost: url.cost,
    requestId: url.find,
    sort: url.sort,
  };
  // Without the nulls these are the members of a view's filters.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as SavedFilters;
}

/** The filters of a view as the address keeps them. */
export function urlOfFilters(filters: SavedFilters) {
  const { operation, stream } = filters;
  return {
    last: filters.last ?? null,
    from: filters.from === undefined ? null : new Date(filters.from),
    to: filters.to === undefined ? null : new Date(filters.to),
    key: filters.tokenId ?? null,
    user: filters.userId ?? null,
    project: filters.projectId ?? null,
    member: filters.createdBy ?? null,
    node: filters.nodeId ?? null,
    attempts: attemptsOf(filters),
    model: filters.model ?? null,
    status: filters.status ?? null,
    outcome: filters.outcome ?? null,
    code: errorCodes.find((code) => code === filters.errorCode) ?? null,
    operation: operation === undefined || operation === "count" ? null : operation,
    protocol: filters.protocol ?? null,
    mode: stream === undefined ? null : modes[stream ? 0 : 1],
    http: filters.httpStatus ?? null,
    client: filters.client ?? null,
    min: filters.minLatencyMs ?? null,
    cost: filters.minCost ?? null,
    find: filters.requestId ?? null,
    sort: filters.sort ?? null,
  };
}

function attemptsOf({ attempt, minAttempts = 1 }: SavedFilters): UrlLogFilters["url"]["attempts"] {
  if (attempt !== undefined) return "failedAttempt";
  return minAttempts < SEVERAL ? null : "several";
}

/** True when two views show the same requests. */
export function sameFilters(a: SavedFilters, b: SavedFilters): boolean {
  const text = (filters: SavedFilters) => JSON.stringify(Object.entries(filters).sort());
  return text(a) === text(b);
}
