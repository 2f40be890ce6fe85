import { z } from "zod";
import { MAX_RANGE_DAYS } from "@/lib/kernel/day-range";
import { isTimeZone } from "@/lib/kernel/time-zone";
import { isUuid } from "@/lib/kernel/uuid";
import { atMost, queryFlag } from "./fields";
import { adminLogFilter, logFilter } from "./log-filter";
import { moment } from "./moments";
import { partial } from "./partial";

function day(description: string) {
  const message = "must be a day such as 2026-11-21";
  return z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, message)
    .meta({ description })
    .optional();
}

const UUID = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

function id(message: string, orPersonal = false) {
  const isId = (text: string) => isUuid(text) || (orPersonal && text === "personal");
  return z
    .string()
    .refine(isId, message)
    .meta(orPersonal ? { pattern: `^(personal|${UUID})$` } : { format: "uuid" });
}

/** GET /api/user/stats. Source: docs/spec.md#s4-13, docs/contract.md#s5. */
export const statsQuery = z.object({
  period: z.enum(["24h", "7d", "30d"], "must be 24h, 7d or 30d").prefault("7d"),
  from: day("The first day in the time zone; replaces the period, together with to"),
  to: day(`The last day, included; at most ${MAX_RANGE_DAYS} days with the first`),
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
  projectId: id("must be the id of a project, or personal", true)
    .describe("Of the keys of a project, or `personal`: of those of no project")
    .optional(),
  createdBy: id("must be the id of an account").describe("Of the keys that this account made").optional(),
  groupBy: z
    .enum(["key", "project", "member"], "must be key, project or member")
    .meta({ description: "Sums for each key, project or maker of keys as well, in `groups`" })
    .optional(),
});

/** GET /api/admin/stats. */
export const adminStatsQuery = statsQuery.extend({
  userId: id("must be the id of an account").optional(),
  tokenId: id("must be the id of a key").optional(),
  groupBy: z
    .enum(["key", "user", "project", "member"], "must be key, user, project or member")
    .meta({ description: "Sums for each key, account, project or maker of keys as well, in `groups`" })
    .optional(),
});

/** The zone of the days in an answer, or in the name of a file. */
export const zoneQuery = statsQuery.pick({ tz: true });

/** The name and the beginning of an exported file. Source: docs/contract.md#file-names. */
export const exportQuery = zoneQuery.extend({
  bom: queryFlag
    .optional()
    .describe("The file begins with a byte order mark, by which Excel reads it as UTF-8"),
});

/** GET /api/user/logs/volume. */
export const zonedLogsQuery = logFilter.extend(zoneQuery.shape);

/** GET /api/admin/logs/volume. */
export const adminZonedLogsQuery = adminLogFilter.extend(zoneQuery.shape);

const counts = z.object({
  requestCount: z.int(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  cost: z.string().describe("Cents as exact decimal text"),
});

const groupFigures = counts.extend({
  errorCount: z.int(),
  cacheReadTokens: z.int(),
  cacheWriteTokens: z.int(),
});

const latencies = {
  averageLatencyMs: z.int().nullable().describe("Null: nothing was measured"),
  p50Ms: z.int().nullable(),
  p95Ms: z.int().nullable(),
};

const figures = groupFigures.extend({
  ...latencies,
  cacheSaving: z
    .string()
    .nullable()
    .describe(
      "Cents as exact decimal text: how much less the requests cost than with the input price for all of their input; below 0: the cache cost more; null: not known of all of them",
    ),
  errors: z.record(z.string(), z.int()).describe("Requests per error code"),
});

/** The sums of each key, account, project or maker of keys. Source: docs/contract.md#s5 (stats). */
const groups = z.object({
  by: z.enum(["key", "user", "project", "member"]),
  rows: z
    .array(
      groupFigures.extend({
        ...latencies,
        id: z.string().describe("`personal`: keys of no project, when summed by project"),
        name: z.string(),
        keyPrefix: z.string().nullable().describe("Of a key"),
        owner: z.string().nullable().describe("The account that pays a key or a project, for admins"),
        deleted: z.boolean().describe("Of a project: archived"),
      }),
    )
    .describe("By cost, the highest first"),
  others: groupFigures
    .extend({ ...latencies, count: z.int() })
    .nullable()
    .describe("The sum of those that are not among the rows; null: there are none"),
  series: z
    .array(groupFigures.extend({ ...latencies, bucketStart: moment, id: z.string() }))
    .describe(
      "The first five rows, and the five with the most failed requests, over time, without buckets in which they have no usage",
    ),
});

/** Usage statistics. Source: docs/spec.md#s2-6, docs/contract.md#s5. */
export const stats = z.object({
  period: z.enum(["24h", "7d", "30d", "custom"]),
  bucket: z.enum(["hour", "day"]),
  inProgress: z.boolean().describe("The last bucket is not over"),
  timezone: z.string(),
  from: moment,
  to: moment,
  totalRequests: z.int(),
  totals: figures,
  previous: figures.extend({ from: moment, to: moment, partial }),
  dailyBreakdown: z.array(counts.extend({ date: z.iso.date() })),
  modelBreakdown: z.array(figures.extend({ model: z.string() })),
  series: z.array(figures.extend({ bucketStart: moment, model: z.string() })),
  buckets: z.array(
    figures.extend({
      bucketStart: moment,
      date: z.iso.date(),
      previous: counts
        .nullable()
        .describe("The bucket at the same place of the period before; null: that period has ended before it"),
    }),
  ),
  groups: groups.nullable().describe("Null without groupBy"),
});
