import { readStats, type StatsRequest } from "@/lib/accounts/stats";
import { centsDecimal } from "@/lib/billing/money";
import type { Session } from "@/lib/db/client";

const TOP = 10;

interface UserRow {
  id: string;
  username: string;
  requests: string;
  errors: string;
  cost: string;
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

/** The statistics of everybody, or of one account, with the leading accounts and nodes. Source: dashboard 2.9. */
export async function readAdminStats(db: Session, request: StatsRequest, now: Date) {
  const stats = await readStats(db, request, now);
  const range: [Date, Date] = [new Date(stats.from), new Date(stats.to)];
  const [users, nodes, active] = await Promise.all([
    topUsers(db, range),
    topNodes(db, range),
    db.query<{ total: string }>(
      `SELECT count(DISTINCT user_id)::text AS total FROM usage_rollups
       WHERE bucket >= $1::timestamptz AND bucket < $2::timestamptz`,
      range,
    ),
  ]);
  return { ...stats, activeUsers: Number(active[0]?.total ?? 0), topUsers: users, topNodes: nodes };
}

async function topUsers(db: Session, range: [Date, Date]) {
  const rows = await db.query<UserRow>(
    `SELECT u.id, u.username, sum(r.request_count)::text AS requests, sum(r.error_count)::text AS errors,
       sum(r.cost_micro_cents)::text AS cost
     FROM usage_rollups r JOIN users u ON u.id = r.user_id
     WHERE r.bucket >= $1::timestamptz AND r.bucket < $2::timestamptz
     GROUP BY u.id ORDER BY sum(r.cost_micro_cents) DESC, sum(r.request_count) DESC LIMIT ${TOP}`,
    range,
  );
  return rows.map((row) => ({
    userId: row.id,
    username: row.username,
    requestCount: Number(row.requests),
    errorCount: Number(row.errors),
    cost: centsDecimal(BigInt(row.cost)),
  }));
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
