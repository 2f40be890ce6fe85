"use client";

import { type DehydratedState, hydrate, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";

/**
 * Keeps what the server has read before anything below is drawn. What a part of the page watches already is left as it
 * is: that part would be changed while others are drawn, and asks by itself.
 */
export function GivenData(props: { state: DehydratedState; children: ReactNode }) {
  const client = useQueryClient();
  const { state, children } = props;
  useMemo(() => {
    const cache = client.getQueryCache();
    const isWatched = (hash: string) => (cache.get(hash)?.getObserversCount() ?? 0) > 0;
    hydrate(client, { queries: state.queries.filter(({ queryHash }) => !isWatched(queryHash)) });
  }, [client, state]);
  return children;
}
