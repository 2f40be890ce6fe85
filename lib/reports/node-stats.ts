import type { Session } from "@/lib/db/database";
import { histogramQuantile, LATENCY_BUCKETS } from "@/lib/kernel/latency-histogram";
import { momentsOf, momentsText } from "./covering-rollups";
import { type StatsPeriod, statsRange } from "./stats-range";
import { arraySum, numbersOf } from "./usage-sums";

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
