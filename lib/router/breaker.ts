/** Consecutive failures that eject. Source: docs/reliability.md#s2-9, with the times below. */
const CONSECUTIVE_LIMIT = 5;
const RATE_MINIMUM = 20;
const RATE_LIMIT = 0.5;
const RATE_SECONDS = 30;
const BASE_EJECTION_MS = 30_000;
/** No ejection lasts longer, jitter included. */
export const MAX_EJECTION_MS = 300_000;
const JITTER = 0.2;
const DECAY_MS = 60_000;
const TRIAL_SUCCESSES = 3;
const PROBE_INTERVAL_MS = 1_000;
/** After this a trial whose end was not reported no longer blocks the next one; longer than any request. */
const TRIAL_LEASE_MS = 960_000;

/** When a circuit opens, for how long, and what closes it. Units: milliseconds. */
export interface BreakerRules {
  consecutive: number;
  /** The circuit also opens when half of at least this many calls failed. */
  rateMinimum: number;
  ejectionMs: number;
  /** No ejection lasts longer, jitter included. */
  maxEjectionMs: number;
  /** Share of the ejection that is added or subtracted at random. */
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

/**
 * Rules for a refused credential: opens after three refusals in a row, for 30 s; one success closes it.
 * Source: docs/contract.md#b1.
 */
export const credentialRules: BreakerRules = {
  consecutive: 3,
  rateMinimum: Number.POSITIVE_INFINITY,
  ejectionMs: BASE_EJECTION_MS,
  maxEjectionMs: BASE_EJECTION_MS,
  jitter: 0,
  trialSuccesses: 1,
};

/**
 * Rules for an account that cannot pay: one refusal is proof of it, and only the operator can change it. It opens for 2
 * minutes, then for longer, up to 10; one success closes it. Source: docs/protocols.md#s13-5.
 */
export const billingRules: BreakerRules = {
  consecutive: 1,
  rateMinimum: Number.POSITIVE_INFINITY,
  ejectionMs: 120_000,
  maxEjectionMs: 600_000,
  jitter: 0,
  trialSuccesses: 1,
};

/** Why a circuit is open: consecutive failures, or their rate. */
export type EjectionCause = "consecutive" | "rate";

/** The kind of an admitted attempt: normal, the one trial of a half-open circuit, or a probe of an open one. */
export type EntryKind = "normal" | "trial" | "probe";

/** The state of a circuit at a time; an open one becomes `half-open` when its ejection ends. */
export type BreakerPhase = "closed" | "open" | "half-open";

/** Admission of one call; the caller reports the result with it. */
export interface BreakerEntry {
  readonly kind: EntryKind;
  /** Incremented by each opening and closing; results of an earlier epoch are ignored. */
  readonly epoch: number;
}

interface SecondCount {
  second: number;
  total: number;
  failed: number;
}

/**
 * The circuit breaker of one node or one (node, upstream model). Callers pass time and randomness as arguments.
 * By default: closed → open after 5 failures in a row, or half of at least 20 calls within 30 s; open → half-open when
 * the ejection ends; half-open → closed after 3 successes, one trial at a time. Units: milliseconds.
 * Source: docs/reliability.md#s2-9.
 */
export class Breaker {
  #state: "closed" | "open" | "half-open" = "closed";
  readonly #seconds: SecondCount[] = [];
  #epoch = 0;
  /** The entry of all normal calls of this epoch. */
  #normalEntry: BreakerEntry = { kind: "normal", epoch: 0 };
  #failuresInRow = 0;
  #failuresShown = 0;
  #timesEjected = 0;
  #openUntil = 0;
  #closedSince = 0;
  #successes = 0;
  #trialSince: number | null = null;
  #probedAt = Number.NEGATIVE_INFINITY;
  #openCause: EjectionCause = "consecutive";
  #closedByReset = false;
  readonly #rules: BreakerRules;

  constructor(rules: BreakerRules = circuitRules) {
    this.#rules = rules;
  }

  /**
   * Failures since the last success. Unlike the count that opens the circuit, this one does not restart when it opens.
   */
  get consecutiveFailures(): number {
    return this.#failuresShown;
  }

  get cause(): EjectionCause {
    return this.#openCause;
  }

  /** The number of ejections, minus one for each minute since the circuit closed. */
  ejections(now: number): number {
    if (this.#state !== "closed") return this.#timesEjected;
    return Math.max(0, this.#timesEjected - Math.floor((now - this.#closedSince) / DECAY_MS));
  }

  phase(now: number): BreakerPhase {
    return this.#state === "open" && now >= this.#openUntil ? "half-open" : this.#state;
  }

  /** True for a circuit that is neither open nor half-open. */
  get isClosed(): boolean {
    return this.#state === "closed";
  }

  /** True when an operator has closed an open circuit, and no call has succeeded or opened it since. */
  get isUnproven(): boolean {
    return this.#closedByReset;
  }

  /** Time until the ejection ends; 0 when traffic is allowed. */
  returnsInMs(now: number): number {
    return this.#state === "open" ? Math.max(0, this.#openUntil - now) : 0;
  }

  /** True while a half-open circuit waits for the result of its trial. */
  trialRunning(now: number): boolean {
    return this.#trialSince !== null && now - this.#trialSince < TRIAL_LEASE_MS;
  }

  /** True when a probe of an open circuit, one per second, is due. */
  probeDue(now: number): boolean {
    return this.phase(now) === "open" && now - this.#probedAt >= PROBE_INTERVAL_MS;
  }

  /** Time until the next probe of an open circuit. */
  probeInMs(now: number): number {
    return Math.max(0, this.#probedAt + PROBE_INTERVAL_MS - now);
  }

  /**
   * Admits a call, or returns null. `force` admits one although the circuit is open: as `normal` call or as `probe`.
   */
  enter(now: number, force: "normal" | "probe" | null = null): BreakerEntry | null {
    const phase = this.phase(now);
    if (phase === "closed") return this.#normalEntry;
    if (phase === "half-open") return this.#enterTrial(now);
    if (force === "normal") return this.#normalEntry;
    if (force !== "probe" || !this.probeDue(now)) return null;
    this.#probedAt = now;
    return { kind: "probe", epoch: this.#epoch };
  }

  /** Reports a success. */
  succeeded(entry: BreakerEntry, now: number): void {
    if (entry.epoch !== this.#epoch) return;
    this.#failuresShown = 0;
    this.#closedByReset = false;
    if (entry.kind === "normal") {
      this.#failuresInRow = 0;
      if (this.#state === "closed") this.#count(now, 0);
      else if (this.#state === "open") this.#countSuccess(now);
      return;
    }
    if (this.#state === "closed") return;
    if (entry.kind === "trial") this.#trialSince = null;
    if (this.#state === "open") this.#halfOpen();
    this.#countSuccess(now);
  }

  /** Reports a failure with its weight. Returns whether the circuit opened. Units: `random` in [0, 1). */
  failed(entry: BreakerEntry, now: number, random: number, weight = 1): boolean {
    if (entry.epoch !== this.#epoch) return false;
    this.#failuresShown += 1;
    if (entry.kind === "trial") {
      this.#trialSince = null;
      if (this.#state === "half-open") this.#eject(now, random, this.#openCause);
      return this.#state === "open";
    }
    if (entry.kind === "probe" || this.#state === "half-open") return false;
    this.#failuresInRow += weight;
    this.#successes = 0;
    this.#count(now, weight);
    const tooManyInRow = this.#failuresInRow >= this.#rules.consecutive;
    if (this.#state === "closed" ? !tooManyInRow && !this.#rateExceeded(now) : !tooManyInRow) return false;
    this.#eject(now, random, tooManyInRow ? "consecutive" : "rate");
    return true;
  }

  /** Reports a call that says nothing about the node: the client disconnected, or the request was invalid. */
  abandoned(entry: BreakerEntry): void {
    if (entry.kind === "trial" && entry.epoch === this.#epoch) this.#trialSince = null;
  }

  /** Closes the circuit and clears its history; the operator requests it. */
  reset(now: number): void {
    this.#timesEjected = 0;
    this.#failuresShown = 0;
    this.#closedByReset ||= !this.isClosed;
    this.#close(now);
  }

  #enterTrial(now: number): BreakerEntry | null {
    if (this.#state === "open") this.#halfOpen();
    if (this.trialRunning(now)) return null;
    this.#trialSince = now;
    return { kind: "trial", epoch: this.#epoch };
  }

  #halfOpen(): void {
    this.#state = "half-open";
    this.#successes = 0;
    this.#trialSince = null;
  }

  #countSuccess(now: number): void {
    this.#successes += 1;
    if (this.#successes >= this.#rules.trialSuccesses) this.#close(now);
  }

  #close(now: number): void {
    this.#state = "closed";
    this.#closedSince = now;
    this.#beginEpoch();
    this.#failuresInRow = 0;
    this.#trialSince = null;
    this.#seconds.length = 0;
  }

  #eject(now: number, random: number, cause: EjectionCause): void {
    this.#timesEjected = this.ejections(now) + 1;
    const { ejectionMs, maxEjectionMs, jitter } = this.#rules;
    const share = 1 - jitter + 2 * jitter * random;
    this.#openUntil = now + Math.min(maxEjectionMs, ejectionMs * this.#timesEjected * share);
    this.#state = "open";
    this.#openCause = cause;
    this.#closedByReset = false;
    this.#beginEpoch();
    this.#failuresInRow = 0;
    this.#successes = 0;
    this.#trialSince = null;
    this.#probedAt = Number.NEGATIVE_INFINITY;
    this.#seconds.length = 0;
  }

  #beginEpoch(): void {
    this.#epoch += 1;
    this.#normalEntry = { kind: "normal", epoch: this.#epoch };
  }

  #count(now: number, failed: number): void {
    if (this.#rules.rateMinimum === Number.POSITIVE_INFINITY) return;
    const second = Math.floor(now / 1_000);
    const last = this.#seconds.at(-1);
    if (last?.second === second) {
      last.total += 1;
      last.failed += failed;
      return;
    }
    this.#seconds.push({ second, total: 1, failed });
    while ((this.#seconds[0]?.second ?? second) <= second - RATE_SECONDS) this.#seconds.shift();
  }

  #rateExceeded(now: number): boolean {
    const oldest = Math.floor(now / 1_000) - RATE_SECONDS;
    let total = 0;
    let failed = 0;
    for (const count of this.#seconds) {
      if (count.second <= oldest) continue;
      total += count.total;
      failed += count.failed;
    }
    return total >= this.#rules.rateMinimum && failed >= total * RATE_LIMIT;
  }
}
