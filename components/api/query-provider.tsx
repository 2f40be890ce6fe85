"use client";

import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
} from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "./client";
import { keepDrafts } from "./kept-draft";

/** Server state for the signed-in pages. */
export function QueryProvider(props: { children: ReactNode }) {
  const [client] = useState(makeClient);
  return <QueryClientProvider client={client}>{props.children}</QueryClientProvider>;
}

function makeClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveIfSignedOut }),
    mutationCache: new MutationCache({ onError: leaveIfSignedOut }),
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

function leaveIfSignedOut(error: Error): void {
  if (error instanceof ApiError && error.code === "UNAUTHORIZED") leaveForLogin();
}

/** Goes to the login page and comes back here afterwards; what was typed is kept. */
export function leaveForLogin(): void {
  const here = window.location.pathname + window.location.search;
  try {
    keepDrafts();
  } finally {
    window.location.assign(`/login?expired=1&next=${encodeURIComponent(here)}`);
  }
}
