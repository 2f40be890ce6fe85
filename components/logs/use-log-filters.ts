"use client";

import {
  createParser,
  parseAsInteger,
  parseAsIsoDateTime,
  parseAsString,
  parseAsStringLiteral,
  useQueryState,
} from "nuqs";
import { useMemo } from "react";
import { clientProtocols } from "@/lib/protocols/protocol";
import { useListState } from "../lists/list-state";
import type { ColumnSort } from "../ui/columns";
import { attemptChoices, errorCodes, modes, operations, outcomes, spanMs, spans, statuses } from "./choices";
import { type LogFilters, type LogSort, logSorts, newestLogs } from "./log-query";

/** Cents as decimal text. */
const parseAsCents = createParser({
  parse: (text) => (/^\d{1,12}(\.\d{1,6})?$/.test(text) ? text : null),
  serialize: (cents: string) => cents,
});

const filterParsers = {
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
  last: parseAsStringLiteral(spans),
  key: parseAsString,
  user: parseAsString,
  project: parseAsString,
  member: parseAsString,
  node: parseAsString,
  model: parseAsString,
  status: parseAsStringLiteral(statuses),
  outcome: parseAsStringLiteral(outcomes),
  attempts: parseAsStringLiteral(attemptChoices),
  code: parseAsStringLiteral(errorCodes),
  operation: parseAsStringLiteral(operations),
  protocol: parseAsStringLiteral(clientProtocols),
  mode: parseAsStringLiteral(modes),
  http: parseAsInteger,
  client: parseAsString,
  min: parseAsInteger,
  cost: parseAsCents,
  find: parseAsString,
};

/** The fewest attempts of a request with a failover. */
export const SEVERAL = 2;

/** What the API asks for the chosen attempts. */
export function attemptsQuery(attempts: (typeof attemptChoices)[number] | null) {
  return {
    minAttempts: attempts === "several" ? SEVERAL : null,
    attempt: attempts === "failedAttempt" ? ("failed" as const) : null,
  };
}

/** The name of a filter in the URL. */
export type LogFilterName = keyof typeof filterParsers;

/** Every filter as it is while it is not set. */
const nothing: { [Name in LogFilterName]: null } = {
  from: null,
  to: null,
  last: null,
  key: null,
  user: null,
  project: null,
  member: null,
  model: null,
  status: null,
  outcome: null,
  node: null,
  attempts: null,
  code: null,
  operation: null,
  min: null,
  cost: null,
  find: null,
  protocol: null,
  mode: null,
  http: null,
  client: null,
};

/** The log's filters, its order and the opened request; stored in the URL, so that a view can be shared. */
export function useLogFilters() {
  const list = useListState(filterParsers);
  const [request, open] = useQueryState("request", parseAsString.withOptions({ history: "push" }));
  const [sort, setSort] = useQueryState(
    "sort",
    parseAsStringLiteral(logSorts).withOptions({ history: "push" }),
  );
  const { url: filters, cursor } = list;
  const { last } = filters;
  const since = useMemo(() => (last === null ? null : new Date(Date.now() - spanMs[last])), [last]);
  const from = filters.from ?? since;
  const query = useMemo(
    (): LogFilters => ({
      ...newestLogs,
      from: from?.toISOString() ?? null,
      to: filters.to?.toISOString() ?? null,
      tokenId: filters.key,
      userId: filters.user,
      projectId: filters.project,
      createdBy: filters.member,
      nodeId: filters.node,
      model: filters.model,
      status: filters.status,
      outcome: filters.outcome,
      ...attemptsQuery(filters.attempts),
      errorCode: filters.code,
      operation: filters.operation,
      protocol: filters.protocol,
      stream: filters.mode && String(filters.mode === "streamed"),
      httpStatus: filters.http,
      client: filters.client,
      minLatencyMs: filters.min,
      minCost: filters.cost,
      requestId: filters.find,
      sort,
      cursor,
    }),
    [from, filters, sort, cursor],
  );
  /** Replaces all filters and the order; filters that are not given match everything. */
  const replace = ({ sort: order = null, ...wanted }: Partial<typeof filters & { sort: LogSort | null }>) => {
    list.set({ ...nothing, ...wanted });
    void setSort(order);
  };
  const onSort = (chosen: LogSort | null) => {
    list.goToPage(1);
    void setSort(chosen);
  };
  return { list, url: { ...filters, sort, request }, open, from, query, replace, order: { sort, onSort } };
}

/** The order of a log; null is newest first. */
export interface LogOrder {
  sort: LogSort | null;
  onSort(sort: LogSort | null): void;
}

/** The button in the head of a column: it sorts by the column, the largest first; the column of the time is null. */
export function logSortBy({ sort, onSort }: LogOrder, column: LogSort | null): ColumnSort {
  return { direction: column === sort ? "descending" : undefined, onSort: () => onSort(column) };
}

export type UrlLogFilters = ReturnType<typeof useLogFilters>;
