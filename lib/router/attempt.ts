import type { BreakerEntry, EntryKind } from "./breaker";
import type { NodeHealth, PairHealth } from "./node-health";
import type { AttemptOutcome } from "./outcome";

/** Receives the events of attempts; implemented by `Health`. */
export interface AttemptSink {
  now(): number;
  onEnd(attempt: Attempt, outcome: AttemptOutcome): void;
  onFirstEvent(attempt: Attempt): void;
}

/**
 * One call to one node, from admission to result. `end` must be called once on every path; further calls do nothing.
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

  /** A trial or probe of a circuit, or a normal call. */
  get kind(): EntryKind {
    const entries = [this.nodeEntry, this.pairEntry, this.credentialEntry];
    return entries.find(({ kind }) => kind !== "normal")?.kind ?? "normal";
  }

  /** Time to the first event, or the time so far without one. Units: milliseconds. */
  get latencyMs(): number {
    return (this.firstEventMs ?? this.sink.now()) - this.startedMs;
  }

  /** Reports the first meaningful event: a trial has succeeded, however long the response takes. */
  firstEvent(): void {
    if (this.ended || this.firstEventMs !== null) return;
    this.firstEventMs = this.sink.now();
    this.sink.onFirstEvent(this);
  }

  /** True once the first event was reported. */
  get hasFirstEvent(): boolean {
    return this.firstEventMs !== null;
  }

  /** Reports the result. */
  end(outcome: AttemptOutcome): void {
    if (this.ended) return;
    this.ended = true;
    this.sink.onEnd(this, outcome);
  }
}
