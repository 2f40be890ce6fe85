import { z } from "zod";
import { announcement } from "./announcements";
import { moment } from "./moments";

const share = z.number().min(0).max(1).describe("Of 1, to a ten-thousandth; 1 and 0 are exact");

const uptimePeriod = z.enum(["24h", "7d", "30d", "90d"], "must be 24h, 7d, 30d or 90d");

/** GET /api/user/models/uptime and GET /api/status: the query. */
export const uptimeQuery = z.object({
  period: uptimePeriod
    .optional()
    .describe("Default: the shortest one that reaches back to the first request"),
});

/** `few`: some requests failed, but too few to judge; `idle`: there were no requests. */
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
