import { z } from "zod";
import { characters, decimalCents, must, whole } from "./fields";
import {
  logFilter,
  logSorts,
  MAX_ATTEMPTS,
  MAX_LATENCY_MS,
  MAX_STATUS,
  MIN_STATUS,
  ofAllAccounts,
} from "./log-filter";

const MAX_VIEWS = 20;

/** The filters of a saved view. */
const savedFilters = logFilter
  .omit({ from: true, to: true, stream: true, httpStatus: true })
  .omit({ minLatencyMs: true, minCost: true, minAttempts: true })
  .extend({
    last: z
      .enum(["1h", "24h", "7d"], must("must be 1h, 24h or 7d"))
      .optional()
      .describe("The time before now, instead of `from` and `to`"),
    from: z.iso.datetime(must("must be an ISO date-time in UTC")).optional(),
    to: z.iso.datetime(must("must be an ISO date-time in UTC")).optional(),
    ...ofAllAccounts,
    stream: z.boolean(must("must be true or false")).optional(),
    httpStatus: whole(MIN_STATUS, MAX_STATUS).optional(),
    minLatencyMs: whole(0, MAX_LATENCY_MS).optional(),
    minCost: decimalCents.optional(),
    minAttempts: whole(1, MAX_ATTEMPTS).optional(),
    sort: z
      .enum(logSorts, must("must be cost, latencyMs or totalTokens"))
      .optional()
      .describe("What the requests are sorted by, the largest first; newest first without it"),
  })
  .strict();

const savedView = z.strictObject({
  name: characters(1, 40),
  list: z.enum(["own", "all"], must("must be own or all")).describe("The account's requests, or everybody's"),
  filters: savedFilters,
});

/** GET and PATCH /api/user/views: all of them, in the account's order. Source: docs/contract.md#views. */
export const savedViews = z.strictObject({
  views: z
    .array(savedView, must("must be a list of views"))
    .max(MAX_VIEWS, `must be at most ${MAX_VIEWS} views`)
    .refine(hasDistinctNames, "must have different names in each list"),
});

function hasDistinctNames(views: readonly { name: string; list: string }[]): boolean {
  return new Set(views.map(({ name, list }) => `${list} ${name.toLowerCase()}`)).size === views.length;
}
