import type { Session } from "@/lib/db/database";
import { MAX_RANGE_DAYS } from "@/lib/kernel/day-range";
import { centsDecimal } from "@/lib/kernel/money";
import { coveringRollups } from "./covering-rollups";
import { readStats, type StatsRequest } from "./stats";

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
