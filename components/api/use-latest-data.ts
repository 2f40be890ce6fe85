"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "./client";

/** The state of a query for a region. */
export interface LatestData<T> {
  data: T | undefined;
  /** When the data was read; 0 without any. */
  readAt: number;
  /** Why there is nothing newer: the fetch failed, or it waits for the connection. Null while all is well. */
  problem: unknown;
  /** True when the data is older than what was asked for. */
  old: boolean;
  /** True when the data belongs to another selection than the failed one, e.g. another period. */
  otherSelection: boolean;
}

/** A fetch waits for the connection. */
export const OFFLINE = new ApiError({ status: 0, code: "NETWORK", message: "" });

/** The newest data of a query; kept when a fetch for another selection fails or waits for the connection. */
export function useLatestData<T>(query: UseQueryResult<T>): LatestData<T> {
  const [last, setLast] = useState<{ data: T; readAt: number } | null>(null);
  // A query that is paused without data of its own shows those of the previous selection.
  const waiting = query.isPaused && (query.isPlaceholderData || query.data === undefined);
  const problem = waiting ? OFFLINE : query.error;
  const answered = query.isSuccess && !query.isPlaceholderData;
  if (answered && (last?.data !== query.data || last.readAt !== query.dataUpdatedAt)) {
    setLast({ data: query.data, readAt: query.dataUpdatedAt });
  }
  if (last !== null && (query.data === undefined || waiting))
    return { ...last, problem, old: true, otherSelection: true };
  const { data, dataUpdatedAt: readAt } = query;
  return { data, readAt, problem, old: query.isError && data !== undefined, otherSelection: false };
}
