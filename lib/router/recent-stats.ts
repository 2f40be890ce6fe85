import { histogramQuantile, LATENCY_BUCKETS, latencyBucket } from "@/lib/kernel/latency-histogram";

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
  readonly #slots: Slot[] = [];

  succeeded(now: number, latencyMs: number): void {
    const slot = this.#slot(now);
    slot.ok += 1;
    const bucket = latencyBucket(latencyMs);
    slot.histogram[bucket] = (slot.histogram[bucket] ?? 0) + 1;
  }

  failed(now: number): void {
    this.#slot(now).failed += 1;
  }

  summary(now: number): RecentSummary {
    this.#slot(now);
    const histogram = new Array<number>(LATENCY_BUCKETS).fill(0);
    let ok = 0;
    let failed = 0;
    for (const slot of this.#slots) {
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

  #slot(now: number): Slot {
    const index = Math.floor(now / SLOT_MS);
    const last = this.#slots.at(-1);
    if (last?.index === index) return last;
    const created = { index, ok: 0, failed: 0, histogram: new Array<number>(LATENCY_BUCKETS).fill(0) };
    this.#slots.push(created);
    while ((this.#slots[0]?.index ?? index) <= index - SLOTS) this.#slots.shift();
    return created;
  }
}
