import { z } from "zod";
import { moment } from "./moments";
import { partial } from "./partial";
import { statsQuery } from "./stats";

/** GET /api/admin/margin. */
export const marginQuery = statsQuery.pick({ period: true, from: true, to: true, tz: true });

const margin = z.object({
  revenue: z.string().describe("Cents as exact decimal text: what was billed"),
  covered: z.string().describe("The revenue of requests whose cost is known"),
  cost: z.string().nullable().describe("What the providers take for these; null: of no request it is known"),
  margin: z.string().nullable().describe("covered less cost"),
});

/** Revenue, cost and margin. Source: docs/contract.md#margin. */
export const marginReport = z.object({
  period: z.enum(["24h", "7d", "30d", "custom"]),
  bucket: z.enum(["hour", "day"]),
  inProgress: z.boolean(),
  timezone: z.string(),
  from: moment,
  to: moment,
  totals: margin,
  previous: margin.extend({ partial }).describe("Of the period before, as long as this one"),
  models: z.array(margin.extend({ model: z.string() })),
  nodes: z.array(margin.extend({ nodeId: z.string(), node: z.string().describe("Empty: deleted") })),
  accountCount: z
    .int()
    .describe("Accounts that were billed or cost something, of which `accounts` lists the first 200"),
  accounts: z
    .array(margin.extend({ userId: z.uuid(), username: z.string(), deleted: z.boolean() }))
    .describe("Costs are known from the upgrade on that counts them by account"),
  buckets: z.array(margin.extend({ bucketStart: moment, date: z.iso.date() })),
});
