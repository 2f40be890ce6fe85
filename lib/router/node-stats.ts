import { histogramQuantile, LATENCY_BUCKETS, latencyBucket, MINUTE_MS } from "@/lib/kernel/clock";

const SLOT_MS = 30_000;
const SLOTS = 10;

interface Slot {
  index: number;
  ok: number;
  failed: number;
  histogram: number[];
}

/** Statistics of the last five minutes. Units: milliseconds to the first event, or to the end without one. */
export interface RecentSummary {
  attempts: number;
  /** 0..1; null without attempts. */
  successShare: number | null;
  p95Ms: number | null;
}

/** Successes, failures and latency of the last five minutes in ten slots. */
export class RecentStats {
  private readonly slots: Slot[] = [];

  succeeded(now: number, latencyMs: number): void {
    const slot = this.slot(now);
    slot.ok += 1;
    const bucket = latencyBucket(latencyMs);
    slot.histogram[bucket] = (slot.histogram[bucket] ?? 0) + 1;
  }

  failed(now: number): void {
    this.slot(now).failed += 1;
  }

  summary(now: number): RecentSummary {
    this.slot(now);
    const histogram = new Array<number>(LATENCY_BUCKETS).fill(0);
    let ok = 0;
    let failed = 0;
    for (const slot of this.slots) {
      ok += slot.ok;
      failed += slot.failed;
      for (const [bucket, count] of slot.histogram.entries())
        histogram[bucket] = (histogram[bucket] ?? 0) + count;
    }
    const attempts = ok + failed;
    return {
      attempts,
      successShare: attempts === 0 ? null : ok / attempts,
      p95Ms: histogramQuantile(histogram, 0.95),
    };
  }

  private slot(now: number): Slot {
    const index = Math.floor(now / SLOT_MS);
    const last = this.slots.at(-1);
    if (last?.index === index) return last;
    const created = { index, ok: 0, failed: 0, histogram: new Array<number>(LATENCY_BUCKETS).fill(0) };
    this.slots.push(created);
    while ((this.slots[0]?.index ?? index) <= index - SLOTS) this.slots.shift();
    return created;
  }
}

const MINUTES = 60;

interface Minute {
  index: number;
  ok: number;
  failed: number;
  latencySumMs: number;
}

/** The calls of one minute. Units: milliseconds; average of the successes, null without one. */
export interface MinutePoint {
  /** How long ago the minute began. */
  agoMs: number;
  attemptCount: number;
  failureCount: number;
  averageLatencyMs: number | null;
}

/** Calls and failures of the last sixty minutes, one point a minute. Source: docs/dashboard.md#s2-9. */
export class MinuteSeries {
  private readonly minutes: Minute[] = [];

  succeeded(now: number, latencyMs: number): void {
    const minute = this.minute(now);
    minute.ok += 1;
    minute.latencySumMs += latencyMs;
  }

  failed(now: number): void {
    this.minute(now).failed += 1;
  }

  /** Oldest first, zero-filled; the last one is the current minute. */
  points(now: number): MinutePoint[] {
    const current = Math.floor(now / MINUTE_MS);
    const found = new Map(this.minutes.map((minute) => [minute.index, minute]));
    return Array.from({ length: MINUTES }, (_, position) => {
      const index = current - MINUTES + 1 + position;
      const { ok, failed, latencySumMs } = found.get(index) ?? { ok: 0, failed: 0, latencySumMs: 0 };
      return {
        agoMs: now - index * MINUTE_MS,
        attemptCount: ok + failed,
        failureCount: failed,
        averageLatencyMs: ok === 0 ? null : Math.round(latencySumMs / ok),
      };
    });
  }

  private minute(now: number): Minute {
    const index = Math.floor(now / MINUTE_MS);
    const last = this.minutes.at(-1);
    if (last?.index === index) return last;
    const created = { index, ok: 0, failed: 0, latencySumMs: 0 };
    this.minutes.push(created);
    while ((this.minutes[0]?.index ?? index) <= index - MINUTES) this.minutes.shift();
    return created;
  }
}
