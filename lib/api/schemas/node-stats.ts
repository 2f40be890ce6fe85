import { z } from "zod";
import { moment } from "./moments";
import { statsQuery } from "./stats";

/** GET /api/admin/nodes/{id}/stats. */
export const nodeStatsQuery = statsQuery.pick({ period: true, tz: true });

const ofNode = z.object({
  attemptCount: z.int(),
  failureCount: z.int(),
  p50Ms: z.int().nullable().describe("Of whole attempts"),
  p95Ms: z.int().nullable(),
  firstEventP50Ms: z.int().nullable().describe("To the first event of the answer; null: none came"),
  firstEventP95Ms: z.int().nullable(),
});

/** How fast and how well a node answered. Source: docs/contract.md#node-stats. */
export const nodeStats = z.object({
  period: z.enum(["24h", "7d", "30d"]),
  bucket: z.enum(["hour", "day"]),
  timezone: z.string(),
  from: moment,
  to: moment,
  totals: ofNode,
  buckets: z.array(ofNode.extend({ bucketStart: moment })),
});
