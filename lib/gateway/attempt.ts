import { shuttingDownError } from "@/lib/admission/admission";
import type { StoredAttempt } from "@/lib/db/schema/usage";
import { ClientDisconnected } from "@/lib/kernel/errors";
import type { ProtocolAdapter } from "@/lib/protocols/adapter";
import { type Attempt, backoffMs } from "@/lib/router/attempt";
import { headersWithinMs, MAX_ATTEMPTS, retryAfterSeconds, type Skipped, targetOf } from "@/lib/router/order";
import { callNode } from "@/lib/upstream/call-node";
import { Cancellation, type CancelSignal, type UpstreamAnswer } from "@/lib/upstream/upstream-answer";
import { AnswerAbandoned, type AttemptFailure, finalError, readAttemptFailure } from "./attempt-failure";
import { betweenMs, type GenerationContext, type RequestLogBuilder } from "./generation-context";
import { callableNode, type GenerationPlan, type PlannedAttempt } from "./plan";
import { Translator } from "./translator";
import { type OpenAnswer, readRefusal, UpstreamResponse } from "./upstream-response";

/** Called when a node has sent the headers of a good answer. */
export type OnOpened = () => void;

/**
 * Asks one node after the other until one gives its first meaningful event. A request that still waits at
 * the end of a drain is refused.
 * Throws: UPSTREAM_ERROR, NO_AVAILABLE_NODE, INVALID_REQUEST (the node refused the request itself).
 * Source: docs/reliability.md#s2-9, docs/contract.md#s7.
 */
export async function attemptNodes(
  context: GenerationContext,
  plan: GenerationPlan,
  onOpened: OnOpened | null,
): Promise<OpenAnswer> {
  const { call, gateway, log } = context;
  const { signal } = call;
  const skipped: Skipped[] = [...plan.skipped];
  const failures: AttemptFailure[] = [];
  const queue = [...plan.planned];
  for (let planned = queue.shift(); planned !== undefined; planned = queue.shift()) {
    if (failures.length >= MAX_ATTEMPTS || signal.aborted) break;
    if (failures.length > 0) {
      await backoff(signal, gateway.random());
      log.elapsedMs();
    }
    const { route, node, mode } = planned.candidate;
    const health = gateway.health.begin(targetOf(route, node), mode, failures.length > 0, log.lastNowMs);
    if (health === "budget") break;
    if (typeof health === "string") {
      skipped.push({ ...planned.candidate, why: "busy", returnsInMs: 1_000 });
      continue;
    }
    const asked = new NodeCall(context, planned, health);
    try {
      const begun = asked.begun(await asked.call());
      const answer = begun instanceof Promise ? await begun : begun;
      onOpened?.();
      await answer.open();
      return asked.succeeded(answer);
    } catch (error) {
      const failure = asked.failed(error);
      failures.push(failure);
      const again = failure.foreignReasoning ? planned.withoutReasoning() : null;
      if (again !== null) queue.unshift(again);
      else if (!failure.failover) break;
    } finally {
      asked.end();
    }
  }
  if (signal.aborted) throw new ClientDisconnected();
  throw finalError(failures, retryAfterSeconds(skipped), plan.model.alias);
}

/** One call to one node: its record in the log, its place, and what ends it early. */
class NodeCall {
  readonly #context: GenerationContext;
  readonly #planned: PlannedAttempt;
  readonly #health: Attempt;
  readonly #record: StoredAttempt;
  readonly #given = new Cancellation();
  #answer: UpstreamResponse | null = null;

  constructor(context: GenerationContext, planned: PlannedAttempt, health: Attempt) {
    this.#context = context;
    this.#planned = planned;
    this.#health = health;
    this.#record = startRecord(context.log, planned);
    const { signal } = context.call;
    if (signal.aborted) this.#giveUp(); // the client may have left while the last failure was waited out
    signal.addEventListener("abort", this.#giveUp);
    context.gateway.drain.open(this.#given);
  }

  readonly #giveUp = (): void => this.#given.abort();

  /** Resolves when the node's answer begins. Throws: DialError. */
  call(): Promise<UpstreamAnswer> {
    const { prepared, candidate, upstream } = this.#planned;
    const { node } = candidate;
    const { gateway } = this.#context;
    return callNode(gateway.pools, callableNode(gateway, node), {
      path: upstream.node.path,
      body: this.#planned.bodyText(),
      headers: prepared.headers,
      stream: prepared.stream,
      signal: this.#given,
      headersWithinMs: prepared.stream ? headersWithinMs(this.#record.startedMs) : node.timeouts.responseMs,
    });
  }

  /** The good answer that has begun, to be opened. Only a refusal is a promise. Throws: AnswerError of a refusal. */
  begun(upstream: UpstreamAnswer): UpstreamResponse | Promise<never> {
    const { log } = this.#context;
    this.#record.upstreamStatus = upstream.status;
    this.#record.headersMs = betweenMs(this.#record.startedMs, log.elapsedMs());
    if (upstream.status !== 200) return refused(upstream, this.#planned.upstream);
    this.#answer = responseOf(this.#context, this.#planned, upstream);
    return this.#answer;
  }

  /** The first meaningful event has come. */
  succeeded(answer: UpstreamResponse): OpenAnswer {
    const { log } = this.#context;
    this.#record.result = "ok";
    this.#record.firstEventMs = betweenMs(this.#record.startedMs, log.elapsedMs());
    this.#health.firstEvent(log.lastNowMs);
    log.answeredBy(this.#planned.candidate);
    log.warn(this.#planned.prepared.losses);
    log.warn(answer.translator.warnings);
    return { answer, planned: this.#planned, health: this.#health, record: this.#record };
  }

  /** What a failure means. Throws: ClientDisconnected, NO_AVAILABLE_NODE, malfunctions of ours. */
  failed(error: unknown): AttemptFailure {
    const { call, log, gateway } = this.#context;
    this.#answer?.abort();
    if (this.#answer && call.signal.aborted) throw this.#abandoned(this.#answer);
    const isCancelled = call.signal.aborted || gateway.drain.aborted;
    const failure = readAttemptFailure(gateway, error, isCancelled, this.#planned, log.alias);
    endRecord(this.#record, failure.outcome.kind, log.elapsedMs(), failure.outcome.status ?? null);
    this.#health.end(failure.outcome);
    if (gateway.drain.aborted && !call.signal.aborted) throw shuttingDownError();
    return failure;
  }

  /** The place is free again unless there is an answer. */
  end(): void {
    const { call, gateway } = this.#context;
    gateway.drain.close(this.#given);
    call.signal.removeEventListener("abort", this.#giveUp);
    if (this.#record.result !== "ok") this.#health.end({ kind: "cancelled" });
  }

  #abandoned({ translator }: UpstreamResponse): AnswerAbandoned {
    const { log } = this.#context;
    endRecord(this.#record, "cancelled", log.elapsedMs());
    log.answeredBy(this.#planned.candidate);
    return new AnswerAbandoned(translator.meter);
  }
}

async function refused(upstream: UpstreamAnswer, protocol: ProtocolAdapter): Promise<never> {
  throw await readRefusal(upstream, protocol);
}

/** The good answer of a node, to be read. */
function responseOf(
  { gateway, call }: GenerationContext,
  planned: PlannedAttempt,
  upstream: UpstreamAnswer,
): UpstreamResponse {
  const { prepared, candidate } = planned;
  const { node } = candidate;
  return new UpstreamResponse(upstream, new Translator(planned.translatorOptions()), {
    asked: prepared,
    signal: call.signal,
    maxTokens: prepared.maxTokens,
    choices: prepared.choices,
    protocol: planned.upstream,
    deadlines: gateway.deadlines,
    endsAtMs: call.receivedAtMs + node.timeouts.totalMs,
  });
}

function startRecord(log: RequestLogBuilder, planned: PlannedAttempt): StoredAttempt {
  const { node, route, reason } = planned.candidate;
  const record: StoredAttempt = {
    n: log.attempts.length + 1,
    nodeId: node.id,
    nodeName: node.name,
    protocol: node.protocol,
    upstreamModel: route.upstreamModel,
    result: "pending",
    upstreamStatus: null,
    startedMs: log.lastMs,
    headersMs: null,
    firstEventMs: null,
    totalMs: 0,
    reason,
  };
  log.attempts.push(record);
  return record;
}

/** Completes the record of an attempt. */
export function endRecord(
  record: StoredAttempt,
  result: string,
  elapsedMs: number,
  status: number | null = null,
): void {
  record.result = result;
  record.upstreamStatus = status ?? record.upstreamStatus;
  record.totalMs = betweenMs(record.startedMs, elapsedMs);
}

function backoff(signal: CancelSignal, random: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, backoffMs(random));
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
