import { type LogFilters, logsRead, modelsRead, type PageRead, statsRead } from "../api/page-reads";

/** The latest requests. */
export const recent: LogFilters = { pageSize: 5 };

/** A week by key. */
export function weekIn(tz: string) {
  return { period: "7d", tz, groupBy: "key" } as const;
}

/** What the overview asks for besides the account and its keys. */
export function overviewReads(tz: string): PageRead[] {
  return [modelsRead, logsRead(recent), statsRead(weekIn(tz))];
}
