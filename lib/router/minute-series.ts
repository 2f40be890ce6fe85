import { MINUTE_MS } from "@/lib/kernel/durations";

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
  readonly #minutes: Minute[] = [];

  succeeded(now: number, latencyMs: number): void {
    const minute = this.#minute(now);
    minute.ok += 1;
    minute.latencySumMs += latencyMs;
  }

  failed(now: number): void {
    this.#minute(now).failed += 1;
  }

  /** Oldest first, zero-filled; the last one is the current minute. */
  points(now: number): MinutePoint[] {
    const current = Math.floor(now / MINUTE_MS);
    const found = new Map(this.#minutes.map((minute) => [minute.index, minute]));
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

  #minute(now: number): Minute {
    const index = Math.floor(now / MINUTE_MS);
    const last = this.#minutes.at(-1);
    if (last?.index === index) return last;
    const created = { index, ok: 0, failed: 0, latencySumMs: 0 };
    this.#minutes.push(created);
    while ((this.#minutes[0]?.index ?? index) <= index - MINUTES) this.#minutes.shift();
    return created;
  }
}
