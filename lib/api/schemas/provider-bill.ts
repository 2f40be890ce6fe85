import { z } from "zod";
import { decimal } from "./fields";

/** What went to nodes by day and alias. Source: docs/contract.md#provider-bill. */
export const providerBillReport = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  rows: z
    .array(
      z.object({
        day: z.iso.date().describe("In UTC"),
        nodeId: z.string(),
        node: z.string().describe("Empty: deleted"),
        model: z.string().describe("The alias"),
        upstreamModels: z
          .array(z.string())
          .describe("What the routes of the alias to the node call it now; none: they are gone"),
        attemptCount: z.int(),
        failureCount: z.int(),
        costedCount: z.int().describe("Requests whose cost at the node is known"),
        promptTokens: z.int().describe("Cached ones included"),
        completionTokens: z.int(),
        cost: decimal
          .nullable()
          .describe("Cents at the node, as exact decimal text; null: of no request it is known"),
      }),
    )
    .describe("By day, node and alias; without days on which nothing was asked"),
});
