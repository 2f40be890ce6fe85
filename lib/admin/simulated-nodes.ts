import {
  classifyFailure,
  decisiveFailure,
  type FailureClass,
  type FailureKind,
} from "@/lib/protocols/failures/failure-class";
import { Health, type HealthEvent, type HealthTarget } from "@/lib/router/health";
import { AVAILABLE, type Availability, type OutcomeKind } from "@/lib/router/node-health";
import {
  type Candidate,
  headersWithinMs,
  MAX_ATTEMPTS,
  type NodeOrder,
  retryAfterSeconds,
  targetOf,
} from "@/lib/router/order";
import { backoffMs } from "@/lib/router/retry-budget";

const MIDDLE = 0.5;
const EJECTED_MS = 30_000;
const MAX_REQUESTS = 60;
/** After so many requests in a row without a failure the router avoids the faulty nodes, or almost never calls them. */
const QUIET_REQUESTS = 20;

/** A fault of a node that the router has not detected yet. */
export type HiddenFault = "down" | "failing" | "slow" | "limited" | "refused";
/** A node's state that the router knows. */
export type KnownState = "healthy" | "ejected" | "cooling" | "half-open" | "busy";
/** A state that a rehearsal can assume for a node. */
export type AssumedState = KnownState | HiddenFault;

interface Behaviour {
  outcome: OutcomeKind;
  kind: FailureKind;
  status: number | null;
}

const behaviours: Record<HiddenFault, Behaviour> = {
  down: { outcome: "connect", kind: "connect", status: null },
  failing: { outcome: "server", kind: "status", status: 500 },
  slow: { outcome: "timeout", kind: "timeout", status: null },
  limited: { outcome: "limited", kind: "status", status: 429 },
  refused: { outcome: "credential", kind: "status", status: 401 },
};

/** One attempt of a simulated request. Units: milliseconds from the start of the request. */
export interface RehearsedStep {
  result: "answers" | "fails" | "unused";
  failure: OutcomeKind | null;
  status: number | null;
  startMs: number;
  endMs: number;
}

/** The answer of a simulated request. `retryAfterSeconds` is null unless it is a 503. */
export interface RehearsedAnswer {
  status: 200 | 400 | 403 | 413 | 502 | 503;
  code: "UPSTREAM_ERROR" | "NO_AVAILABLE_NODE" | "INVALID_REQUEST" | "PAYLOAD_TOO_LARGE" | null;
  node: string | null;
  afterMs: number;
  retryAfterSeconds: number | null;
}

/** A fault that the router has detected, and after how many requests. Units: milliseconds. */
export interface LearntFault {
  node: string;
  afterRequests: number;
  state: "ejected" | "cooling";
  cause: string;
  forMs: number;
}

/**
 * Nodes in assumed states, with a separate `Health` and clock: runs the router's real code and sends nothing. A node
 * with a hidden fault seems healthy until calls have failed; a node whose circuit is not closed fails the next trial.
 * Source: docs/contract.md#s5, docs/reliability.md#s2-9.
 */
export class SimulatedNodes {
  #clockMs = 0;
  #request = 0;
  readonly #learnt: LearntFault[] = [];
  /** Targets whose trial has failed. */
  readonly #reopened = new Set<string>();
  readonly #health = new Health({
    now: () => this.#clockMs,
    random: () => MIDDLE,
    onEvent: (event) => this.#note(event),
  });
  readonly #stateOf: (nodeId: string) => AssumedState | null;
  readonly #nameOf: (nodeId: string) => string;
  readonly #real: (target: HealthTarget) => Availability;

  /** `stateOf` returns the assumed state of a node id, or null when `real` decides. */
  constructor(
    stateOf: (nodeId: string) => AssumedState | null,
    nameOf: (nodeId: string) => string,
    real: (target: HealthTarget) => Availability,
  ) {
    this.#stateOf = stateOf;
    this.#nameOf = nameOf;
    this.#real = real;
  }

  /** The availability of a target with the router's current knowledge. */
  availability(target: HealthTarget): Availability {
    const state = this.#stateOf(target.nodeId);
    if (state !== null && isHidden(state)) return this.#health.availability(target);
    if (this.#reopened.has(keyOf(target))) return availabilityOf("ejected");
    return state === null ? this.#real(target) : availabilityOf(state);
  }

  /** Simulates one request: a step for each of its first candidates, and the answer. */
  walk(order: NodeOrder): { steps: RehearsedStep[]; answer: RehearsedAnswer } {
    this.#request += 1;
    const beganMs = this.#clockMs;
    const failures: { clientStatus: FailureClass["clientStatus"]; answered: boolean }[] = [];
    let node: string | null = null;
    const steps = order.candidates.slice(0, MAX_ATTEMPTS).map((candidate): RehearsedStep => {
      if (node !== null) return { ...idle(this.#clockMs - beganMs), result: "unused" };
      if (failures.length > 0) this.#clockMs += backoffMs(MIDDLE);
      const behaviour = this.#behaviourOf(candidate);
      const startMs = this.#clockMs - beganMs;
      if (behaviour === null) {
        node = candidate.node.name;
        return { ...idle(startMs), result: "answers" };
      }
      this.#fail(candidate, behaviour, startMs, failures.length > 0);
      failures.push(failureOf(behaviour));
      const { outcome: failure, status } = behaviour;
      return { result: "fails", failure, status, startMs, endMs: this.#clockMs - beganMs };
    });
    const afterMs = this.#clockMs - beganMs;
    if (node !== null) return { steps, answer: { ...success, node, afterMs } };
    return { steps, answer: { ...refusal(failures, order), afterMs } };
  }

  /** Simulates requests until the router avoids every faulty node; returns the faults that it has detected. */
  learn(draw: () => NodeOrder): LearntFault[] {
    for (let quiet = 0; quiet < QUIET_REQUESTS && this.#request < MAX_REQUESTS; ) {
      const { steps } = this.walk(draw());
      quiet = steps.some((step) => step.result === "fails") ? 0 : quiet + 1;
    }
    return this.#learnt;
  }

  /** Whether a node would answer a call. */
  answers(candidate: Candidate): boolean {
    return this.#behaviourOf(candidate) === null;
  }

  #behaviourOf(candidate: Candidate): Behaviour | null {
    const state = this.#stateOf(candidate.node.id);
    if (state !== null && isHidden(state)) return behaviours[state];
    return candidate.mode === "trial" || candidate.mode === "probe" ? behaviours.down : null;
  }

  #fail(candidate: Candidate, behaviour: Behaviour, elapsedMs: number, retry: boolean): void {
    const { node, route, mode } = candidate;
    const target = targetOf(route, node);
    const state = this.#stateOf(node.id);
    if (state === null || !isHidden(state)) {
      this.#reopened.add(keyOf(target));
      return;
    }
    const attempt = this.#health.begin(target, mode, retry);
    if (behaviour.outcome === "timeout")
      this.#clockMs += Math.min(node.timeouts.firstByteMs, headersWithinMs(elapsedMs));
    if (typeof attempt !== "string") attempt.end({ kind: behaviour.outcome, status: behaviour.status });
  }

  #note(event: HealthEvent): void {
    if (event.type === "recovered") return;
    const node = this.#nameOf(event.nodeId);
    if (this.#learnt.some((earlier) => earlier.node === node)) return;
    const { type: state, cause, forMs } = event;
    this.#learnt.push({ node, afterRequests: this.#request, state, cause, forMs });
  }
}

const success = { status: 200, code: null, retryAfterSeconds: null } as const;

function idle(atMs: number) {
  return { failure: null, status: null, startMs: atMs, endMs: atMs };
}

function keyOf({ nodeId, upstreamModel }: HealthTarget): string {
  return `${nodeId} ${upstreamModel}`;
}

function isHidden(state: AssumedState): state is HiddenFault {
  return state in behaviours;
}

function failureOf({ kind, status }: Behaviour) {
  const failure = status === null ? null : { status, type: null, code: null, message: "", param: null };
  const { clientStatus } = classifyFailure(kind, failure);
  return { clientStatus, answered: kind !== "connect" };
}

function refusal(
  failures: Parameters<typeof decisiveFailure>[0],
  order: NodeOrder,
): Omit<RehearsedAnswer, "afterMs"> {
  const decisive = decisiveFailure(failures);
  if (decisive === null) {
    const wait = retryAfterSeconds(order.skipped);
    return { status: 503, code: "NO_AVAILABLE_NODE", node: null, retryAfterSeconds: wait };
  }
  const { clientStatus: status } = decisive;
  const own = status === 413 ? "PAYLOAD_TOO_LARGE" : "INVALID_REQUEST";
  return { status, code: status === 502 ? "UPSTREAM_ERROR" : own, node: null, retryAfterSeconds: null };
}

function availabilityOf(state: KnownState): Availability {
  switch (state) {
    case "healthy":
      return AVAILABLE;
    case "ejected":
      return { state, cause: "consecutive", returnsInMs: EJECTED_MS, probeDue: false };
    case "cooling":
      return { state, cause: "limited", returnsInMs: EJECTED_MS, probeDue: false };
    case "half-open":
      return { state, cause: "consecutive", returnsInMs: 0, probeDue: false };
    case "busy":
      return { state, cause: null, returnsInMs: 0, probeDue: false };
  }
}
