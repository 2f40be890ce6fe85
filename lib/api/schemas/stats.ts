import { z } from "zod";
import { MAX_RANGE_DAYS } from "@/lib/kernel/day-range";
import { isUuid } from "@/lib/kernel/uuid";
import { isTimeZone } from "@/lib/reports/calendar";
import { announcement } from "./catalog";
import { atMost, queryFlag } from "./fields";
import { adminLogFilter, logFilter } from "./logs";

function day(description: string) {
  const message = "must be a day such as 2026-11-21";
  return z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, message)
    .meta({ description })
    .optional();
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
  groupBy: z
    .enum(["key"], "must be key")
    .meta({ description: "Sums for each key as well, in `groups`" })
    .optional(),
});

function id(message: string) {
  return z.string().refine(isUuid, message).meta({ format: "uuid" });
}

/** GET /api/admin/stats. */
export const adminStatsQuery = statsQuery.extend({
  userId: id("must be the id of an account").optional(),
  tokenId: id("must be the id of a key").optional(),
  groupBy: z
    .enum(["key", "user"], "must be key or user")
    .meta({ description: "Sums for each key or account as well, in `groups`" })
    .optional(),
});

const moment = z.iso.datetime();

/** The zone of the days in an answer, or in the name of a file. */
export const zoneQuery = statsQuery.pick({ tz: true });

/** How an exported file is named and begins. Source: docs/contract.md#file-names. */
export const exportQuery = zoneQuery.extend({
  bom: queryFlag
    .optional()
    .describe("The file begins with a byte order mark, by which Excel reads it as UTF-8"),
});

/** GET /api/user/logs/volume. */
export const zonedLogsQuery = logFilter.extend(zoneQuery.shape);

/** GET /api/admin/logs/volume. */
export const adminZonedLogsQuery = adminLogFilter.extend(zoneQuery.shape);

/** The requests of the log over time. Source: docs/contract.md#log-volume. */
export const logVolume = z.object({
  bucket: z.enum(["hour", "day"]),
  timezone: z.string(),
  to: moment.describe("Now: the end of the last bucket"),
  buckets: z.array(
    z.object({
      bucketStart: moment,
      requestCount: z.int(),
      failedCount: z.int(),
      refusedCount: z.int(),
    }),
  ),
});

/** GET /api/admin/margin. */
export const marginQuery = statsQuery.pick({ period: true, from: true, to: true, tz: true });

const margin = z.object({
  revenue: z.string().describe("Cents as exact decimal text: what was billed"),
  covered: z.string().describe("The revenue of requests whose cost is known"),
  cost: z.string().nullable().describe("What the providers take for these; null: of no request it is known"),
  margin: z.string().nullable().describe("covered less cost"),
});

const partial = z
  .boolean()
  .describe("Usage began to be recorded within the period before, after its first tenth");

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

/** The sums of each key or account. Source: docs/contract.md#s5 (stats). */
const groups = z.object({
  by: z.enum(["key", "user"]),
  rows: z
    .array(
      groupFigures.extend({
        ...latencies,
        id: z.string(),
        name: z.string(),
        keyPrefix: z.string().nullable().describe("Of a key"),
        owner: z.string().nullable().describe("The account of a key, for admins"),
        deleted: z.boolean(),
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

const share = z.number().min(0).max(1).describe("Of 1, to a ten-thousandth; 1 and 0 are exact");

const uptimePeriod = z.enum(["24h", "7d", "30d", "90d"], "must be 24h, 7d, 30d or 90d");

/** GET /api/user/models/uptime and GET /api/status: the query. */
export const uptimeQuery = z.object({
  period: uptimePeriod
    .optional()
    .describe("Default: the shortest one that reaches back to the first request"),
});

/** `few`: some failed, of too few to say; `idle`: nothing to answer. */
const uptimeState = z.enum(["operational", "degraded", "down", "few", "idle"]);
const troubledState = z.enum(["degraded", "down"]);

const incidentTime = z.object({
  from: moment,
  until: moment.nullable().describe("Null: it goes on"),
  over: z.enum(["hours", "day"]).describe("`day`: no hour of it had requests enough to tell when"),
});

const times = z.array(incidentTime).describe("Its hours within a day, or days within hours; else empty");

/** GET /api/user/models/uptime and GET /api/status. Source: docs/contract.md#uptime. */
export const uptime = z.object({
  at: moment,
  timezone: z.string(),
  period: uptimePeriod,
  periods: z.array(uptimePeriod).describe("Those that there are requests for, the shortest first"),
  since: moment.describe("Begin of the first day that is told: that of the first request, 7 to 90 days ago"),
  bucket: z.enum(["hour", "day"]),
  starts: z.array(moment).describe("Of the buckets, oldest first; the last one is not over"),
  degradedBelow: z.number().describe("A share below this one is degraded"),
  downBelow: z.number().describe("A share below this one is down"),
  leastRequests: z.int().describe("Fewer requests do not make an hour or a day degraded or down"),
  leastFailures: z.int().describe("Nor do fewer failures"),
  models: z.array(
    z.object({
      id: z.string(),
      state: uptimeState.describe("Of the last hour, of the last 24 hours when that had too few requests"),
      stateOver: z.enum(["hour", "day"]).describe("Which of the two the state is of"),
      lastDay: share.nullable().describe("Of the last 24 hours; null: nothing to answer"),
      share: share.nullable().describe("Of the period"),
      buckets: z.array(z.object({ state: uptimeState, share: share.nullable() })),
      firstTokenMs: z
        .int()
        .nullable()
        .describe("Median time to the first token of streams in the last 7 days; null: too few of them"),
      tokensPerSecond: z
        .number()
        .nullable()
        .describe("Median of output tokens per second after the first; null: too few streams tell it"),
    }),
  ),
  incidents: z
    .array(
      z.object({
        ...incidentTime.shape,
        state: troubledState.describe("The worst of its models"),
        models: z.array(z.object({ id: z.string(), state: troubledState, share, times })),
      }),
    )
    .describe("Hours, or else days, in which models were degraded or down; the latest 50, newest first"),
  incidentCount: z.int().describe("Of the period"),
});

/** GET /api/status. */
export const publicUptime = uptime.extend({
  announcements: z.array(announcement).describe("Public warnings that were shown at some time since then"),
  notices: z.array(announcement).describe("Public announcements that are shown now, the latest first"),
  planned: z.array(announcement).describe("Public announcements that begin later, the next one first"),
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
