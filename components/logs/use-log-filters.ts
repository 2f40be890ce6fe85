"use client";

import {
  createParser,
  parseAsInteger,
  parseAsIsoDateTime,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { useMemo } from "react";
import type { LogFilters } from "../api/queries";
import { errorCodes, operations, outcomes, spanMs, spans, statuses } from "./choices";

const PAGE_SIZE = 50;

/** Cents as decimal text. */
const parseAsCents = createParser({
  parse: (text) => (/^\d{1,12}(\.\d{1,6})?$/.test(text) ? text : null),
  serialize: (cents: string) => cents,
});

/** No filter at all. */
const noFilters = {
  from: null,
  to: null,
  last: null,
  key: null,
  user: null,
  model: null,
  status: null,
  outcome: null,
  code: null,
  operation: null,
  min: null,
  cost: null,
  find: null,
} as const;

/** The log's filters; stored in the URL, so that a view can be shared. */
export function useLogFilters() {
  const [url, setUrl] = useQueryStates(
    {
      from: parseAsIsoDateTime,
      to: parseAsIsoDateTime,
      last: parseAsStringLiteral(spans),
      key: parseAsString,
      user: parseAsString,
      model: parseAsString,
      status: parseAsStringLiteral(statuses),
      outcome: parseAsStringLiteral(outcomes),
      code: parseAsStringLiteral(errorCodes),
      operation: parseAsStringLiteral(operations),
      min: parseAsInteger,
      cost: parseAsCents,
      find: parseAsString,
      cursor: parseAsString,
      request: parseAsString,
    },
    { history: "push" },
  );
  const { last } = url;
  const since = useMemo(() => (last === null ? null : new Date(Date.now() - spanMs[last])), [last]);
  const from = url.from ?? since;
  const query = useMemo(
    (): LogFilters => ({
      from: from?.toISOString() ?? null,
      to: url.to?.toISOString() ?? null,
      tokenId: url.key,
      userId: url.user,
      model: url.model,
      status: url.status,
      outcome: url.outcome,
      errorCode: url.code,
      operation: url.operation,
      minLatencyMs: url.min,
      minCost: url.cost,
      requestId: url.find,
      cursor: url.cursor,
      pageSize: PAGE_SIZE,
    }),
    [from, url],
  );
  const { cursor: _cursor, request: _request, ...narrowing } = url;
  const filtered = Object.values(narrowing).some((value) => value !== null);
  /** Replaces all filters; those that are not given match everything. */
  function replace(filters: Partial<typeof narrowing>) {
    return setUrl({ ...noFilters, ...filters, cursor: null });
  }
  return { url, set: setUrl, from, query, filtered, replace, clear: () => replace({}) };
}

export type UrlLogFilters = ReturnType<typeof useLogFilters>;
