import { z } from "zod";
import { isUuid } from "@/lib/kernel/http";
import { isTimeZone } from "@/lib/reports/stats-range";
import { atMost } from "./fields";

/** GET /api/user/stats. Source: docs/spec.md#s4-13, docs/contract.md#s5. */
export const statsQuery = z.object({
  period: z.enum(["24h", "7d", "30d"], "must be 24h, 7d or 30d").prefault("7d"),
  tz: z
    .string()
    .refine(isTimeZone, "must be a time zone such as UTC or Asia/Shanghai")
    .meta({
      pattern: "^[A-Za-z][A-Za-z0-9_+/-]*$",
      description: "The name of a time zone, such as Asia/Shanghai",
    })
    .optional(),
  tokenId: atMost(100).optional(),
  model: atMost(200).optional(),
});

function id(message: string) {
  return z.string().refine(isUuid, message).meta({ format: "uuid" });
}

/** GET /api/admin/stats. */
export const adminStatsQuery = statsQuery.extend({
  userId: id("must be the id of an account").optional(),
  tokenId: id("must be the id of a key").optional(),
});

const counts = z.object({
  requestCount: z.int(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  cost: z.string().describe("Cents as exact decimal text"),
});

const figures = counts.extend({
  errorCount: z.int(),
  cacheReadTokens: z.int(),
  cacheWriteTokens: z.int(),
  cacheSaving: z
    .string()
    .nullable()
    .describe(
      "Cents as exact decimal text: how much less the requests cost than with the input price for all of their input; below 0: the cache cost more; null: not known of all of them",
    ),
  averageLatencyMs: z.int().nullable(),
  p50Ms: z.int().nullable(),
  p95Ms: z.int().nullable(),
  errors: z.record(z.string(), z.int()).describe("Requests per error code"),
});

const moment = z.iso.datetime();

/** Usage statistics. Source: docs/spec.md#s2-6, docs/contract.md#s5. */
export const stats = z.object({
  period: z.enum(["24h", "7d", "30d"]),
  bucket: z.enum(["hour", "day"]),
  timezone: z.string(),
  from: moment,
  to: moment,
  totalRequests: z.int(),
  totals: figures,
  previous: figures.extend({ from: moment, to: moment }),
  dailyBreakdown: z.array(counts.extend({ date: z.iso.date() })),
  modelBreakdown: z.array(figures.extend({ model: z.string() })),
  series: z.array(figures.extend({ bucketStart: moment, model: z.string() })),
  buckets: z.array(figures.extend({ bucketStart: moment, date: z.iso.date() })),
});
