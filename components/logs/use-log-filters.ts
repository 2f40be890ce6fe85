"use client";

import {
  parseAsInteger,
  parseAsIsoDateTime,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { useMemo } from "react";
import type { LogFilters } from "../api/queries";
import { errorCodes, operations, statuses } from "./choices";

const PAGE_SIZE = 50;

/** The log's filters; stored in the URL, so that a view can be shared. */
export function useLogFilters() {
  const [url, setUrl] = useQueryStates(
    {
      from: parseAsIsoDateTime,
      to: parseAsIsoDateTime,
      key: parseAsString,
      user: parseAsString,
      model: parseAsString,
      status: parseAsStringLiteral(statuses),
      code: parseAsStringLiteral(errorCodes),
      operation: parseAsStringLiteral(operations),
      min: parseAsInteger,
      find: parseAsString,
      cursor: parseAsString,
      request: parseAsString,
    },
    { history: "push" },
  );
  const query = useMemo(
    (): LogFilters & { userId?: string | null } => ({
      from: url.from?.toISOString() ?? null,
      to: url.to?.toISOString() ?? null,
      tokenId: url.key,
      userId: url.user,
      model: url.model,
      status: url.status,
      errorCode: url.code,
      operation: url.operation,
      minLatencyMs: url.min,
      requestId: url.find,
      cursor: url.cursor,
      pageSize: PAGE_SIZE,
    }),
    [url],
  );
  const filtered = [
    url.from,
    url.to,
    url.key,
    url.user,
    url.model,
    url.status,
    url.code,
    url.operation,
    url.min,
    url.find,
  ].some((value) => value !== null);
  function clear() {
    return setUrl({
      from: null,
      to: null,
      key: null,
      user: null,
      model: null,
      status: null,
      code: null,
      operation: null,
      min: null,
      find: null,
      cursor: null,
    });
  }
  return { url, set: setUrl, query, filtered, clear };
}

export type UrlLogFilters = ReturnType<typeof useLogFilters>;
