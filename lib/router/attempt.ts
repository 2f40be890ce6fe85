import type { BreakerEntry, EntryKind } from "./breaker";
import type { NodeHealth, PairHealth } from "./node-health";
import type { AttemptOutcome } from "./outcome";

/** What an attempt reports to; the health of the process. */
export interface AttemptSink {
  now(): number;
  settled(attempt: Attempt, outcome: AttemptOutcome): void;
  proven(attempt: Attempt): void;
}

/**
 * One call to one node, from permission to result. `end` must be called once on every path; further calls do nothing.
 * Source: docs/architecture.md#s4.
 */
export class Attempt {
  readonly startedMs: number;
  private firstEventMs: number | null = null;
  private ended = false;

  constructor(
    private readonly sink: AttemptSink,
    readonly nodeId: string,
    readonly node: NodeHealth,
    readonly pair: PairHealth,
    readonly nodeEntry: BreakerEntry,
    readonly pairEntry: BreakerEntry,
    readonly credentialEntry: BreakerEntry,
    readonly retry: boolean,
  ) {
    this.startedMs = sink.now();
  }

  /** A trial or a probe of a circuit, or an ordinary call. */
  get kind(): EntryKind {
    const entries = [this.nodeEntry, this.pairEntry, this.credentialEntry];
    return entries.find(({ kind }) => kind !== "normal")?.kind ?? "normal";
  }

  /** Time to the first event, or to now while there is none. Units: milliseconds. */
  get latencyMs(): number {
    return (this.firstEventMs ?? this.sink.now()) - this.startedMs;
  }

  /** The first meaningful event is here: a trial has succeeded, however long the answer goes on. */
  firstEvent(): void {
    if (this.ended || this.firstEventMs !== null) return;
    this.firstEventMs = this.sink.now();
    this.sink.proven(this);
  }

  /** True when the first event had been reported. */
  get opened(): boolean {
    return this.firstEventMs !== null;
  }

  /** The result. */
  end(outcome: AttemptOutcome): void {
    if (this.ended) return;
    this.ended = true;
    this.sink.settled(this, outcome);
  }
}
