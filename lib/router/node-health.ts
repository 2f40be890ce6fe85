import { Breaker, billingRules, credentialRules, type EjectionCause } from "./breaker";
import { MinuteSeries } from "./minute-series";
import { RecentStats } from "./recent-stats";

/**
 * How one attempt ended, for health. Source: docs/reliability.md#s2-9, docs/protocols.md#s13-3,
 * docs/contract.md#s9.
 *
 * - `ok`: a complete answer.
 * - `connect`: refused, unresolved, TLS error, reset before any response. `credential`: 401, or a 403 that is not
 *   about the caller's content. `billing`: 402, or any refusal because our account cannot pay.
 * - `limited`: 429. `server`: 3xx, 5xx, 529, 408, 409, 425. `timeout`: no headers or no first event in time.
 * - `protocol`: a 200 with an error, HTML, invalid or empty body. `truncated`: ended early after the first event.
 * - `model`: the node does not know the upstream model. `request`: a 4xx that the caller caused, also by its content.
 *   `cancelled`: the client disconnected.
 */
export type OutcomeKind =
  | "ok"
  | "connect"
  | "credential"
  | "billing"
  | "limited"
  | "server"
  | "timeout"
  | "protocol"
  | "truncated"
  | "model"
  | "request"
  | "cancelled";

/** The end of an attempt. */
export interface AttemptOutcome {
  kind: OutcomeKind;
  /** HTTP status of the upstream, if any. */
  status?: number | null;
  /** The upstream's `Retry-After` in milliseconds; null or absent without a usable one. */
  retryAfterMs?: number | null;
  /** One scrubbed line for the admin pages. */
  message?: string;
}

const LIMITED_DEFAULT_MS = 5_000;
const LIMITED_MIN_MS = 1_000;
const LIMITED_MAX_MS = 60_000;

/** Cool-down of an upstream model that the node does not know. */
const MODEL_COOL_MS = 60_000;

/** Cool-down after a 429: its Retry-After, clamped to 1–60 s; 5 s without one. Units: milliseconds. */
export function limitedCoolMs(retryAfterMs: number | null | undefined): number {
  if (retryAfterMs === null || retryAfterMs === undefined || Number.isNaN(retryAfterMs))
    return LIMITED_DEFAULT_MS;
  return Math.min(LIMITED_MAX_MS, Math.max(LIMITED_MIN_MS, retryAfterMs));
}

/** `Retry-After` (seconds or an HTTP date) as milliseconds from `wallMs`; null when absent or unreadable. */
export function parseRetryAfter(header: string | null | undefined, wallMs: number): number | null {
  const text = header?.trim() ?? "";
  if (text === "") return null;
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : date - wallMs;
}

/**
 * The weight of an outcome as a failure of the node's or the pair's circuit; 0: no failure.
 * Source: docs/reliability.md#s2-9.
 */
export function failureWeight(kind: OutcomeKind): number {
  switch (kind) {
    case "connect":
    case "server":
    case "timeout":
    case "protocol":
      return 1;
    case "truncated":
      return 0.5;
    case "ok":
    case "credential":
    case "billing":
    case "limited":
    case "model":
    case "request":
    case "cancelled":
      return 0;
  }
}

/** A model that succeeded within this time stays available although other models of its node fail. */
const RECENT_SUCCESS_MS = 30_000;
/** When this many models of a node are unavailable, the whole node is. Source: docs/contract.md#s9. */
const SUSPECT_MODELS = 2;
const BUSY_RETURN_MS = 1_000;
const MAX_ERRORS = 10;

/** One upstream model on one node. */
export class PairHealth {
  readonly breaker = new Breaker();
  coolUntil = 0;
  coolCause: "limited" | "model" = "limited";
  lastSuccessAt = Number.NEGATIVE_INFINITY;

  constructor(readonly upstreamModel: string) {}

  /** Time until its ejection or cool-down ends; 0 without one. */
  unavailableForMs(now: number): number {
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
 * The health of one node in one process. Callers pass time and randomness as arguments. Source: docs/contract.md#s9,
 * docs/reliability.md#s2-9.
 */
export class NodeHealth {
  readonly breaker = new Breaker();
  readonly pairs = new Map<string, PairHealth>();
  readonly stats = new RecentStats();
  readonly minutes = new MinuteSeries();
  readonly errors: RecordedError[] = [];
  inFlight = 0;
  /** While it is open, the node gets no calls at all, not even probes. Source: docs/contract.md#b1. */
  readonly credential = new Breaker(credentialRules);
  /** While it is open, the account at the node cannot pay. Source: docs/protocols.md#s13-5. */
  readonly billing = new Breaker(billingRules);
  #identity: string | null = null;

  /** Until an attempt has failed, no circuit and no cool-down depends on the time. */
  get hasFailed(): boolean {
    return this.errors.length > 0;
  }

  /** State of one upstream model, created on first use. */
  pair(upstreamModel: string): PairHealth {
    const known = this.pairs.get(upstreamModel);
    if (known !== undefined) return known;
    const created = new PairHealth(upstreamModel);
    this.pairs.set(upstreamModel, created);
    return created;
  }

  /** Whether an upstream model can be called now, and if not, why and until when. */
  availability(now: number, upstreamModel: string, maxConcurrency: number | null): Availability {
    const pair = this.pair(upstreamModel);
    const refused = this.refusal(now);
    if (refused !== null) return cooling(refused, this[refused].returnsInMs(now));
    if (now < pair.coolUntil) return cooling(pair.coolCause, pair.coolUntil - now);
    const circuit = circuitAvailability(now, this, pair.breaker);
    if (circuit.state !== "ok" && circuit.state !== "half-open") return circuit;
    if (maxConcurrency !== null && this.inFlight >= maxConcurrency) {
      return { state: "busy", cause: null, returnsInMs: BUSY_RETURN_MS, probeDue: false };
    }
    const suspectMs = circuit.state === "ok" ? this.#suspectForMs(now, pair) : 0;
    if (suspectMs === 0) return circuit.state === "ok" ? AVAILABLE : circuit;
    return { state: "ejected", cause: "models", returnsInMs: suspectMs, probeDue: true };
  }

  /** Why the node gets no calls at all; null: it gets them. */
  refusal(now: number): AccountCircuit | null {
    return accountCircuits.find((name) => this[name].phase(now) === "open") ?? null;
  }

  /** How long the whole node is unavailable because several of its models are. */
  unavailableByModelsMs(now: number): number {
    const durations: number[] = [];
    for (const pair of this.pairs.values()) {
      const ms = pair.unavailableForMs(now);
      if (ms > 0 && !(now < pair.coolUntil && pair.coolCause === "model")) durations.push(ms);
    }
    return durations.sort((a, b) => b - a)[SUSPECT_MODELS - 1] ?? 0;
  }

  /** Records an outcome and starts the cool-down it requires. Returns the duration of the cool-down, or 0. */
  record(now: number, pair: PairHealth, outcome: AttemptOutcome): number {
    if (outcome.kind === "ok") pair.lastSuccessAt = now;
    if (outcome.kind === "ok" || outcome.kind === "request" || outcome.kind === "cancelled") return 0;
    this.errors.unshift({
      atMs: now,
      upstreamModel: pair.upstreamModel,
      kind: outcome.kind,
      status: outcome.status ?? null,
      message: outcome.message ?? "",
    });
    this.errors.length = Math.min(this.errors.length, MAX_ERRORS);
    this.stats.failed(now);
    this.minutes.failed(now);
    pair.lastSuccessAt = failureWeight(outcome.kind) === 1 ? Number.NEGATIVE_INFINITY : pair.lastSuccessAt;
    return this.#cool(now, pair, outcome);
  }

  /** Closes every circuit and ends every cool-down. */
  reset(now: number): void {
    this.credential.reset(now);
    this.billing.reset(now);
    this.breaker.reset(now);
    for (const pair of this.pairs.values()) {
      pair.breaker.reset(now);
      pair.coolUntil = 0;
    }
  }

  /** Deletes models that are no longer served; resets the node when its identity (address, credential) changed. */
  applySnapshot(now: number, identity: string, models: ReadonlySet<string>): void {
    for (const [upstreamModel] of this.pairs) {
      if (!models.has(upstreamModel)) this.pairs.delete(upstreamModel);
    }
    if (this.#identity !== null && this.#identity !== identity) this.reset(now);
    this.#identity = identity;
  }

  #suspectForMs(now: number, pair: PairHealth): number {
    return now - pair.lastSuccessAt < RECENT_SUCCESS_MS ? 0 : this.unavailableByModelsMs(now);
  }

  #cool(now: number, pair: PairHealth, outcome: AttemptOutcome): number {
    const hasRetryAfter = outcome.kind === "server" && typeof outcome.retryAfterMs === "number";
    if (outcome.kind !== "limited" && outcome.kind !== "model" && !hasRetryAfter) return 0;
    const forMs = outcome.kind === "model" ? MODEL_COOL_MS : limitedCoolMs(outcome.retryAfterMs);
    pair.coolUntil = Math.max(pair.coolUntil, now + forMs);
    pair.coolCause = outcome.kind === "model" ? "model" : "limited";
    return forMs;
  }
}

/** Why a node is not available. `models`: two or more of its models fail. */
export type UnavailableCause = EjectionCause | "models" | AccountCircuit | "limited" | "model";

/** Circuits of the operator's account at a node. */
export const accountCircuits = ["billing", "credential"] as const;

/** One of them. */
export type AccountCircuit = (typeof accountCircuits)[number];

/**
 * Whether a (node, upstream model) can be called now.
 * `ok`; `half-open`: one trial is allowed; `trial`: that trial is running; `ejected`; `cooling`; `busy`: at its
 * concurrency limit.
 */
export interface Availability {
  state: "ok" | "half-open" | "trial" | "ejected" | "cooling" | "busy";
  cause: UnavailableCause | null;
  /** Time until it becomes available; 0 when it is available. */
  returnsInMs: number;
  /** For an ejected one: whether a probe, one per second, is allowed now. */
  probeDue: boolean;
}

/** The availability of a node without problems. */
export const AVAILABLE: Readonly<Availability> = Object.freeze({
  state: "ok",
  cause: null,
  returnsInMs: 0,
  probeDue: false,
});

/** Retry-After while a trial of unknown duration runs. Units: milliseconds. */
const TRIAL_RETURN_MS = 1_000;

/** The availability of a node during a cool-down. */
export function cooling(cause: UnavailableCause, returnsInMs: number): Availability {
  return { state: "cooling", cause, returnsInMs, probeDue: false };
}

/** Combines the circuits of the node, the pair and the account: the strictest wins. */
function circuitAvailability(now: number, health: NodeHealth, pair: Breaker): Availability {
  const { breaker: node, credential, billing } = health;
  if (node.isClosed && pair.isClosed && credential.isClosed && billing.isClosed) return AVAILABLE;
  const open = [node, pair].filter((breaker) => breaker.phase(now) === "open");
  if (open.length > 0) {
    return {
      state: "ejected",
      cause: open.some((breaker) => breaker.cause === "consecutive") ? "consecutive" : "rate",
      returnsInMs: Math.max(...open.map((breaker) => breaker.returnsInMs(now))),
      probeDue: open.every((breaker) => breaker.probeDue(now)),
    };
  }
  const halfOpen = [node, pair, credential, billing].filter((breaker) => breaker.phase(now) === "half-open");
  const last = halfOpen.at(-1);
  if (last === undefined) return AVAILABLE;
  const running = halfOpen.some((breaker) => breaker.trialRunning(now));
  return {
    state: running ? "trial" : "half-open",
    cause: last === billing ? "billing" : last === credential ? "credential" : last.cause,
    returnsInMs: running ? TRIAL_RETURN_MS : 0,
    probeDue: false,
  };
}
