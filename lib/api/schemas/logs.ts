import { z } from "zod";
import { pricedServices, pricedTools, tokenParts } from "@/lib/kernel/usage";
import { clientProtocols, nodeProtocols, operationNames } from "@/lib/protocols/protocol";
import { budgetPeriods, budgetScopes, budgetUnits } from "@/lib/shared/budget-words";
import { tokenKinds } from "@/lib/shared/prices/token-kinds";

const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .describe("Cents as exact decimal text");

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
  pricedAs: z
    .object({
      service: z
        .enum(pricedServices)
        .optional()
        .describe("The service tier that served it; absent: standard"),
      window: z.int().optional().describe("Index of the window of the week in which it began; absent: none"),
      parts: z
        .partialRecord(z.enum(tokenParts), z.int())
        .optional()
        .describe("Tokens that may be billed apart"),
    })
    .nullable()
    .describe("What beside the counts of tokens decided the price; null: nothing"),
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
  tier: z
    .object({
      service: z.enum(pricedServices).nullable().describe("The service tier that served it"),
      window: z.int().nullable().describe("Index of the window of the week in which it began"),
      above: z.int().nullable().describe("Its prompt has more tokens than this"),
      factor: decimal.describe("By which the prices of tokens are multiplied; the lines contain it"),
    })
    .nullable()
    .describe("What chose the prices; null: the standard prices"),
  lines: z.array(
    z.union([
      z.object({
        kind: z.enum(tokenKinds),
        tokens: z.int(),
        centsPerMillion: z.number(),
        amount: decimal,
      }),
      z
        .object({
          kind: z.enum([...pricedTools, "request"]),
          calls: z.int(),
          centsPerCall: decimal,
          amount: decimal,
        })
        .describe("Calls of a tool that the node ran, or the request itself"),
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
  budget: z
    .object({
      id: z.string(),
      name: z.string(),
      scope: z.enum(budgetScopes),
      unit: z.enum(budgetUnits),
      period: z.enum(budgetPeriods),
    })
    .nullable()
    .describe("The rule by period that refused the request, as it is called now; null: none did"),
  connection: z
    .object({
      id: z.string(),
      lane: z.string().nullable().describe("The `stream_id` of the request; null: it had none"),
      turn: z.int().describe("Counts the requests of this WebSocket from 1"),
    })
    .nullable()
    .describe("The WebSocket that the request came on; null: it came by HTTP"),
  receipt,
});
