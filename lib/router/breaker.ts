/** Consecutive failures that eject. Source: docs/reliability.md#s2-9, with the times below. */
const CONSECUTIVE_LIMIT = 5;
const RATE_MINIMUM = 20;
const RATE_SHARE = 0.5;
const RATE_SECONDS = 30;
const BASE_EJECTION_MS = 30_000;
/** No ejection lasts longer, jitter included. */
export const MAX_EJECTION_MS = 300_000;
const JITTER = 0.2;
const DECAY_MS = 60_000;
const TRIAL_SUCCESSES = 3;
const PROBE_EVERY_MS = 1_000;
/** A trial whose end was never reported stops blocking the next one; longer than any request may take. */
const TRIAL_LEASE_MS = 960_000;

/** When a circuit opens, for how long, and what closes it. Units: milliseconds. */
export interface BreakerRules {
  consecutive: number;
  /** Opens at half of at least so many calls, too. */
  rateMinimum: number;
  ejectionMs: number;
  /** No ejection lasts longer, jitter included. */
  maxEjectionMs: number;
  /** Share of the ejection by which it is longer or shorter. */
  jitter: number;
  trialSuccesses: number;
}

const circuitRules: BreakerRules = {
  consecutive: CONSECUTIVE_LIMIT,
  rateMinimum: RATE_MINIMUM,
  ejectionMs: BASE_EJECTION_MS,
  maxEjectionMs: MAX_EJECTION_MS,
  jitter: JITTER,
  trialSuccesses: TRIAL_SUCCESSES,
};

/** Of a credential that is refused: three requests in a row, always 30 s, one success. Source: docs/contract.md#b1. */
export const credentialRules: BreakerRules = {
  consecutive: 3,
  rateMinimum: Number.POSITIVE_INFINITY,
  ejectionMs: BASE_EJECTION_MS,
  maxEjectionMs: BASE_EJECTION_MS,
  jitter: 0,
  trialSuccesses: 1,
};

/** Why a circuit is open: failures in a row, or their share. */
export type EjectionCause = "consecutive" | "rate";

/** How an attempt may enter: as usual, as the one trial of a half-open circuit, or as a probe of an open one. */
export type EntryKind = "normal" | "trial" | "probe";

/** Where a circuit stands; `half-open` begins by itself when the ejection is over. */
export type BreakerPhase = "closed" | "open" | "half-open";

/** Permission to call, to be given back with the result. */
export interface BreakerEntry {
  readonly kind: EntryKind;
  /** Results of attempts that began before the last ejection change nothing. */
  readonly era: number;
}

interface SecondCount {
  second: number;
  total: number;
  failed: number;
}

/**
 * The circuit of one node or of one (node, upstream model): no clock, no chance, both come in as arguments.
 * Closed → open after 5 failures in a row, or half of at least 20 within 30 s; open → half-open when the time is
 * over; half-open → closed after 3 successes, one trial at a time; other rules may be given. Units: milliseconds.
 * Source: docs/reliability.md#s2-9.
 */
export class Breaker {
  private state: "closed" | "open" | "half-open" = "closed";
  private readonly seconds: SecondCount[] = [];
  private era = 0;
  private failuresInRow = 0;
  private timesEjected = 0;
  private openUntil = 0;
  private closedSince = 0;
  private successes = 0;
  private trialSince: number | null = null;
  private probedAt = Number.NEGATIVE_INFINITY;
  private why: EjectionCause = "consecutive";

  constructor(private readonly rules: BreakerRules = circuitRules) {}

  get consecutiveFailures(): number {
    return this.failuresInRow;
  }

  get cause(): EjectionCause {
    return this.why;
  }

  /** How often it was ejected, less one for each healthy minute. */
  ejections(now: number): number {
    if (this.state !== "closed") return this.timesEjected;
    return Math.max(0, this.timesEjected - Math.floor((now - this.closedSince) / DECAY_MS));
  }

  phase(now: number): BreakerPhase {
    return this.state === "open" && now >= this.openUntil ? "half-open" : this.state;
  }

  /** Time until traffic may return by itself; 0 when it may now. */
  returnsInMs(now: number): number {
    return this.state === "open" ? Math.max(0, this.openUntil - now) : 0;
  }

  /** Whether a half-open circuit waits for the result of its trial. */
  trialRunning(now: number): boolean {
    return this.trialSince !== null && now - this.trialSince < TRIAL_LEASE_MS;
  }

  /** Whether the one probe a second of an open circuit is due. */
  probeDue(now: number): boolean {
    return this.phase(now) === "open" && now - this.probedAt >= PROBE_EVERY_MS;
  }

  /** How long until the next probe of an open circuit. */
  probeInMs(now: number): number {
    return Math.max(0, this.probedAt + PROBE_EVERY_MS - now);
  }

  /** Asks to call. `force` spares an open circuit (`normal`) or probes it. Null: not now. */
  enter(now: number, force: "normal" | "probe" | null = null): BreakerEntry | null {
    const phase = this.phase(now);
    if (phase === "closed") return { kind: "normal", era: this.era };
    if (phase === "half-open") return this.enterTrial(now);
    if (force === "normal") return { kind: "normal", era: this.era };
    if (force !== "probe" || !this.probeDue(now)) return null;
    this.probedAt = now;
    return { kind: "probe", era: this.era };
  }

  /** The call worked. */
  succeeded(entry: BreakerEntry, now: number): void {
    if (entry.era !== this.era) return;
    if (entry.kind === "normal") {
      this.failuresInRow = 0;
      if (this.state === "closed") this.count(now, 0);
      else if (this.state === "open") this.worked(now);
      return;
    }
    if (this.state === "closed") return;
    if (entry.kind === "trial") this.trialSince = null;
    if (this.state === "open") this.halfOpen();
    this.worked(now);
  }

  /** The call failed; `weight` below 1 counts less. Returns whether this ejected. Units: `random` in [0, 1). */
  failed(entry: BreakerEntry, now: number, random: number, weight = 1): boolean {
    if (entry.era !== this.era) return false;
    if (entry.kind === "trial") {
      this.trialSince = null;
      if (this.state === "half-open") this.eject(now, random, this.why);
      return this.state === "open";
    }
    if (entry.kind === "probe" || this.state === "half-open") return false;
    this.failuresInRow += weight;
    this.successes = 0;
    this.count(now, weight);
    const inRow = this.failuresInRow >= this.rules.consecutive;
    if (this.state === "closed" ? !inRow && !this.rateExceeded(now) : !inRow) return false;
    this.eject(now, random, inRow ? "consecutive" : "rate");
    return true;
  }

  /** The call ended without a verdict: the caller left, or the request itself was wrong. */
  abandoned(entry: BreakerEntry): void {
    if (entry.kind === "trial" && entry.era === this.era) this.trialSince = null;
  }

  /** Forgets everything; the operator says that it works again. */
  reset(now: number): void {
    this.timesEjected = 0;
    this.close(now);
  }

  private enterTrial(now: number): BreakerEntry | null {
    if (this.state === "open") this.halfOpen();
    if (this.trialRunning(now)) return null;
    this.trialSince = now;
    return { kind: "trial", era: this.era };
  }

  private halfOpen(): void {
    this.state = "half-open";
    this.successes = 0;
    this.trialSince = null;
  }

  private worked(now: number): void {
    this.successes += 1;
    if (this.successes >= this.rules.trialSuccesses) this.close(now);
  }

  private close(now: number): void {
    this.state = "closed";
    this.closedSince = now;
    this.era += 1;
    this.failuresInRow = 0;
    this.trialSince = null;
    this.seconds.length = 0;
  }

  private eject(now: number, random: number, cause: EjectionCause): void {
    this.timesEjected = this.ejections(now) + 1;
    const { ejectionMs, maxEjectionMs, jitter } = this.rules;
    const share = 1 - jitter + 2 * jitter * random;
    this.openUntil = now + Math.min(maxEjectionMs, ejectionMs * this.timesEjected * share);
    this.state = "open";
    this.why = cause;
    this.era += 1;
    this.failuresInRow = 0;
    this.successes = 0;
    this.trialSince = null;
    this.probedAt = Number.NEGATIVE_INFINITY;
    this.seconds.length = 0;
  }

  private count(now: number, failed: number): void {
    if (this.rules.rateMinimum === Number.POSITIVE_INFINITY) return;
    const second = Math.floor(now / 1_000);
    const last = this.seconds.at(-1);
    if (last?.second === second) {
      last.total += 1;
      last.failed += failed;
      return;
    }
    this.seconds.push({ second, total: 1, failed });
    while ((this.seconds[0]?.second ?? second) <= second - RATE_SECONDS) this.seconds.shift();
  }

  private rateExceeded(now: number): boolean {
    const oldest = Math.floor(now / 1_000) - RATE_SECONDS;
    let total = 0;
    let failed = 0;
    for (const count of this.seconds) {
      if (count.second <= oldest) continue;
      total += count.total;
      failed += count.failed;
    }
    return total >= this.rules.rateMinimum && failed >= total * RATE_SHARE;
  }
}
