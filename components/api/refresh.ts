import type { QueryClient } from "@tanstack/react-query";
import { keyOf, keyUnder } from "./read";

const self = keyOf("/api/user/self");
const keys = [keyOf("/api/user/tokens"), keyOf("/api/user/console-key")];
const stats = [keyOf("/api/user/stats"), keyOf("/api/admin/stats")];
const logs = [keyUnder("/api/user/logs"), keyUnder("/api/admin/logs")];

/** Reads again what a new request changes and what stands side by side: the balance, the keys and the statistics. */
export const refreshUse = (client: QueryClient) => refresh(client, [self, ...keys, ...stats]);

/** Reads the account's keys again, without their limits. */
export const refreshKeys = (client: QueryClient) => refresh(client, keys);

/** Reads statistics again. */
export const refreshStats = (client: QueryClient) => refresh(client, stats);

/** Reads again all that is shown of the log. */
export const refreshLogs = (client: QueryClient) => refresh(client, logs);

async function refresh(client: QueryClient, shown: readonly (readonly unknown[])[]): Promise<void> {
  await Promise.all(shown.map((queryKey) => client.invalidateQueries({ queryKey })));
}
