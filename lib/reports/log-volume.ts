import { sql } from "drizzle-orm";
import type { Session, SqlValue } from "@/lib/db/database";
import { requestLog } from "@/lib/db/schema/usage";
import { MAX_RANGE_DAYS } from "@/lib/kernel/day-range";
import { DAY_MS, HOUR_MS } from "@/lib/kernel/durations";
import { errorCodeOrder, faultCodes } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { addDays, calendarOf } from "./calendar";
import { momentsText } from "./covering-rollups";
import { inTime } from "./in-time";
import { endedAs, type LogFilter, logCondition } from "./log-filter";
import { type StatsRange, statsRange } from "./stats-range";
import { conditionOf, sumUsage, type UsageSums } from "./usage-sums";

/** Requests of the log in one bucket. */
interface LogCounts {
  index: number;
  requestCount: number;
  failedCount: number;
  refusedCount: number;
}

/**
 * The requests of the log over time that match a filter, in the hours of the last 24 or in days: from the filter's
 * beginning, else from the first request, at least 7 days and at most 92. The range always ends now, so that the pages
 * can show a chosen time among the others. Throws: INVALID_REQUEST when the filter takes too long over so many
 * requests.
 * Source: docs/contract.md#log-volume.
 */
export async function readLogVolume(db: Session, filter: LogFilter, timeZone: string, now: Date) {
  const range = await volumeRange(db, filter, timeZone, now.getTime());
  const found = await countsOf(db, filter, range);
  const none = { requestCount: 0, failedCount: 0, refusedCount: 0 };
  const buckets = range.starts.map((start, index) => {
    const counts = { bucketStart: new Date(start).toISOString(), ...none };
    for (const row of found) {
      if (row.index !== index) continue;
      counts.requestCount += row.requestCount;
      counts.failedCount += row.failedCount;
      counts.refusedCount += row.refusedCount;
    }
    return counts;
  });
  return { bucket: range.bucket, timezone: timeZone, to: new Date(range.to).toISOString(), buckets };
}

function countsOf(db: Session, filter: LogFilter, range: StatsRange): Promise<LogCounts[]> {
  if (isInRollups(filter)) return countRollups(db, filter, range);
  const { status, ...others } = filter;
  return status === "error" && isInRollups(others)
    ? countErrors(db, others, range)
    : countLog(db, filter, range);
}

const LEAST_DAYS = 7;

async function volumeRange(
  db: Session,
  filter: LogFilter,
  timeZone: string,
  now: number,
): Promise<StatsRange> {
  const { dateOf } = calendarOf(timeZone);
  const from = filter.from?.getTime() ?? (await firstRequestAt(db, filter)) ?? now;
  const lastDay = statsRange("24h", timeZone, now);
  // The beginning of "last 24 h" is soon more than 24 hours ago, so it gets slack; a range with an end is taken
  // literally.
  const slackMs = filter.to === undefined ? HOUR_MS : 0;
  if (filter.from !== undefined && from >= (lastDay.starts[0] ?? now) - slackMs) return lastDay;
  const today = dateOf(now);
  const [earliest, latest] = [addDays(today, 1 - MAX_RANGE_DAYS), addDays(today, 1 - LEAST_DAYS)];
  const day = dateOf(Math.max(from, now - MAX_RANGE_DAYS * DAY_MS));
  return statsRange(
    { from: day < earliest ? earliest : day > latest ? latest : day, to: today },
    timeZone,
    now,
  );
}

/** Of the account, or of the project or maker that is asked for, whose roll-ups are few; null: there are no requests. */
async function firstRequestAt(db: Session, filter: LogFilter): Promise<number | null> {
  const { userId, projectId, createdBy } = filter;
  if (projectId !== undefined || createdBy !== undefined) {
    const params: SqlValue[] = [];
    const where = conditionOf({ userId, projectId, createdBy }, params);
    const sums = await db.query<{ at: Date | null }>(
      `SELECT min(bucket) AS at FROM usage_rollups WHERE true${where}`,
      params,
    );
    return sums[0]?.at?.getTime() ?? null;
  }
  const [first] = await db.orm
    .select({ at: requestLog.createdAt })
    .from(requestLog)
    .where(logCondition({ userId }))
    .orderBy(requestLog.createdAt)
    .limit(1);
  return first?.at.getTime() ?? null;
}

/** The filters whose requests the roll-ups can count; all others need the log. */
const rollupFilters: readonly string[] = [
  "from",
  "to",
  "userId",
  "tokenId",
  "projectId",
  "createdBy",
  "model",
  "outcome",
  "errorCode",
] satisfies (keyof LogFilter)[];

function isInRollups(filter: LogFilter): boolean {
  const ids = [filter.userId, filter.tokenId].filter((id) => id !== undefined);
  const names = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return names.every((name) => rollupFilters.includes(name)) && ids.every(isUuid);
}

async function countRollups(db: Session, filter: LogFilter, range: StatsRange): Promise<LogCounts[]> {
  const { userId, tokenId, projectId, createdBy, model, outcome, errorCode } = filter;
  const keys = { userId, tokenId, projectId, createdBy, model };
  const found = await sumUsage(db, keys, range.starts, range.to);
  const sumOf = (sums: UsageSums, faults: boolean) =>
    errorCodeOrder.reduce((sum, code, index) => {
      const counts = isFault(code) === faults && (errorCode === undefined || errorCode === code);
      return counts ? sum + (sums.errorCounts[index] ?? 0) : sum;
    }, 0);
  return found.map(({ index, sums }) => {
    const failedCount = outcome === "refused" ? 0 : sumOf(sums, true);
    const refusedCount = outcome === "failed" ? 0 : sumOf(sums, false);
    const isWhole = outcome === undefined && errorCode === undefined;
    const requestCount = isWhole ? sums.requestCount : failedCount + refusedCount;
    return { index, requestCount, failedCount, refusedCount };
  });
}

/**
 * The requests with the status `error`: those that the roll-ups count as unanswered, minus the interrupted ones, which
 * are few and have an index. Counting errors in the log would read nearly all unanswered requests.
 */
async function countErrors(db: Session, filter: LogFilter, range: StatsRange): Promise<LogCounts[]> {
  const unanswered: LogFilter = { ...filter, outcome: filter.outcome ?? "unanswered" };
  // In this order no interrupted request is subtracted before the roll-ups include it.
  const interrupted = await countLog(db, { ...unanswered, status: "interrupted" }, range);
  const all = await countRollups(db, unanswered, range);
  return [
    ...all,
    ...interrupted.map(({ index, requestCount, failedCount, refusedCount }) => ({
      index,
      requestCount: -requestCount,
      failedCount: -failedCount,
      refusedCount: -refusedCount,
    })),
  ];
}

function isFault(code: string): boolean {
  return faultCodes.some((fault) => fault === code);
}

async function countLog(db: Session, filter: LogFilter, range: StatsRange): Promise<LogCounts[]> {
  const starts = sql`string_to_array(${momentsText(range.starts)}::text, ',')::timestamptz[]`;
  const ended = (outcome: "failed" | "refused") => sql<string>`count(*) FILTER (WHERE ${endedAs(outcome)})`;
  const counts = db.orm
    .select({
      index: sql<number>`width_bucket(${requestLog.createdAt}, ${starts}) - 1`,
      requests: sql<string>`count(*)`,
      failed: ended("failed"),
      refused: ended("refused"),
    })
    .from(requestLog)
    .where(logCondition({ ...filter, from: new Date(range.starts[0] ?? range.to), to: undefined }))
    .groupBy(sql`1`);
  return (await inTime(counts)).map((row) => ({
    index: Number(row.index),
    requestCount: Number(row.requests),
    failedCount: Number(row.failed),
    refusedCount: Number(row.refused),
  }));
}
