import type { BreakerPhase } from "./breaker";
import type { CatalogNode } from "./catalog";
import type { Health } from "./health";
import type { MinutePoint } from "./minute-series";
import {
  type Availability,
  accountCircuits,
  cooling,
  NodeHealth,
  type OutcomeKind,
  type PairHealth,
} from "./node-health";

/** The state of a node on the admin pages. `degraded`: some but not all of its models are unavailable. */
export type NodeState = "healthy" | "degraded" | "ejected" | "half-open" | "cooling" | "disabled";

/**
 * Whether the account at a node can pay; `unproven`: an operator's reset assumes it, and no request has succeeded
 * since.
 */
export const billStates = ["paid", "unpaid", "unproven"] as const;

/** One of them. */
export type BillState = (typeof billStates)[number];

/** A circuit, as the admin pages show it. */
export interface CircuitReport {
  state: "healthy" | "ejected" | "half-open" | "cooling";
  cause: string | null;
  /** Countdown in whole milliseconds, rounded up; 0 when it is available. */
  returnsInMs: number;
  consecutiveFailures: number;
  ejections: number;
}

/** One upstream model of a node, as the admin pages show it. */
export interface ModelReport extends CircuitReport {
  upstreamModel: string;
}

/** A failure and how long ago it was. */
export interface ErrorReport {
  agoMs: number;
  upstreamModel: string;
  kind: OutcomeKind;
  status: number | null;
  message: string;
}

/** The health of one node in this process. Source: docs/dashboard.md#nodes-table. */
export interface NodeReport {
  nodeId: string;
  state: NodeState;
  cause: string | null;
  /** Countdown of the circuit or cool-down in whole milliseconds, rounded up; 0 when there is none. */
  returnsInMs: number;
  inFlight: number;
  maxConcurrency: number | null;
  /** The attempts of the last five minutes. */
  attempts: number;
  successShare: number | null;
  p95Ms: number | null;
  lastError: ErrorReport | null;
  recentErrors: ErrorReport[];
  /** The circuit of the node itself: its address and its key. While it is not healthy, no model of the node is. */
  circuit: CircuitReport;
  /** The state of the account at the node, even when other circuits are open too. Source: docs/protocols.md#s13-5. */
  bill: BillState;
  models: ModelReport[];
}

/** State, countdown, share of successes, latency and errors of one node, in this process. */
export function nodeReport(
  health: Health,
  node: Pick<CatalogNode, "id" | "enabled" | "maxConcurrency">,
): NodeReport {
  const now = health.now();
  const known = health.all().get(node.id) ?? new NodeHealth();
  const models = [...known.pairs.values()].map((pair) => modelReport(now, known, pair));
  const nodeLevel = node.enabled ? nodeAvailability(now, known) : null;
  const recentErrors = known.errors.map(({ atMs, ...error }) => ({
    agoMs: Math.round(now - atMs),
    ...error,
  }));
  const unavailable = models.filter((model) => model.state !== "healthy");
  return {
    nodeId: node.id,
    ...(node.enabled
      ? summary(nodeLevel, unavailable, models.length)
      : { state: "disabled", cause: null, returnsInMs: 0 }),
    inFlight: known.inFlight,
    maxConcurrency: node.maxConcurrency,
    ...known.stats.summary(now),
    lastError: recentErrors[0] ?? null,
    recentErrors,
    circuit: circuitReport(now, known),
    bill: billOf(known),
    models,
  };
}

/** The calls to a node in each of the last sixty minutes, in this process. Source: docs/dashboard.md#s2-9. */
export function nodeMinutes(health: Health, nodeId: string): MinutePoint[] {
  const known = health.all().get(nodeId) ?? new NodeHealth();
  return known.minutes.points(health.now());
}

/** `unpaid` ends only with a success: neither time nor another failure ends it. */
function billOf({ billing }: NodeHealth): BillState {
  if (!billing.isClosed) return "unpaid";
  return billing.isUnproven ? "unproven" : "paid";
}

function summary(
  nodeLevel: Availability | null,
  unavailable: readonly ModelReport[],
  models: number,
): Pick<NodeReport, "state" | "cause" | "returnsInMs"> {
  if (nodeLevel !== null) return stateOf(nodeLevel);
  const first = [...unavailable].sort((a, b) => a.returnsInMs - b.returnsInMs)[0];
  if (first === undefined) return { state: "healthy", cause: null, returnsInMs: 0 };
  const state = unavailable.length < models ? "degraded" : first.state;
  return { state, cause: first.cause, returnsInMs: first.returnsInMs };
}

/** The availability of the whole node; null when neither its circuit nor its account limits it. */
function nodeAvailability(now: number, node: NodeHealth): Availability | null {
  const { breaker } = node;
  const refused = node.refusal(now);
  if (refused !== null) return cooling(refused, node[refused].returnsInMs(now));
  const phase = breaker.phase(now);
  if (phase === "closed") {
    const tried = accountCircuits.find((name) => node[name].phase(now) !== "closed");
    return tried === undefined ? null : { ...HALF_OPEN, cause: tried };
  }
  const returnsInMs = breaker.returnsInMs(now);
  return { state: circuitState(phase), cause: breaker.cause, returnsInMs, probeDue: false };
}

/** The circuit of the node, or that of its account when that one refuses requests. */
function circuitReport(now: number, node: NodeHealth): CircuitReport {
  const limit = nodeAvailability(now, node);
  const { breaker, credential, billing } = node;
  const refused = accountCircuits.find((name) => name === limit?.cause);
  const breakers =
    limit === null ? [breaker, credential, billing] : [refused === undefined ? breaker : node[refused]];
  return {
    ...(limit === null ? { state: "healthy", cause: null, returnsInMs: 0 } : stateOf(limit)),
    consecutiveFailures: Math.max(...breakers.map((one) => one.consecutiveFailures)),
    ejections: Math.max(...breakers.map((one) => one.ejections(now))),
  };
}

function stateOf({ state, cause, returnsInMs }: Availability) {
  const shown = state === "cooling" || state === "ejected" ? state : ("half-open" as const);
  return { state: shown, cause, returnsInMs: Math.ceil(returnsInMs) };
}

const HALF_OPEN = { state: "half-open", returnsInMs: 0, probeDue: false } as const;

function modelReport(now: number, node: NodeHealth, pair: PairHealth): ModelReport {
  const { breaker, upstreamModel } = pair;
  const phase = breaker.phase(now);
  const isCooling = now < pair.coolUntil;
  const counts = { consecutiveFailures: breaker.consecutiveFailures, ejections: breaker.ejections(now) };
  const reached = node.availability(now, upstreamModel, null);
  // The model itself has no failure, but several others of the node fail.
  if (reached.cause === "models") return { upstreamModel, ...stateOf(reached), ...counts };
  return {
    upstreamModel,
    state: isCooling ? "cooling" : phase === "closed" ? "healthy" : circuitState(phase),
    cause: isCooling ? pair.coolCause : phase === "closed" ? null : breaker.cause,
    returnsInMs: Math.ceil(pair.unavailableForMs(now)),
    ...counts,
  };
}

function circuitState(phase: Exclude<BreakerPhase, "closed">): "ejected" | "half-open" {
  return phase === "open" ? "ejected" : "half-open";
}
