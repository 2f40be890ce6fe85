"use client";

import { keepPreviousData, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "./client";

/** Server state for the signed-in pages. */
export function QueryProvider(props: { children: ReactNode }) {
  const [client] = useState(makeClient);
  return <QueryClientProvider client={client}>{props.children}</QueryClientProvider>;
}

function makeClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        placeholderData: keepPreviousData,
        retry: shouldRetry,
        retryDelay: (attempt, error) => retryDelayMs(attempt, error),
      },
    },
  });
}

function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= 1 || !(error instanceof ApiError)) return false;
  return error.status === 429 || error.status === 0 || error.status >= 500;
}

function retryDelayMs(attempt: number, error: Error): number {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : null;
  return seconds === null ? 500 * 2 ** attempt : Math.min(seconds, 60) * 1000;
}
