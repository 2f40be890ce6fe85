import { and, between, inArray } from "drizzle-orm";
import { isFailure } from "@/lib/billing/outcome";
import type { Session } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { nodes } from "@/lib/db/schema/catalog";
import { requestLog } from "@/lib/db/schema/usage";
import { histogramQuantile, LATENCY_BUCKETS, MAX_RANGE_DAYS } from "@/lib/kernel/clock";
import { centsDecimal } from "@/lib/kernel/usage";
import type { LogFilter } from "./log-filter";
import { type LogEntry, type LogRequest, type LogRow, logEntryOf, readLogPage, walkLogRows } from "./logs";
import { readStats, type StatsRequest } from "./stats";
import { coveringRollups, momentsOf, momentsText, type StatsPeriod, statsRange } from "./stats-range";
import { arraySum, numbersOf } from "./usage-sums";

/** A log entry with its account and its nodes. */
export interface AdminLogEntry extends LogEntry {
  userId: string;
  username: string;
  /** The node that answered. */
  nodeId: string | null;
  node: string | null;
  /** The attempts that got no answer, in their order. */
  failedAttempts: { nodeId: string | null; node: string; result: string }[];
}

/** As `listLogs`, of all accounts, with the account and the node that answered. Throws: INVALID_REQUEST. */
export async function listAllLogs(db: Session, filter: LogFilter, request: LogRequest) {
  const { rows, page } = await readLogPage(db, filter, request);
  return { data: await named(db, rows), ...page };
}

/** All matching requests of all accounts, newest first, in batches and at most `maxRows`. */
export async function* walkAllLogs(
  db: Session,
  filter: LogFilter,
  maxRows: number,
): AsyncGenerator<AdminLogEntry[]> {
  for await (const rows of walkLogRows(db, filter, maxRows)) yield await named(db, rows);
}

async function named(db: Session, rows: readonly LogRow[]): Promise<AdminLogEntry[]> {
  const usernames = await namesOf(distinct(rows.map((row) => row.userId)), (ids) =>
    db.orm.select({ id: users.id, name: users.username }).from(users).where(inArray(users.id, ids)),
  );
  const nodeNames = await namesOf(distinct(rows.map((row) => row.nodeId)), (ids) =>
    db.orm.select({ id: nodes.id, name: nodes.name }).from(nodes).where(inArray(nodes.id, ids)),
  );
  const failed = await failedAttemptsOf(db, rows);
  return rows.map((row) => ({
    ...logEntryOf(row),
    userId: row.userId,
    username: usernames.get(row.userId) ?? "",
    nodeId: row.nodeId,
    node: row.nodeId === null ? null : (nodeNames.get(row.nodeId) ?? ""),
    failedAttempts: failed.get(row.requestId) ?? [],
  }));
}

/** The failed attempts by request; attempts of requests that went well at once are not read. */
async function failedAttemptsOf(db: Session, rows: readonly LogRow[]) {
  const troubled = rows.filter((row) => row.attemptCount > (row.status === "success" ? 1 : 0));
  if (troubled.length === 0) return new Map<string, never[]>();
  const times = troubled.map((row) => row.createdAt.getTime());
  const found = await db.orm
    .select({ requestId: requestLog.requestId, attempts: requestLog.attempts })
    .from(requestLog)
    .where(
      and(
        inArray(
          requestLog.requestId,
          troubled.map((row) => row.requestId),
        ),
        between(requestLog.createdAt, new Date(Math.min(...times)), new Date(Math.max(...times))),
      ),
    );
  return new Map(
    found.map(({ requestId, attempts }) => [
      requestId,
      attempts
        .filter(({ result }) => isFailure(result))
        .map(({ nodeId, nodeName, result }) => ({ nodeId, node: nodeName, result })),
    ]),
  );
}

async function namesOf(
  ids: string[],
  read: (ids: string[]) => Promise<{ id: string; name: string }[]>,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  return new Map((await read(ids)).map((row) => [row.id, row.name]));
}

function distinct(ids: (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))];
}

const TOP = 10;
const MAX_NODES = 100;

interface UserRow {
  id: string;
  username: string;
  requests: string;
  errors: string;
  cost: string;
  active: string;
}

interface NodeRow {
  id: string;
  name: string | null;
  attempts: string;
  failures: string;
  prompt: string;
  completion: string;
  cost: string;
  latency: string;
}

interface NodePointRow {
  id: string;
  name: string | null;
  index: string;
  attempts: string;
  failures: string;
  latency: string;
}

/**
 * The statistics of all accounts or of one, with the top accounts and nodes and a series for each node.
 * Source: docs/dashboard.md#s2-9.
 */
export async function readAdminStats(db: Session, request: StatsRequest, now: Date) {
  const stats = await readStats(db, request, now);
  const range: [Date, Date] = [new Date(stats.from), new Date(stats.to)];
  const starts = stats.buckets.map((bucket) => bucket.bucketStart);
  const [accounts, nodes, series] = await Promise.all([
    leadingAccounts(db, starts, range[1]),
    topNodes(db, range),
    nodeSeries(db, starts, range[1]),
  ]);
  return { ...stats, ...accounts, topNodes: nodes, nodeSeries: series };
}

/** The number of active accounts, and those with the highest cost. */
async function leadingAccounts(db: Session, starts: readonly string[], to: Date) {
  const rollups = await coveringRollups(db, starts.map(Date.parse), to.getTime());
  const rows = await db.query<UserRow>(
    `SELECT u.id, u.username, top.requests::text, top.errors::text, top.cost::text, top.active::text FROM (
       SELECT user_id, sum(request_count) AS requests, sum(error_count) AS errors, sum(cost_micro_cents) AS cost,
         count(*) OVER () AS active
       FROM ${rollups.table("")} found GROUP BY user_id
       ORDER BY sum(cost_micro_cents) DESC, sum(request_count) DESC LIMIT ${TOP}
     ) top JOIN users u ON u.id = top.user_id ORDER BY top.cost DESC, top.requests DESC`,
    rollups.params,
  );
  const topUsers = rows.map((row) => ({
    userId: row.id,
    username: row.username,
    requestCount: Number(row.requests),
    errorCount: Number(row.errors),
    cost: centsDecimal(BigInt(row.cost)),
  }));
  return { activeUsers: Number(rows[0]?.active ?? 0), topUsers };
}

async function topNodes(db: Session, range: [Date, Date]) {
  const rows = await db.query<NodeRow>(
    `SELECT r.node_id AS id, n.name, sum(r.attempt_count)::text AS attempts, sum(r.failure_count)::text AS failures,
       sum(r.prompt_tokens)::text AS prompt, sum(r.completion_tokens)::text AS completion,
       sum(r.cost_micro_cents)::text AS cost, sum(r.latency_sum_ms)::text AS latency
     FROM node_rollups r LEFT JOIN nodes n ON n.id = r.node_id
     WHERE r.bucket >= $1::timestamptz AND r.bucket < $2::timestamptz
     GROUP BY 1, 2 ORDER BY sum(r.attempt_count) DESC LIMIT ${TOP}`,
    range,
  );
  return rows.map((row) => ({
    nodeId: row.id,
    node: row.name ?? "",
    attemptCount: Number(row.attempts),
    failureCount: Number(row.failures),
    promptTokens: Number(row.prompt),
    completionTokens: Number(row.completion),
    cost: centsDecimal(BigInt(row.cost)),
    averageLatencyMs: Math.round(Number(row.latency) / Math.max(1, Number(row.attempts))),
  }));
}

/** The calls of every used node, one point per bucket, zero-filled. Units: ISO moments, milliseconds. */
async function nodeSeries(db: Session, starts: readonly string[], to: Date) {
  const rows = await db.query<NodePointRow>(
    `SELECT r.node_id AS id, n.name, width_bucket(r.bucket, (SELECT string_to_array($1::text, ',')::timestamptz[])) - 1 AS index,
       sum(r.attempt_count)::text AS attempts, sum(r.failure_count)::text AS failures,
       sum(r.latency_sum_ms)::text AS latency
     FROM node_rollups r LEFT JOIN nodes n ON n.id = r.node_id
     WHERE r.bucket >= $2::timestamptz AND r.bucket < $3::timestamptz
     GROUP BY 1, 2, 3 ORDER BY 2, 1, 3 LIMIT ${MAX_NODES * MAX_RANGE_DAYS}`,
    [starts.join(","), new Date(starts[0] ?? to), to],
  );
  const found = new Map<string, NodePointRow[]>();
  for (const row of rows) found.set(row.id, [...(found.get(row.id) ?? []), row]);
  return [...found].slice(0, MAX_NODES).map(([nodeId, points]) => ({
    nodeId,
    node: points[0]?.name ?? "",
    points: starts.map((bucketStart, index) => ({
      bucketStart,
      ...callsOf(points.find((point) => Number(point.index) === index)),
    })),
  }));
}

function callsOf(point: NodePointRow | undefined) {
  if (point === undefined) return { attemptCount: 0, failureCount: 0, averageLatencyMs: null };
  const attemptCount = Number(point.attempts);
  const averageLatencyMs = attemptCount === 0 ? null : Math.round(Number(point.latency) / attemptCount);
  return { attemptCount, failureCount: Number(point.failures), averageLatencyMs };
}

interface NodeSumsRow {
  index: string;
  attempts: string;
  failures: string;
  histograms: string;
}

/**
 * How fast and how well a node answered: one entry per bucket of a period that ends now, zero-filled and oldest first,
 * and one for the whole. Reads the roll-ups of the node only. Units: milliseconds. Source: docs/contract.md#node-stats.
 */
export async function readNodeStats(
  db: Session,
  request: { nodeId: string; period: Extract<StatsPeriod, string>; timeZone: string },
  now: Date,
) {
  const range = statsRange(request.period, request.timeZone, now.getTime());
  const [from = range.to] = range.starts;
  const rows = await db.query<NodeSumsRow>(
    `SELECT width_bucket(bucket, (SELECT ${momentsOf("$1")})) - 1 AS index, sum(attempt_count)::text AS attempts,
       sum(failure_count)::text AS failures, ${arraySum("latency_histogram", 2 * LATENCY_BUCKETS)} AS histograms
     FROM node_rollups WHERE node_id = $2 AND bucket >= $3::timestamptz AND bucket < $4::timestamptz GROUP BY 1`,
    [momentsText(range.starts), request.nodeId, new Date(from), new Date(range.to)],
  );
  const found = new Map(rows.map((row) => [Number(row.index), nodeSumsOf(row)]));
  return {
    period: request.period,
    bucket: range.bucket,
    timezone: request.timeZone,
    from: new Date(from).toISOString(),
    to: new Date(range.to).toISOString(),
    totals: nodeFiguresOf([...found.values()].reduce(addNodeSums, noNodeSums)),
    buckets: range.starts.map((start, index) => ({
      bucketStart: new Date(start).toISOString(),
      ...nodeFiguresOf(found.get(index) ?? noNodeSums),
    })),
  };
}

/** Sums over roll-ups of a node. Shape: two histograms, one after the other. */
interface NodeSums {
  attemptCount: number;
  failureCount: number;
  histograms: readonly number[];
}

const noNodeSums: NodeSums = {
  attemptCount: 0,
  failureCount: 0,
  histograms: new Array<number>(2 * LATENCY_BUCKETS).fill(0),
};

function nodeSumsOf(row: NodeSumsRow): NodeSums {
  return {
    attemptCount: Number(row.attempts),
    failureCount: Number(row.failures),
    histograms: numbersOf(row.histograms),
  };
}

function addNodeSums(a: NodeSums, b: NodeSums): NodeSums {
  return {
    attemptCount: a.attemptCount + b.attemptCount,
    failureCount: a.failureCount + b.failureCount,
    histograms: a.histograms.map((count, index) => count + (b.histograms[index] ?? 0)),
  };
}

function nodeFiguresOf({ attemptCount, failureCount, histograms }: NodeSums) {
  const whole = histograms.slice(0, LATENCY_BUCKETS);
  const firstEvent = histograms.slice(LATENCY_BUCKETS);
  return {
    attemptCount,
    failureCount,
    p50Ms: histogramQuantile(whole, 0.5),
    p95Ms: histogramQuantile(whole, 0.95),
    firstEventP50Ms: histogramQuantile(firstEvent, 0.5),
    firstEventP95Ms: histogramQuantile(firstEvent, 0.95),
  };
}
