import type { Clock } from "@/lib/kernel/clock";

/** A clock with timers that go on only when told. */
export class ManualClock implements Clock {
  #nowMs = 0;
  #wallMs: number;
  readonly #timers = new Set<{ atMs: number; run: () => void }>();

  constructor(start = "2026-11-29T12:00:00Z") {
    this.#wallMs = Date.parse(start);
  }

  nowMs(): number {
    return this.#nowMs;
  }

  date(): Date {
    return new Date(this.#wallMs);
  }

  /** Timers that have neither run nor been cancelled. */
  get timers(): number {
    return this.#timers.size;
  }

  readonly startTimer = (ms: number, run: () => void): (() => void) => {
    const timer = { atMs: this.#nowMs + ms, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** Goes on and runs what is due. */
  advance(ms: number): void {
    this.#nowMs += ms;
    this.#wallMs += ms;
    for (const timer of [...this.#timers]) {
      if (timer.atMs > this.#nowMs) continue;
      this.#timers.delete(timer);
      timer.run();
    }
  }
}
