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
import { protocolIds } from "@/lib/protocols/protocol";
import { type LogFilters, newestLogs } from "../api/page-reads";
import { useListState } from "../lists/list-state";
import { attemptChoices, errorCodes, modes, operations, outcomes, spanMs, spans, statuses } from "./choices";

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
  node: parseAsString,
  model: parseAsString,
  status: parseAsStringLiteral(statuses),
  outcome: parseAsStringLiteral(outcomes),
  attempts: parseAsStringLiteral(attemptChoices),
  code: parseAsStringLiteral(errorCodes),
  operation: parseAsStringLiteral(operations),
  protocol: parseAsStringLiteral(protocolIds),
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

/** The log's filters and the opened request; stored in the URL, so that a view can be shared. */
export function useLogFilters() {
  const list = useListState(filterParsers);
  const [request, open] = useQueryState("request", parseAsString.withOptions({ history: "push" }));
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
      cursor,
    }),
    [from, filters, cursor],
  );
  const nothing: { [Name in LogFilterName]: null } = {
    ...{ from: null, to: null, last: null, key: null, user: null, model: null, status: null, outcome: null },
    ...{ node: null, attempts: null, code: null, operation: null, min: null, cost: null, find: null },
    ...{ protocol: null, mode: null, http: null, client: null },
  };
  /** Replaces all filters; those that are not given match everything. */
  const replace = (wanted: Partial<typeof filters>) => list.set({ ...nothing, ...wanted });
  return { list, url: { ...filters, request }, open, from, query, replace };
}

export type UrlLogFilters = ReturnType<typeof useLogFilters>;
