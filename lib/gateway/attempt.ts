import { shuttingDownError } from "@/lib/admission/admission";
import type { StoredAttempt } from "@/lib/db/schema/usage";
import { ClientDisconnected } from "@/lib/kernel/thrown";
import type { Waiter } from "@/lib/kernel/waiter";
import type { NodeAdapter } from "@/lib/protocols/adapters/node-adapter";
import type { Attempt } from "@/lib/router/attempt";
import { headersWithinMs, MAX_ATTEMPTS, retryAfterSeconds, type Skipped, targetOf } from "@/lib/router/order";
import { backoffMs } from "@/lib/router/retry-budget";
import { dialNode } from "@/lib/upstream/call-node";
import { Cancellation, type CancelSignal } from "@/lib/upstream/cancellation";
import { CredentialError } from "@/lib/upstream/credentials/credential-error";
import { awsErrorType } from "@/lib/upstream/credentials/vendor-refusal";
import { DialError, type UpstreamAnswer } from "@/lib/upstream/upstream-answer";
import {
  AnswerAbandoned,
  type AttemptFailure,
  finalError,
  principalAt,
  readAttemptFailure,
} from "./attempt-failure";
import { callableNode } from "./callable-node";
import { betweenMs, endRecord, type GenerationContext, startRecord } from "./generation-context";
import type { GenerationPlan, PlannedAttempt } from "./plan";
import { Translator } from "./translator";
import { AnswerError, type OpenAnswer, UpstreamResponse } from "./upstream-response";

const MAX_ERROR_BYTES = 64 * 1024;

/** Called when a node has sent the headers of a good answer. */
export type OnOpened = () => void;

/**
 * Calls one node after the other until one sends its first meaningful event. A request that still waits at the end of a
 * drain is refused.
 * Throws: UPSTREAM_ERROR, NO_AVAILABLE_NODE, INVALID_REQUEST (the node refused the request itself).
 * Source: docs/reliability.md#s2-9, docs/contract.md#s7.
 */
export function attemptNodes(
  context: GenerationContext,
  plan: GenerationPlan,
  onOpened: OnOpened | null,
): Promise<OpenAnswer> {
  return new Attempts(context, plan, onOpened).next();
}

/** The attempts of one request, one after the other. One that gives an answer costs one promise. */
class Attempts {
  readonly #context: GenerationContext;
  readonly #plan: GenerationPlan;
  readonly #onOpened: OnOpened | null;
  readonly #queue: PlannedAttempt[];
  readonly #skipped: Skipped[];
  readonly #failures: AttemptFailure[] = [];

  constructor(context: GenerationContext, plan: GenerationPlan, onOpened: OnOpened | null) {
    this.#context = context;
    this.#plan = plan;
    this.#onOpened = onOpened;
    this.#queue = [...plan.planned];
    this.#skipped = [...plan.skipped];
  }

  /** Calls the next node that accepts a call, and the nodes after it when that call fails. */
  next(): Promise<OpenAnswer> {
    const asked = this.#begin();
    if (asked === null) return Promise.reject(this.#refusal());
    return new Promise((resolve) => {
      const failed = (error: unknown): void => {
        if (!asked.over) resolve(this.#afterFailure(asked, error));
      };
      const opened = (answer: UpstreamResponse): void => {
        try {
          resolve(asked.succeeded(answer));
        } catch (error) {
          resolve(this.#afterFailure(asked, error));
        }
      };
      asked.open(this.#onOpened, { resolve: opened, reject: failed });
    });
  }

  /** Null: there is no further node, the attempts or the retry budget are used up, or the client has disconnected. */
  #begin(): NodeCall | null {
    const { call, gateway, log } = this.#context;
    const tried = this.#failures.length;
    while (tried < MAX_ATTEMPTS && !call.signal.aborted) {
      const planned = this.#queue.shift();
      if (planned === undefined) return null;
      const { route, node, mode } = planned.candidate;
      const health = gateway.health.begin(targetOf(route, node), mode, tried > 0, log.lastNowMs);
      if (health === "budget") return null;
      if (typeof health !== "string") return new NodeCall(this.#context, planned, health);
      this.#skipped.push({ ...planned.candidate, why: "busy", returnsInMs: 1_000 });
    }
    return null;
  }

  async #afterFailure(asked: NodeCall, error: unknown): Promise<OpenAnswer> {
    const { call, gateway, log } = this.#context;
    const failure = asked.failed(error);
    this.#failures.push(failure);
    const again = failure.foreignReasoning ? asked.planned.withoutReasoning() : null;
    if (again !== null) this.#queue.unshift(again);
    else if (!failure.failover) throw this.#refusal();
    if (this.#failures.length < MAX_ATTEMPTS && this.#queue.length > 0 && !call.signal.aborted) {
      await backoff(call.signal, gateway.random());
      log.elapsedMs();
    }
    return this.next();
  }

  #refusal(): Error {
    if (this.#context.call.signal.aborted) return new ClientDisconnected();
    return finalError(this.#failures, retryAfterSeconds(this.#skipped), this.#plan.model.alias);
  }
}

/** One call to one node: its record in the log, its place, and its cancellation. */
class NodeCall {
  readonly planned: PlannedAttempt;
  /** True once it has succeeded or failed; later results are ignored. */
  over = false;
  readonly #context: GenerationContext;
  readonly #health: Attempt;
  readonly #record: StoredAttempt;
  readonly #given = new Cancellation();
  #answer: UpstreamResponse | null = null;

  constructor(context: GenerationContext, planned: PlannedAttempt, health: Attempt) {
    this.#context = context;
    this.planned = planned;
    this.#health = health;
    this.#record = startRecord(context.log, planned.candidate);
    context.call.signal.addEventListener("abort", this.#giveUp);
    context.gateway.drain.open(this.#given);
  }

  readonly #giveUp = (): void => this.#given.abort();

  /** Asks the node; `opened` gets its answer once it is open. Rejects: DialError, CredentialError, AnswerError, malfunctions of ours. */
  open(onOpened: OnOpened | null, opened: Waiter<UpstreamResponse>): void {
    const begun = (upstream: UpstreamAnswer): void => {
      try {
        const answer = this.#begun(upstream);
        if (answer === null) {
          readRefusal(upstream, this.planned.upstream).then(opened.reject, opened.reject);
          return;
        }
        onOpened?.();
        answer.open({ resolve: () => opened.resolve(answer), reject: opened.reject });
      } catch (error) {
        opened.reject(error);
      }
    };
    try {
      this.#call({ resolve: begun, reject: opened.reject });
    } catch (error) {
      opened.reject(error);
    }
  }

  #call(begun: Waiter<UpstreamAnswer>): void {
    const { prepared, candidate, upstream } = this.planned;
    const { node } = candidate;
    const { gateway } = this.#context;
    const request = {
      path: upstream.api.generation({ model: candidate.route.upstreamModel, stream: prepared.stream }),
      body: this.planned.bytes(),
      headers: prepared.headers,
      stream: prepared.stream,
      signal: this.#given,
      headersWithinMs: prepared.stream ? headersWithinMs(this.#record.startedMs) : node.timeouts.responseMs,
    };
    dialNode(gateway.pools, callableNode(gateway, node), request, begun);
  }

  /** Handles the response headers. Returns the good answer, to be opened; null: the node refuses. */
  #begun(upstream: UpstreamAnswer): UpstreamResponse | null {
    const { log } = this.#context;
    this.#record.upstreamStatus = upstream.status;
    this.#record.headersMs = betweenMs(this.#record.startedMs, log.elapsedMs());
    if (upstream.status !== 200) return null;
    this.#answer = responseOf(this.#context, this.planned, upstream);
    return this.#answer;
  }

  /** Records the first meaningful event. */
  succeeded(answer: UpstreamResponse): OpenAnswer {
    const { log } = this.#context;
    this.over = true;
    this.planned.dropSource();
    this.#record.result = "ok";
    this.#record.firstEventMs = betweenMs(this.#record.startedMs, log.elapsedMs());
    this.#health.firstEvent(log.lastNowMs);
    log.answeredBy(this.planned);
    log.warn(this.planned.prepared.losses);
    log.warn(answer.translator.warnings);
    this.#end();
    return { answer, planned: this.planned, health: this.#health, record: this.#record };
  }

  /**
   * Records the failure and returns what it means. Throws: ClientDisconnected, NO_AVAILABLE_NODE, malfunctions of ours.
   */
  failed(error: unknown): AttemptFailure {
    this.over = true;
    try {
      return this.#failureOf(error);
    } finally {
      this.#end();
    }
  }

  #failureOf(error: unknown): AttemptFailure {
    const { call, log, gateway } = this.#context;
    this.#answer?.abort();
    if (this.#answer && call.signal.aborted) throw this.#abandoned(this.#answer);
    const isCancelled = call.signal.aborted || gateway.drain.aborted;
    const failure = readAttemptFailure(gateway, error, isCancelled, this.planned, log.alias);
    if (error instanceof CredentialError)
      this.#record.access = { code: error.code, principal: principalAt(gateway, this.planned) };
    endRecord(this.#record, failure.outcome.kind, log.elapsedMs(), failure.outcome.status ?? null);
    this.#health.end(failure.outcome);
    if (gateway.drain.aborted && !call.signal.aborted) throw shuttingDownError();
    return failure;
  }

  /** Releases the call's place unless there is an answer. */
  #end(): void {
    const { call, gateway } = this.#context;
    gateway.drain.close(this.#given);
    call.signal.removeEventListener("abort", this.#giveUp);
    if (this.#record.result !== "ok") this.#health.end({ kind: "cancelled" });
  }

  #abandoned({ translator }: UpstreamResponse): AnswerAbandoned {
    const { log } = this.#context;
    endRecord(this.#record, "cancelled", log.elapsedMs());
    log.answeredBy(this.planned);
    return new AnswerAbandoned(translator.meter);
  }
}

/** The error inside an answer whose status is not 200. Throws: DialError when the client disconnects. */
async function readRefusal(upstream: UpstreamAnswer, protocol: NodeAdapter): Promise<AnswerError> {
  const text = await upstream.text(MAX_ERROR_BYTES).catch((error: unknown) => {
    if (error instanceof DialError && error.kind !== "aborted") return "";
    throw error;
  });
  const retryAfter = upstream.headers["retry-after"];
  const failure = protocol.readFailure(upstream.status, text);
  const type = awsErrorType(upstream.headers) ?? failure.type;
  const wait = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  return new AnswerError({ ...failure, type }, wait ?? failure.retryAfter);
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
