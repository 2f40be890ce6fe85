"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

/** What a region shows of a query. */
export interface Kept<T> {
  data: T | undefined;
  /** When the data was read; 0 without any. */
  readAt: number;
  /** True when the newest attempt failed, so that the data is from before it. */
  old: boolean;
  /** True when the data answers another question than the one that failed, e.g. another period. */
  otherSelection: boolean;
}

/** The newest answer of a query, also when it is asked for something else and that fails. */
export function useKept<T>(query: UseQueryResult<T>): Kept<T> {
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
