import { z } from "zod";
import { pricedTools } from "@/lib/kernel/usage";
import { clientProtocols, nodeProtocols, operationNames } from "@/lib/protocols/protocol";
import {
  atMost,
  characters,
  cursorQuery,
  decimalCents,
  must,
  queryCents,
  queryFlag,
  queryNumber,
  startMoment,
  untilMoment,
  whole,
} from "./fields";

const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .describe("Cents as exact decimal text");

const MAX_LATENCY_MS = 2_147_483_647;
const MAX_ATTEMPTS = 100;
const MIN_STATUS = 100;
const MAX_STATUS = 599;

/** The filters of logs. Source: docs/contract.md#s5. */
export const logFilter = z.object({
  from: startMoment.optional(),
  to: untilMoment.optional(),
  tokenId: atMost(100).optional(),
  model: atMost(200).optional(),
  status: z
    .enum(
      ["success", "error", "cancelled", "interrupted"],
      "must be success, error, cancelled or interrupted",
    )
    .optional(),
  outcome: z
    .enum(["failed", "refused", "unanswered"], "must be failed, refused or unanswered")
    .optional()
    .describe(
      "`failed`: the gateway or its nodes failed; `refused`: what the client sent or may do was refused; `unanswered`: either",
    ),
  operation: z.enum(operationNames, `must be one of ${operationNames.join(", ")}`).optional(),
  protocol: z
    .enum(clientProtocols, `must be one of ${clientProtocols.join(", ")}`)
    .optional()
    .describe("The protocol that the client spoke"),
  stream: queryFlag.optional().describe("Whether the answer was streamed"),
  httpStatus: queryNumber(MIN_STATUS, MAX_STATUS).optional(),
  client: atMost(200)
    .optional()
    .describe(
      "The program that called: the beginning of its user agent without a version, as in `OpenAI/Python`",
    ),
  errorCode: atMost(100).optional(),
  requestId: atMost(100).optional().describe("A whole id, or its first 6 or more digits"),
  minLatencyMs: queryNumber(0, MAX_LATENCY_MS).optional(),
  minCost: queryCents.optional().describe("Cents as decimal text"),
  minAttempts: queryNumber(1, MAX_ATTEMPTS).optional().describe("2: requests with a failover"),
});

const logSorts = ["cost", "latencyMs", "totalTokens"] as const;

/** GET /api/user/logs. */
export const logsQuery = cursorQuery.extend(logFilter.shape).extend({
  sort: z
    .enum(["createdAt", ...logSorts], "must be createdAt, cost, latencyMs or totalTokens")
    .prefault("createdAt")
    .describe(
      "`createdAt`: the newest first; else the largest first, which is refused where it takes too long over all requests that match",
    ),
});

const ofAllAccounts = {
  userId: atMost(100).optional(),
  nodeId: atMost(100).optional().describe("A node that was tried, whether it answered or not"),
  attempt: z
    .enum(["failed"], "must be failed")
    .optional()
    .describe("`failed`: with an attempt that failed, with `nodeId` one at that node"),
};

/** GET /api/admin/logs: of all accounts, or of one. */
export const adminLogsQuery = logsQuery.extend(ofAllAccounts);

/** The filters of the logs of all accounts. */
export const adminLogFilter = logFilter.extend(ofAllAccounts);

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

/** One request. Source: docs/contract.md#s5 (log entry). */
export const logEntry = z.object({
  requestId: z.string(),
  createdAt: z.iso.datetime(),
  tokenId: z.string(),
  tokenName: z.string(),
  keyPrefix: z.string(),
  model: z.string(),
  protocol: z.enum(clientProtocols),
  operation: z.enum(operationNames),
  stream: z.boolean(),
  status: z.enum(["success", "error", "cancelled", "interrupted"]),
  httpStatus: z.int(),
  errorCode: z.string().nullable(),
  promptTokens: z.int().describe("Cached tokens included"),
  completionTokens: z.int(),
  totalTokens: z.int(),
  cacheReadTokens: z.int(),
  cacheWriteTokens: z.int(),
  reasoningTokens: z.int(),
  usageSource: z.enum(["upstream", "estimated", "none"]),
  cost: decimal,
  latencyMs: z.int(),
  ttftMs: z.int().nullable().describe("Null for what was not streamed"),
  attemptCount: z.int(),
  warnings: z.array(z.string()),
  hostedCalls: z
    .partialRecord(z.enum(pricedTools), z.int())
    .nullable()
    .describe("How often the node has run each of its own tools; null: never"),
});

const countedValues = z.array(z.object({ value: z.string(), count: z.int() }));

/** The values of the newest requests. Source: docs/contract.md#log-values. */
export const logValues = z.object({
  counted: z.int().describe("Requests that the other filters leave, at most 10,000"),
  complete: z.boolean().describe("False when only the newest of them are counted"),
  operation: countedValues,
  protocol: countedValues,
  stream: countedValues,
  httpStatus: countedValues,
  errorCode: countedValues,
  client: countedValues,
});

/** One attempt; users see the node as an ordinal and the alias as upstream model. */
export const logAttempt = z.object({
  n: z.int(),
  node: z.string(),
  protocol: z.enum(nodeProtocols),
  upstreamModel: z.string(),
  result: z.string(),
  upstreamStatus: z.int().nullable(),
  startedMs: z.int(),
  headersMs: z.int().nullable(),
  firstEventMs: z.int().nullable(),
  totalMs: z.int(),
  reason: z.string(),
});

/** The calculation of a cost. */
const receipt = z.object({
  unit: z.literal("cents"),
  priceVersion: z.int(),
  billed: z.boolean(),
  billingSource: z.string(),
  lines: z.array(
    z.union([
      z.object({
        kind: z.enum(["input", "cacheRead", "cacheWrite", "output"]),
        tokens: z.int(),
        centsPerMillion: z.number(),
        amount: decimal,
      }),
      z
        .object({ kind: z.enum(pricedTools), calls: z.int(), centsPerCall: decimal, amount: decimal })
        .describe("Calls of a tool that the node ran"),
    ]),
  ),
  sum: decimal.describe("Exact sum of the lines"),
  cacheSaving: decimal
    .nullable()
    .describe(
      "How much less the request cost than with the input price for all of its input; below 0: the cache cost more; null: nothing was billed, or the price is gone",
    ),
  total: decimal.describe("What was billed: the sum rounded up to a millionth of a cent, or 0"),
  wouldHaveCost: decimal.nullable(),
  held: decimal,
});

/** GET /api/user/logs/{requestId}. Source: docs/contract.md#s5. */
export const logDetail = logEntry.extend({
  errorMessage: z.string().nullable(),
  clientRequestId: z.string().nullable(),
  userAgent: z.string().nullable(),
  client: z.string().nullable().describe("The name in the user agent, which `client` finds"),
  attempts: z.array(logAttempt),
  timeline: z.array(z.object({ stage: z.string(), startMs: z.int(), endMs: z.int() })),
  limit: z
    .object({
      name: z.enum(["qps", "rpm", "tpm", "concurrent"]),
      allowed: z.int(),
      level: z
        .literal("account")
        .optional()
        .describe("The limit is that of all keys of the account; absent: that of the key"),
    })
    .nullable()
    .describe("The limit that refused the request; null: none did, or it is not known"),
  receipt,
});
