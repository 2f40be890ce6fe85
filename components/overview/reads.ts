import { firstKeys } from "../api/first-keys";
import { type Read, read } from "../api/read";

/** The latest requests. */
export const recent = { pageSize: 5 };

/** The fullest budgets. */
export const fullestBudgets = { query: { pageSize: 5 } };

/** A week by key. */
export function weekIn(tz: string) {
  return { period: "7d", tz, groupBy: "key" };
}

/** What the overview asks for. */
export function overviewReads(tz: string): Read[] {
  return [
    read("GET /api/user/self"),
    read("GET /api/user/tokens", firstKeys),
    read("GET /api/user/models"),
    read("GET /api/user/budgets", fullestBudgets),
    read("GET /api/user/logs", { query: recent }),
    read("GET /api/user/stats", { query: weekIn(tz) }),
  ];
}
