"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

/** The state of a query for a region. */
export interface LatestData<T> {
  data: T | undefined;
  /** When the data was read; 0 without any. */
  readAt: number;
  /** True when the latest fetch failed, so that the data is older. */
  old: boolean;
  /** True when the data belongs to another selection than the failed one, e.g. another period. */
  otherSelection: boolean;
}

/** The newest data of a query; kept when a fetch for another selection fails. */
export function useLatestData<T>(query: UseQueryResult<T>): LatestData<T> {
  const [last, setLast] = useState<{ data: T; readAt: number } | null>(null);
  const answered = query.isSuccess && !query.isPlaceholderData;
  if (answered && (last?.data !== query.data || last.readAt !== query.dataUpdatedAt)) {
    setLast({ data: query.data, readAt: query.dataUpdatedAt });
  }
  if (query.data !== undefined || last === null) {
    const { data, dataUpdatedAt: readAt } = query;
    return { data, readAt, old: query.isError && data !== undefined, otherSelection: false };
  }
  return { ...last, old: true, otherSelection: true };
}
