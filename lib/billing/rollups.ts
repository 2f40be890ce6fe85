import type { RecordValue } from "@/lib/db/batch-records";
import type { Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import type { StoredAttempt } from "@/lib/db/schema/usage";
import { errorCodeOrder } from "@/lib/kernel/errors";
import { LATENCY_BUCKETS, latencyBucket } from "@/lib/kernel/latency-histogram";
import { isFailure } from "./outcome";
import { count, errorIndex, type Settlement, storedPromptTokens } from "./settlement";

/** Length of a roll-up bucket. Source: docs/reliability.md#a2. */
const BUCKET_MS = 15 * 60_000;

/** For requests whose node cost is known: the sum of that cost, their number, and what was billed for them. */
interface CostSums {
  nodeCost: bigint;
  costedCount: number;
  costedRevenue: bigint;
}

/** The increments of one row of `usage_rollups`; `k` is the index of the key in the batch. */
interface UsageRollup extends CostSums {
  k: number;
  bucket: string;
  model: string;
  requestCount: number;
  errorCount: number;
  promptTokens: number;
  completionTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  cost: bigint;
  /** What the cache has saved, and the tokens of the cache for which that is known. */
  saving: bigint;
  savingTokens: number;
  latencySumMs: number;
  /** The bucket of each answered request. */
  latencies: number[];
  /** The error code of each failed request. */
  errors: number[];
}

/** The increments of one row of `node_rollups`. */
interface NodeRollup extends CostSums {
  nodeId: string;
  bucket: string;
  model: string;
  attemptCount: number;
  failureCount: number;
  promptTokens: number;
  completionTokens: number;
  cost: bigint;
  latencySumMs: number;
  /** Buckets of two histograms, one after the other: one of each attempt, and one of each first event. */
  latencies: number[];
}

let lastBucket = { startMs: 0, text: new Date(0).toISOString() };

/** Start of the 15-minute bucket of a moment, as ISO text. */
function bucketOf(moment: Date): string {
  const startMs = Math.floor(moment.getTime() / BUCKET_MS) * BUCKET_MS;
  // Nearly all requests of a batch are in the same bucket.
  if (startMs !== lastBucket.startMs) lastBucket = { startMs, text: new Date(startMs).toISOString() };
  return lastBucket.text;
}

/**
 * The increments of a batch of settlements to the usage roll-ups: one row per key, model and bucket, in the lock order
 * that every process uses. `keyIndex` gives the index of a key in the batch. Shape: `ledger_usage`.
 */
export function usageRollups(
  settlements: readonly Settlement[],
  keyIndex: (settlement: Settlement) => number,
): RecordValue[][] {
  const rows = new Map<string, UsageRollup>();
  let row = emptyUsageRollup(0, "", "");
  for (const settlement of settlements) {
    const k = keyIndex(settlement);
    const bucket = bucketOf(settlement.createdAt);
    // Usually the same row as for the settlement before.
    if (row.k !== k || row.bucket !== bucket || row.model !== settlement.model) {
      const id = `${String(k).padStart(4, "0")} ${bucket} ${settlement.model}`;
      row = rows.get(id) ?? emptyUsageRollup(k, bucket, settlement.model);
      rows.set(id, row);
    }
    addUsage(row, settlement);
  }
  return inOrder(rows).map(usageRecord);
}

function usageRecord(row: UsageRollup): RecordValue[] {
  return [
    row.k,
    row.bucket,
    row.model,
    row.requestCount,
    row.errorCount,
    row.promptTokens,
    row.completionTokens,
    row.cacheReadTokens,
    row.cacheWriteTokens,
    row.cost,
    row.latencySumMs,
    histogram(row.latencies, LATENCY_BUCKETS),
    histogram(row.errors, errorCodeOrder.length),
    row.saving,
    row.savingTokens,
    row.nodeCost,
    row.costedCount,
    row.costedRevenue,
  ];
}

/**
 * The increments of a batch of settlements to the node roll-ups: every attempt counts; tokens and cost count for the
 * node that answered.
 */
export function nodeRollups(settlements: readonly Settlement[]): RecordValue[][] {
  const rows = new Map<string, NodeRollup>();
  let row = emptyNodeRollup("", "", "");
  for (const settlement of settlements) {
    const bucket = bucketOf(settlement.createdAt);
    const answered = settlement.attempts.findLast((attempt) => attempt.nodeId === settlement.nodeId);
    for (const attempt of settlement.attempts) {
      if (attempt.nodeId === null) continue;
      if (row.nodeId !== attempt.nodeId || row.bucket !== bucket || row.model !== settlement.model) {
        const id = `${attempt.nodeId} ${bucket} ${settlement.model}`;
        row = rows.get(id) ?? emptyNodeRollup(attempt.nodeId, bucket, settlement.model);
        rows.set(id, row);
      }
      addAttempt(row, attempt);
      if (attempt === answered) addAnswer(row, settlement);
    }
  }
  return inOrder(rows).map(nodeRecord);
}

function nodeRecord(row: NodeRollup): RecordValue[] {
  return [
    row.nodeId,
    row.bucket,
    row.model,
    row.attemptCount,
    row.failureCount,
    row.promptTokens,
    row.completionTokens,
    row.cost,
    row.latencySumMs,
    histogram(row.latencies, 2 * LATENCY_BUCKETS),
    row.nodeCost,
    row.costedCount,
    row.costedRevenue,
  ];
}

function addUsage(row: UsageRollup, settlement: Settlement): void {
  const { usage } = settlement;
  row.requestCount++;
  row.promptTokens += storedPromptTokens(usage);
  row.completionTokens += count(usage.output);
  row.cacheReadTokens += count(usage.cacheRead);
  row.cacheWriteTokens += count(usage.cacheWrite);
  row.cost += settlement.costMicroCents;
  if (settlement.cacheSavingMicroCents !== null) {
    row.saving += settlement.cacheSavingMicroCents;
    row.savingTokens += count(usage.cacheRead) + count(usage.cacheWrite);
  }
  addCost(row, settlement);
  if (settlement.errorCode === null) {
    const latencyMs = count(settlement.latencyMs);
    row.latencySumMs += latencyMs;
    row.latencies.push(latencyBucket(latencyMs));
  } else {
    row.errorCount++;
    row.errors.push(errorIndex(settlement.errorCode));
  }
}

function addAttempt(row: NodeRollup, attempt: StoredAttempt): void {
  const latencyMs = count(attempt.totalMs);
  row.attemptCount++;
  if (isFailure(attempt.result)) row.failureCount++;
  row.latencySumMs += latencyMs;
  row.latencies.push(latencyBucket(latencyMs));
  if (attempt.firstEventMs !== null)
    row.latencies.push(LATENCY_BUCKETS + latencyBucket(count(attempt.firstEventMs)));
}

function addAnswer(row: NodeRollup, settlement: Settlement): void {
  row.promptTokens += storedPromptTokens(settlement.usage);
  row.completionTokens += count(settlement.usage.output);
  row.cost += settlement.costMicroCents;
  addCost(row, settlement);
}

function addCost(row: CostSums, settlement: Settlement): void {
  if (settlement.nodeCostMicroCents === null) return;
  row.nodeCost += settlement.nodeCostMicroCents;
  row.costedCount++;
  row.costedRevenue += settlement.costMicroCents;
}

function emptyUsageRollup(k: number, bucket: string, model: string): UsageRollup {
  return {
    k,
    bucket,
    model,
    requestCount: 0,
    errorCount: 0,
    promptTokens: 0,
    completionTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cost: 0n,
    saving: 0n,
    savingTokens: 0,
    latencySumMs: 0,
    latencies: [],
    errors: [],
    ...noCost(),
  };
}

function emptyNodeRollup(nodeId: string, bucket: string, model: string): NodeRollup {
  return {
    nodeId: nodeId,
    bucket,
    model,
    attemptCount: 0,
    failureCount: 0,
    promptTokens: 0,
    completionTokens: 0,
    cost: 0n,
    latencySumMs: 0,
    latencies: [],
    ...noCost(),
  };
}

function noCost(): CostSums {
  return { nodeCost: 0n, costedCount: 0, costedRevenue: 0n };
}

function inOrder<T>(rows: Map<string, T>): T[] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** How often each of the indexes occurs, as the text of an array of this length. */
function histogram(indexes: readonly number[], length: number): string {
  const [first = -1] = indexes;
  return indexes.length > 1 ? countsText(indexes, length) : oneOrNone(first, length);
}

function countsText(indexes: readonly number[], length: number): string {
  const counts = new Array<number>(length).fill(0);
  for (const index of indexes) counts[index] = (counts[index] ?? 0) + 1;
  return `{${counts.join(",")}}`;
}

const knownTexts = new Map<number, string[]>();

/** Most rows of many keys count one request and no error, so these texts are kept. `index`: -1 for none. */
function oneOrNone(index: number, length: number): string {
  const known = knownTexts.get(length) ?? [];
  knownTexts.set(length, known);
  const text = known[index + 1] ?? countsText(index === -1 ? [] : [index], length);
  known[index + 1] = text;
  return text;
}

/**
 * Sums the 15-minute roll-ups that are at least two hours old into 4-hour ones, one day of usage per transaction.
 * Returns the moment up to which they are complete. Several processes may run it at once. Source: docs/reliability.md#a2.
 */
export async function compactRollups(db: Pick<Session, "query">): Promise<Date> {
  let done = new Date(Number.NaN);
  for (;;) {
    const row = onlyRow(await db.query<{ done: Date }>("SELECT usage_rollups_fold() AS done"));
    if (row.done.getTime() === done.getTime()) return done;
    done = row.done;
  }
}
