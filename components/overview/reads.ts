import {
  keysRead,
  type LogFilters,
  logsRead,
  modelsRead,
  type PageRead,
  selfRead,
  statsRead,
} from "../api/page-reads";

/** The latest requests. */
export const recent: LogFilters = { pageSize: 5 };

/** A week by key. */
export function weekIn(tz: string) {
  return { period: "7d", tz, groupBy: "key" } as const;
}

/** What the overview asks for. */
export function overviewReads(tz: string): PageRead[] {
  return [selfRead, keysRead(), modelsRead, logsRead(recent), statsRead(weekIn(tz))];
}
