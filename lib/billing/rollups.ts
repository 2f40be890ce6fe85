import type { StoredAttempt } from "../db/schema/usage";
import { errorCodeOrder } from "../errors";
import { LATENCY_BUCKETS, latencyBucket } from "../histogram";
import { count, errorIndex, type Settlement, storedPromptTokens } from "./settlement";

/** Length of a roll-up bucket. Source: reliability A2. */
export const BUCKET_MS = 15 * 60_000;

/** One row to add to `usage_rollups`; `k` is the index of the key in the batch. */
interface UsageRollup {
  k: number;
  bucket: string;
  model: string;
  request_count: number;
  error_count: number;
  prompt_tokens: number;
  completion_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  cost: bigint;
  latency_sum_ms: number;
  latency_histogram: number[];
  error_counts: number[];
}

/** One row to add to `node_rollups`. */
interface NodeRollup {
  node_id: string;
  bucket: string;
  model: string;
  attempt_count: number;
  failure_count: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost: bigint;
  latency_sum_ms: number;
  latency_histogram: number[];
}

/** Start of the 15-minute bucket of a moment, as ISO text. */
export function bucketOf(moment: Date): string {
  return new Date(Math.floor(moment.getTime() / BUCKET_MS) * BUCKET_MS).toISOString();
}

/**
 * What a batch of settlements adds to the usage roll-ups: one row per key, model and bucket, in the order in which
 * every process locks them. `keyIndex` gives the index of a key in the batch.
 */
export function usageRollups(
  settlements: readonly Settlement[],
  keyIndex: (settlement: Settlement) => number,
): UsageRollup[] {
  const rows = new Map<string, UsageRollup>();
  for (const settlement of settlements) {
    const k = keyIndex(settlement);
    const bucket = bucketOf(settlement.createdAt);
    const id = `${String(k).padStart(4, "0")} ${bucket} ${settlement.model}`;
    const row = rows.get(id) ?? emptyUsageRollup(k, bucket, settlement.model);
    rows.set(id, row);
    addUsage(row, settlement);
  }
  return inOrder(rows);
}

/**
 * What a batch of settlements adds to the node roll-ups: every attempt counts; tokens and cost count for the node
 * that answered.
 */
export function nodeRollups(settlements: readonly Settlement[]): NodeRollup[] {
  const rows = new Map<string, NodeRollup>();
  for (const settlement of settlements) {
    const bucket = bucketOf(settlement.createdAt);
    const answered = settlement.attempts.findLast((attempt) => attempt.nodeId === settlement.nodeId);
    for (const attempt of settlement.attempts) {
      if (attempt.nodeId === null) continue;
      const id = `${attempt.nodeId} ${bucket} ${settlement.model}`;
      const row = rows.get(id) ?? emptyNodeRollup(attempt.nodeId, bucket, settlement.model);
      rows.set(id, row);
      addAttempt(row, attempt);
      if (attempt === answered) addAnswer(row, settlement);
    }
  }
  return inOrder(rows);
}

function addUsage(row: UsageRollup, settlement: Settlement): void {
  const { usage } = settlement;
  const latencyMs = count(settlement.latencyMs);
  row.request_count++;
  row.prompt_tokens += storedPromptTokens(usage);
  row.completion_tokens += count(usage.output);
  row.cache_read_tokens += count(usage.cacheRead);
  row.cache_write_tokens += count(usage.cacheWrite);
  row.cost += settlement.costMicroCents;
  row.latency_sum_ms += latencyMs;
  increment(row.latency_histogram, latencyBucket(latencyMs));
  if (settlement.errorCode !== null) {
    row.error_count++;
    increment(row.error_counts, errorIndex(settlement.errorCode));
  }
}

function addAttempt(row: NodeRollup, attempt: StoredAttempt): void {
  const latencyMs = count(attempt.totalMs);
  row.attempt_count++;
  if (attempt.result !== "ok") row.failure_count++;
  row.latency_sum_ms += latencyMs;
  increment(row.latency_histogram, latencyBucket(latencyMs));
}

function addAnswer(row: NodeRollup, settlement: Settlement): void {
  row.prompt_tokens += storedPromptTokens(settlement.usage);
  row.completion_tokens += count(settlement.usage.output);
  row.cost += settlement.costMicroCents;
}

function emptyUsageRollup(k: number, bucket: string, model: string): UsageRollup {
  return {
    k,
    bucket,
    model,
    request_count: 0,
    error_count: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    cost: 0n,
    latency_sum_ms: 0,
    latency_histogram: zeros(LATENCY_BUCKETS),
    error_counts: zeros(errorCodeOrder.length),
  };
}

function emptyNodeRollup(nodeId: string, bucket: string, model: string): NodeRollup {
  return {
    node_id: nodeId,
    bucket,
    model,
    attempt_count: 0,
    failure_count: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    cost: 0n,
    latency_sum_ms: 0,
    latency_histogram: zeros(LATENCY_BUCKETS),
  };
}

function inOrder<T>(rows: Map<string, T>): T[] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function increment(counts: number[], index: number): void {
  counts[index] = (counts[index] ?? 0) + 1;
}

function zeros(length: number): number[] {
  return new Array<number>(length).fill(0);
}
