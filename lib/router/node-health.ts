import { AVAILABLE, type Availability, circuitAvailability, cooling } from "./availability";
import { Breaker, credentialRules } from "./breaker";
import { MinuteSeries } from "./minute-series";
import { type AttemptOutcome, failureWeight, limitedCoolMs, MODEL_COOL_MS } from "./outcome";
import { RecentStats } from "./recent-stats";

/** A pair that answered within this time is not suspected because of its siblings. */
const PROVEN_MS = 30_000;
/** From so many models on, the trouble is the node's. Source: docs/contract.md#s9. */
const SUSPECT_MODELS = 2;
const BUSY_RETURN_MS = 1_000;
const ERRORS_KEPT = 10;

/** One upstream model on one node. */
export class PairHealth {
  readonly breaker = new Breaker();
  coolUntil = 0;
  coolCause: "limited" | "model" = "limited";
  provenAt = Number.NEGATIVE_INFINITY;

  constructor(readonly upstreamModel: string) {}

  /** Time until it leaves its ejection or cool-down; 0 when it is in neither. */
  outForMs(now: number): number {
    return Math.max(this.breaker.returnsInMs(now), this.coolUntil - now, 0);
  }
}

/** A failure as the admin pages show it. Units: monotonic milliseconds. */
export interface RecordedError {
  atMs: number;
  upstreamModel: string;
  kind: AttemptOutcome["kind"];
  status: number | null;
  message: string;
}

/**
 * All that one process knows about one node. No clock and no chance of its own. Source: docs/contract.md#s9,
 * docs/reliability.md#s2-9.
 */
export class NodeHealth {
  readonly breaker = new Breaker();
  readonly pairs = new Map<string, PairHealth>();
  readonly stats = new RecentStats();
  readonly minutes = new MinuteSeries();
  readonly errors: RecordedError[] = [];
  inFlight = 0;
  /** Left alone while it is open; nothing spares or probes it. Source: docs/contract.md#b1. */
  readonly credential = new Breaker(credentialRules);
  private identity: string | null = null;

  /** State of one upstream model, made on first use. */
  pair(upstreamModel: string): PairHealth {
    const known = this.pairs.get(upstreamModel);
    if (known !== undefined) return known;
    const made = new PairHealth(upstreamModel);
    this.pairs.set(upstreamModel, made);
    return made;
  }

  /** Whether an upstream model can be called now, and if not, why and until when. */
  availability(now: number, upstreamModel: string, maxConcurrency: number | null): Availability {
    const pair = this.pair(upstreamModel);
    if (this.credential.phase(now) === "open") return cooling("credential", this.credential.returnsInMs(now));
    if (now < pair.coolUntil) return cooling(pair.coolCause, pair.coolUntil - now);
    const circuit = circuitAvailability(now, this.breaker, pair.breaker, this.credential);
    if (circuit.state !== "ok" && circuit.state !== "half-open") return circuit;
    if (maxConcurrency !== null && this.inFlight >= maxConcurrency) {
      return { state: "busy", cause: null, returnsInMs: BUSY_RETURN_MS, probeDue: false };
    }
    const suspectMs = circuit.state === "ok" ? this.suspectForMs(now, pair) : 0;
    if (suspectMs === 0) return circuit.state === "ok" ? AVAILABLE : circuit;
    return { state: "ejected", cause: "models", returnsInMs: suspectMs, probeDue: true };
  }

  /** How long the node is out as a whole because several of its models are. */
  outByModelsMs(now: number): number {
    const out: number[] = [];
    for (const pair of this.pairs.values()) {
      const ms = pair.outForMs(now);
      if (ms > 0 && !(now < pair.coolUntil && pair.coolCause === "model")) out.push(ms);
    }
    return out.sort((a, b) => b - a)[SUSPECT_MODELS - 1] ?? 0;
  }

  /** Takes in the cool-downs an outcome asks for and remembers failures. Returns how long it cools, or 0. */
  note(now: number, pair: PairHealth, outcome: AttemptOutcome): number {
    if (outcome.kind === "ok") pair.provenAt = now;
    if (outcome.kind === "ok" || outcome.kind === "request" || outcome.kind === "cancelled") return 0;
    this.errors.unshift({
      atMs: now,
      upstreamModel: pair.upstreamModel,
      kind: outcome.kind,
      status: outcome.status ?? null,
      message: outcome.message ?? "",
    });
    this.errors.length = Math.min(this.errors.length, ERRORS_KEPT);
    this.stats.failed(now);
    this.minutes.failed(now);
    pair.provenAt = failureWeight(outcome.kind) === 1 ? Number.NEGATIVE_INFINITY : pair.provenAt;
    return this.cool(now, pair, outcome);
  }

  /** Closes every circuit and ends every cool-down. */
  reset(now: number): void {
    this.credential.reset(now);
    this.breaker.reset(now);
    for (const pair of this.pairs.values()) {
      pair.breaker.reset(now);
      pair.coolUntil = 0;
    }
  }

  /** Forgets models that are not served any more; a changed identity (address, credential) starts afresh. */
  adopt(now: number, identity: string, models: ReadonlySet<string>): void {
    for (const [upstreamModel] of this.pairs) {
      if (!models.has(upstreamModel)) this.pairs.delete(upstreamModel);
    }
    if (this.identity !== null && this.identity !== identity) this.reset(now);
    this.identity = identity;
  }

  private suspectForMs(now: number, pair: PairHealth): number {
    return now - pair.provenAt < PROVEN_MS ? 0 : this.outByModelsMs(now);
  }

  private cool(now: number, pair: PairHealth, outcome: AttemptOutcome): number {
    const asked = outcome.kind === "server" && typeof outcome.retryAfterMs === "number";
    if (outcome.kind !== "limited" && outcome.kind !== "model" && !asked) return 0;
    const forMs = outcome.kind === "model" ? MODEL_COOL_MS : limitedCoolMs(outcome.retryAfterMs);
    pair.coolUntil = Math.max(pair.coolUntil, now + forMs);
    pair.coolCause = outcome.kind === "model" ? "model" : "limited";
    return forMs;
  }
}
