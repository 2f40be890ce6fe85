import { z } from "zod";
import { clientProtocols, operationNames } from "@/lib/protocols/protocol";
import { atMost, queryCents, queryFlag, queryNumber } from "./fields";
import { startMoment, untilMoment } from "./moments";
import { cursorQuery } from "./pages";

export const MAX_LATENCY_MS = 2_147_483_647;

export const MAX_ATTEMPTS = 100;

export const MIN_STATUS = 100;

export const MAX_STATUS = 599;

export const logSorts = ["cost", "latencyMs", "totalTokens"] as const;

export const ofAllAccounts = {
  userId: atMost(100).optional(),
  nodeId: atMost(100).optional().describe("A node that was tried, whether it answered or not"),
  attempt: z
    .enum(["failed"], "must be failed")
    .optional()
    .describe("`failed`: with an attempt that failed, with `nodeId` one at that node"),
};

/** The filters of logs. Source: docs/contract.md#s5. */
export const logFilter = z.object({
  from: startMoment.optional(),
  to: untilMoment.optional(),
  tokenId: atMost(100).optional(),
  projectId: atMost(100)
    .optional()
    .describe("Of the keys of a project, or `personal`: of those of no project"),
  createdBy: atMost(100).optional().describe("Of the keys that this account made"),
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

/** GET /api/user/logs. */
export const logsQuery = cursorQuery.extend(logFilter.shape).extend({
  sort: z
    .enum(["createdAt", ...logSorts], "must be createdAt, cost, latencyMs or totalTokens")
    .prefault("createdAt")
    .describe(
      "`createdAt`: the newest first; else the largest first, which is refused where it takes too long over all requests that match",
    ),
});

/** GET /api/admin/logs: of all accounts, or of one. */
export const adminLogsQuery = logsQuery.extend(ofAllAccounts);

/** The filters of the logs of all accounts. */
export const adminLogFilter = logFilter.extend(ofAllAccounts);
