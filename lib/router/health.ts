import { Attempt, type AttemptSink } from "./attempt";
import type { BreakerEntry } from "./breaker";
import type { CatalogNode, CatalogSnapshot } from "./catalog";
import {
  type AccountCircuit,
  type AttemptOutcome,
  AVAILABLE,
  type Availability,
  accountCircuits,
  failureWeight,
  NodeHealth,
} from "./node-health";
import { RetryBudget } from "./retry-budget";

/** A node and upstream model to call. */
export interface HealthTarget {
  nodeId: string;
  upstreamModel: string;
  maxConcurrency: number | null;
}

/** How an attempt enters a circuit: `normal`, as `trial`, as `probe`, or `spared`: a normal call to an ejected node. */
export type EntryMode = "normal" | "spared" | "trial" | "probe";

/** Why an attempt may not begin; the caller continues with the next candidate. */
export type BeginRefusal = "unavailable" | "busy" | "budget";

/** A change worth a log line or a metric. `upstreamModel` null: the whole node. */
export interface HealthEvent {
  type: "ejected" | "recovered" | "cooling";
  nodeId: string;
  upstreamModel: string | null;
  cause: string;
  forMs: number;
}

/** The dependencies of `Health`. */
export interface HealthOptions {
  /** Monotonic milliseconds. */
  now: () => number;
  /** In [0, 1). */
  random: () => number;
  onEvent?: (event: HealthEvent) => void;
}

/**
 * The health of every node, measured by this process's own calls and kept in memory. Source: docs/reliability.md#s2-9,
 * docs/contract.md#s9.
 */
export class Health implements AttemptSink {
  readonly #nodes = new Map<string, NodeHealth>();
  readonly #budget = new RetryBudget();
  readonly #options: HealthOptions;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  now(): number {
    return this.#options.now();
  }

  /** Whether a target can be called now. */
  availability(target: HealthTarget): Availability {
    const node = this.#nodes.get(target.nodeId);
    if (node === undefined) return AVAILABLE;
    const now = node.hasFailed ? this.now() : 0;
    return node.availability(now, target.upstreamModel, target.maxConcurrency);
  }

  /**
   * Begins an attempt or returns why it may not; checks availability again because it may have changed since ordering.
   */
  begin(target: HealthTarget, mode: EntryMode, retry: boolean, now = this.now()): Attempt | BeginRefusal {
    const node = this.#node(target.nodeId);
    const pair = node.pair(target.upstreamModel);
    const { state, cause } = node.availability(now, target.upstreamModel, target.maxConcurrency);
    if (state === "busy") return "busy";
    if (state === "cooling" || (cause === "models" && mode !== "spared")) return "unavailable";
    if (target.maxConcurrency !== null && node.inFlight >= target.maxConcurrency) return "busy";
    const force = mode === "spared" ? "normal" : mode === "probe" ? "probe" : null;
    const nodeEntry = node.breaker.enter(now, force);
    if (nodeEntry === null) return "unavailable";
    const pairEntry = pair.breaker.enter(now, force);
    const credentialEntry = pairEntry && node.credential.enter(now);
    const billingEntry = credentialEntry && node.billing.enter(now);
    if (
      pairEntry === null ||
      credentialEntry === null ||
      billingEntry === null ||
      !this.#budget.begin(retry)
    ) {
      node.breaker.abandoned(nodeEntry);
      if (pairEntry !== null) pair.breaker.abandoned(pairEntry);
      if (credentialEntry !== null) node.credential.abandoned(credentialEntry);
      if (billingEntry !== null) node.billing.abandoned(billingEntry);
      return billingEntry === null ? "unavailable" : "budget";
    }
    node.inFlight += 1;
    const entries = { node: nodeEntry, pair: pairEntry, credential: credentialEntry, billing: billingEntry };
    return new Attempt(this, target.nodeId, node, pair, entries, retry, now);
  }

  /** Called by an attempt at its first meaningful event. */
  onFirstEvent(attempt: Attempt, now: number): void {
    attempt.pair.lastSuccessAt = now;
    for (const circuit of accountCircuits) this.#accountSucceeded(attempt, circuit, now);
    if (attempt.entries.node.kind !== "normal") this.#succeeded(attempt, null, attempt.entries.node, now);
    if (attempt.entries.pair.kind !== "normal")
      this.#succeeded(attempt, attempt.pair.upstreamModel, attempt.entries.pair, now);
  }

  /** Called by an attempt at its end. */
  onEnd(attempt: Attempt, outcome: AttemptOutcome, now: number): void {
    attempt.node.inFlight -= 1;
    this.#budget.end(attempt.retry);
    const coolMs = attempt.node.record(now, attempt.pair, outcome);
    if (coolMs > 0) {
      const { nodeId, pair } = attempt;
      this.#emit({
        type: "cooling",
        nodeId,
        upstreamModel: pair.upstreamModel,
        cause: outcome.kind,
        forMs: coolMs,
      });
    }
    for (const circuit of accountCircuits) this.#updateAccountCircuit(attempt, circuit, outcome, now);
    if (outcome.kind === "ok") {
      attempt.node.stats.succeeded(now, attempt.latencyMs(now));
      attempt.node.minutes.succeeded(now, attempt.latencyMs(now));
    }
    this.#updateNodeCircuit(attempt, outcome, now);
    this.#updatePairCircuit(attempt, outcome, now);
  }

  /** Closes the circuits of a node and ends its cool-downs. */
  reset(nodeId: string): void {
    this.#nodes.get(nodeId)?.reset(this.now());
  }

  /**
   * Applies a new configuration: deletes the health of removed nodes and models, and resets nodes whose address or
   * credential changed.
   */
  applySnapshot(snapshot: CatalogSnapshot): void {
    const served = new Map<string, Set<string>>();
    for (const model of snapshot.models.values()) {
      for (const route of model.routes) {
        const models = served.get(route.nodeId) ?? new Set();
        served.set(route.nodeId, models.add(route.upstreamModel));
      }
    }
    for (const nodeId of this.#nodes.keys()) {
      if (!snapshot.nodes.has(nodeId)) this.#nodes.delete(nodeId);
    }
    for (const node of snapshot.nodes.values()) {
      this.#node(node.id).applySnapshot(this.now(), identity(node), served.get(node.id) ?? new Set());
    }
  }

  /** The health of each node, for `nodeReport`. */
  all(): ReadonlyMap<string, NodeHealth> {
    return this.#nodes;
  }

  #node(nodeId: string): NodeHealth {
    const known = this.#nodes.get(nodeId);
    if (known !== undefined) return known;
    const created = new NodeHealth();
    this.#nodes.set(nodeId, created);
    return created;
  }

  /** For the node's circuit a failed connection is a failure, and any HTTP response a success. */
  #updateNodeCircuit(attempt: Attempt, outcome: AttemptOutcome, now: number): void {
    const entry = attempt.entries.node;
    const breaker = attempt.node.breaker;
    if (outcome.kind === "connect") {
      if (breaker.failed(entry, now, this.#options.random())) this.#ejected(attempt, null, now);
    } else if (outcome.kind === "cancelled" || outcome.kind === "timeout") {
      if (!attempt.hasFirstEvent) breaker.abandoned(entry);
    } else if (!attempt.hasFirstEvent || entry.kind === "normal") {
      this.#succeeded(attempt, null, entry, now);
    }
  }

  /**
   * For a circuit of the account only its own refusal is a failure, and only a complete answer a success.
   * Source: docs/contract.md#b1, docs/protocols.md#s13-5.
   */
  #updateAccountCircuit(
    attempt: Attempt,
    circuit: AccountCircuit,
    outcome: AttemptOutcome,
    now: number,
  ): void {
    const breaker = attempt.node[circuit];
    const entry = attempt.entries[circuit];
    if (outcome.kind === "ok") this.#accountSucceeded(attempt, circuit, now);
    else if (outcome.kind !== circuit) {
      if (!attempt.hasFirstEvent) breaker.abandoned(entry);
    } else if (breaker.failed(entry, now, this.#options.random())) {
      const forMs = breaker.returnsInMs(now);
      this.#emit({ type: "cooling", nodeId: attempt.nodeId, upstreamModel: null, cause: circuit, forMs });
    }
  }

  #accountSucceeded({ node, nodeId, entries }: Attempt, circuit: AccountCircuit, now: number): void {
    const breaker = node[circuit];
    const before = breaker.phase(now);
    breaker.succeeded(entries[circuit], now);
    if (before !== "closed" && breaker.phase(now) === "closed")
      this.#emit({ type: "recovered", nodeId, upstreamModel: null, cause: circuit, forMs: 0 });
  }

  #updatePairCircuit(attempt: Attempt, outcome: AttemptOutcome, now: number): void {
    const entry = attempt.entries.pair;
    const breaker = attempt.pair.breaker;
    const weight = outcome.kind === "connect" ? 0 : failureWeight(outcome.kind);
    if (weight > 0) {
      if (breaker.failed(entry, now, this.#options.random(), weight)) {
        this.#ejected(attempt, attempt.pair.upstreamModel, now);
      }
    } else if (outcome.kind !== "ok") {
      if (!attempt.hasFirstEvent) breaker.abandoned(entry);
    } else if (!attempt.hasFirstEvent || entry.kind === "normal") {
      this.#succeeded(attempt, attempt.pair.upstreamModel, entry, now);
    }
  }

  #succeeded(attempt: Attempt, upstreamModel: string | null, entry: BreakerEntry, now: number): void {
    const breaker = upstreamModel === null ? attempt.node.breaker : attempt.pair.breaker;
    const before = breaker.phase(now);
    breaker.succeeded(entry, now);
    if (before === "closed" || breaker.phase(now) !== "closed") return;
    this.#emit({ type: "recovered", nodeId: attempt.nodeId, upstreamModel, cause: breaker.cause, forMs: 0 });
  }

  #ejected(attempt: Attempt, upstreamModel: string | null, now: number): void {
    const breaker = upstreamModel === null ? attempt.node.breaker : attempt.pair.breaker;
    const forMs = breaker.returnsInMs(now);
    this.#emit({ type: "ejected", nodeId: attempt.nodeId, upstreamModel, cause: breaker.cause, forMs });
  }

  #emit(event: HealthEvent): void {
    this.#options.onEvent?.(event);
  }
}

function identity(node: CatalogNode): string {
  return `${node.baseUrl} ${node.proxy ?? ""} ${node.ca ?? ""} ${node.credential?.toString("base64") ?? ""}`;
}
