import type { QueryClient } from "@tanstack/react-query";
import { queryKeys } from "./page-reads";

/** Reads again what a new request changes and what stands side by side: the balance, the keys and the statistics. */
export async function refreshUse(client: QueryClient): Promise<void> {
  const changed = [queryKeys.self, queryKeys.keys, queryKeys.stats];
  await Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey })));
}
