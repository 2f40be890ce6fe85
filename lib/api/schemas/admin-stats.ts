import { z } from "zod";
import { callPoint } from "./call-point";
import { decimal } from "./fields";
import { stats } from "./stats";

/** GET /api/admin/stats. */
export const adminStats = stats.extend({
  activeUsers: z.int(),
  topUsers: z.array(
    z.object({
      userId: z.string(),
      username: z.string(),
      requestCount: z.int(),
      errorCount: z.int(),
      cost: decimal,
    }),
  ),
  topNodes: z.array(
    z.object({
      nodeId: z.string(),
      node: z.string(),
      attemptCount: z.int(),
      failureCount: z.int(),
      promptTokens: z.int(),
      completionTokens: z.int(),
      cost: decimal,
      averageLatencyMs: z.int(),
    }),
  ),
  nodeSeries: z
    .array(z.object({ nodeId: z.string(), node: z.string(), points: z.array(callPoint) }))
    .describe("Calls to every node that was called, zero-filled"),
});
