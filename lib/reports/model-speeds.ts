import type { Session } from "@/lib/db/database";

/**
 * The speed of a model is measured over this many days, from at most `SAMPLE_OF_HOUR` requests of each hour and at
 * least `LEAST_TIMED` in all.
 */
const SPEED_DAYS = 7;

const SAMPLE_OF_HOUR = 150;

const LEAST_TIMED = 10;

/** A shorter answer, or a faster one, gives no useful rate. */
const LEAST_RATED = { tokens: 16, ms: 50 };

/** How fast a model answers; null: too few requests to measure. */
export interface ModelSpeed {
  /** The median time to the first token. */
  firstTokenMs: number | null;
  /** The median rate from the first token on. */
  tokensPerSecond: number | null;
}

/**
 * The median speed of each model over the last days, of successful streams. It reads a bounded sample of the log, spread
 * evenly over the hours. Source: docs/contract.md#model-speed.
 */
export async function readModelSpeeds(db: Session, now: Date): Promise<ReadonlyMap<string, ModelSpeed>> {
  const rows = await db.query<{ model: string; first: number | null; rate: number | null }>(
    `SELECT model,
       CASE WHEN count(*) >= ${LEAST_TIMED} THEN percentile_cont(0.5) WITHIN GROUP (ORDER BY ttft_ms) END AS first,
       CASE WHEN count(rate) >= ${LEAST_TIMED} THEN percentile_cont(0.5) WITHIN GROUP (ORDER BY rate) END AS rate
     FROM (
       SELECT sample.*, CASE WHEN completion_tokens >= ${LEAST_RATED.tokens}
         AND latency_ms - ttft_ms >= ${LEAST_RATED.ms}
         THEN completion_tokens * 1000.0 / (latency_ms - ttft_ms) END::float8 AS rate
       FROM generate_series(1, ${SPEED_DAYS * 24}) AS hour CROSS JOIN LATERAL (
         SELECT model, ttft_ms, latency_ms, completion_tokens, status, stream, operation FROM request_log
         WHERE created_at <= $1::timestamptz - (hour - 1) * interval '1 hour'
           AND created_at > $1::timestamptz - hour * interval '1 hour'
         ORDER BY created_at DESC LIMIT ${SAMPLE_OF_HOUR}
       ) sample
       WHERE status = 'success' AND stream AND operation = 'generate' AND ttft_ms IS NOT NULL
     ) timed GROUP BY model`,
    [now.toISOString()],
  );
  return new Map(
    rows.map(({ model, first, rate }) => [
      model,
      {
        firstTokenMs: first === null ? null : Math.round(Number(first)),
        tokensPerSecond: rate === null ? null : Math.round(Number(rate) * 10) / 10,
      },
    ]),
  );
}
