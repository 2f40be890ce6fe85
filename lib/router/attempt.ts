import type { BreakerEntry, EntryKind } from "./breaker";
import type { AttemptOutcome, NodeHealth, PairHealth } from "./node-health";

/** Receives the events of attempts; implemented by `Health`. */
export interface AttemptSink {
  now(): number;
  onEnd(attempt: Attempt, outcome: AttemptOutcome, now: number): void;
  onFirstEvent(attempt: Attempt, now: number): void;
}

/** How an attempt was admitted by each circuit. */
export type CircuitEntries = Readonly<Record<"node" | "pair" | "credential" | "billing", BreakerEntry>>;

/**
 * One call to one node, from admission to result. `end` must be called once on every path; further calls do nothing.
 * Source: docs/architecture.md#s4.
 */
export class Attempt {
  #firstEventMs: number | null = null;
  #ended = false;
  readonly #sink: AttemptSink;

  constructor(
    sink: AttemptSink,
    readonly nodeId: string,
    readonly node: NodeHealth,
    readonly pair: PairHealth,
    readonly entries: CircuitEntries,
    readonly retry: boolean,
    /** Units: milliseconds of the sink's clock. */
    readonly startedMs: number,
  ) {
    this.#sink = sink;
  }

  /** A trial or probe of a circuit, or a normal call. */
  get kind(): EntryKind {
    const { node, pair, credential, billing } = this.entries;
    return [node, pair, credential, billing].find(({ kind }) => kind !== "normal")?.kind ?? "normal";
  }

  /** Time to the first event, or until `now` without one. Units: milliseconds. */
  latencyMs(now: number): number {
    return (this.#firstEventMs ?? now) - this.startedMs;
  }

  /** Reports the first meaningful event: a trial has succeeded, however long the response takes. */
  firstEvent(nowMs = this.#sink.now()): void {
    if (this.#ended || this.#firstEventMs !== null) return;
    this.#firstEventMs = nowMs;
    this.#sink.onFirstEvent(this, nowMs);
  }

  /** True once the first event was reported. */
  get hasFirstEvent(): boolean {
    return this.#firstEventMs !== null;
  }

  /** Reports the result. */
  end(outcome: AttemptOutcome, nowMs = this.#sink.now()): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#sink.onEnd(this, outcome, nowMs);
  }
}
