"use client";

import { type DehydratedState, hydrate, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";

/**
 * Keeps what the server has read before anything below is drawn: `state` is its JSON, since the framework takes a text
 * as it is and looks into each value of an object. What a part of the page watches already is left as it
 * is: that part would be changed while others are drawn, and asks by itself.
 */
export function GivenData(props: { state: string; children: ReactNode }) {
  const client = useQueryClient();
  const { state, children } = props;
  useMemo(() => {
    const cache = client.getQueryCache();
    const isWatched = (hash: string) => (cache.get(hash)?.getObserversCount() ?? 0) > 0;
    const { queries }: DehydratedState = JSON.parse(state);
    hydrate(client, { queries: queries.filter(({ queryHash }) => !isWatched(queryHash)) });
  }, [client, state]);
  return children;
}
