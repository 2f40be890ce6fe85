import { shuttingDownError } from "@/lib/admission/admission";
import type { StoredAttempt } from "@/lib/db/schema/usage";
import { ClientDisconnected } from "@/lib/kernel/errors";
import { type Attempt, backoffMs } from "@/lib/router/attempt";
import { headersWithinMs, MAX_ATTEMPTS, retryAfterSeconds, type Skipped, targetOf } from "@/lib/router/order";
import { callNode } from "@/lib/upstream/call-node";
import { Cancellation, type CancelSignal, type UpstreamAnswer } from "@/lib/upstream/upstream-answer";
import { type AttemptFailure, finalError, readAttemptFailure } from "./attempt-failure";
import { betweenMs, type GenerationContext, type RequestLogBuilder } from "./generation-context";
import { callableNode, type GenerationPlan, type PlannedAttempt } from "./plan";
import { Translator } from "./translator";
import { AnswerAbandoned, type OpenAnswer, readRefusal, UpstreamResponse } from "./upstream-response";

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
  const { signal } = context.call;
  const skipped: Skipped[] = [...plan.skipped];
  const failures: AttemptFailure[] = [];
  const queue = [...plan.planned];
  for (let planned = queue.shift(); planned !== undefined; planned = queue.shift()) {
    if (failures.length >= MAX_ATTEMPTS || signal.aborted) break;
    if (failures.length > 0) await backoff(signal, context.gateway.random());
    const { route, node, mode } = planned.candidate;
    const health = context.gateway.health.begin(targetOf(route, node), mode, failures.length > 0);
    if (health === "budget") break;
    if (typeof health === "string") {
      skipped.push({ ...planned.candidate, why: "busy", returnsInMs: 1_000 });
      continue;
    }
    const result = await askNode(context, planned, health, onOpened);
    if ("answer" in result) return result;
    failures.push(result);
    const again = result.foreignReasoning ? planned.withoutReasoning() : null;
    if (again !== null) queue.unshift(again);
    else if (!result.failover) break;
  }
  if (signal.aborted) throw new ClientDisconnected();
  throw finalError(failures, retryAfterSeconds(skipped), plan.model.alias);
}

/**
 * Asks one node. Its place is free again unless there is an answer. Throws: ClientDisconnected, NO_AVAILABLE_NODE,
 * malfunctions of ours.
 */
async function askNode(
  context: GenerationContext,
  planned: PlannedAttempt,
  health: Attempt,
  onOpened: OnOpened | null,
): Promise<OpenAnswer | AttemptFailure> {
  const { call, log, gateway } = context;
  const { drain } = gateway;
  const record = startRecord(log, planned);
  const given = new Cancellation();
  const giveUp = () => given.abort();
  if (call.signal.aborted) giveUp(); // the client may have left while the last failure was waited out
  call.signal.addEventListener("abort", giveUp);
  drain.open(given);
  let answer: UpstreamResponse | null = null;
  try {
    const upstream = await callPlanned(context, planned, record.startedMs, given);
    record.upstreamStatus = upstream.status;
    record.headersMs = betweenMs(record.startedMs, log.elapsedMs());
    if (upstream.status !== 200) throw await readRefusal(upstream, planned.upstream);
    answer = responseOf(context, planned, upstream);
    onOpened?.();
    await answer.open();
    health.firstEvent();
    record.result = "ok";
    record.firstEventMs = betweenMs(record.startedMs, log.elapsedMs());
    log.nodeId = planned.candidate.node.id;
    log.warn(planned.prepared.losses);
    log.warn(answer.translator.warnings);
    return { answer, planned, health, record };
  } catch (error) {
    answer?.abort();
    if (answer && call.signal.aborted) throw abandoned(log, answer, planned, record);
    const isCancelled = call.signal.aborted || drain.aborted;
    const failure = readAttemptFailure(gateway, error, isCancelled, planned, log.alias);
    endRecord(record, failure.outcome.kind, log.elapsedMs(), failure.outcome.status ?? null);
    health.end(failure.outcome);
    if (drain.aborted && !call.signal.aborted) throw shuttingDownError();
    return failure;
  } finally {
    drain.close(given);
    call.signal.removeEventListener("abort", giveUp);
    if (record.result !== "ok") health.end({ kind: "cancelled" });
  }
}

function abandoned(
  log: RequestLogBuilder,
  { translator }: UpstreamResponse,
  { candidate }: PlannedAttempt,
  record: StoredAttempt,
): AnswerAbandoned {
  endRecord(record, "cancelled", log.elapsedMs());
  log.nodeId = candidate.node.id;
  return new AnswerAbandoned(translator.meter);
}

/** Calls a node; resolves when its answer begins. Throws: DialError. */
function callPlanned(
  { gateway }: GenerationContext,
  planned: PlannedAttempt,
  startedMs: number,
  signal: CancelSignal,
): Promise<UpstreamAnswer> {
  const { prepared, candidate } = planned;
  const { node } = candidate;
  return callNode(gateway.pools, callableNode(gateway, node), {
    path: planned.upstream.node.path,
    body: planned.bodyText(),
    headers: prepared.headers,
    stream: prepared.stream,
    signal,
    headersWithinMs: prepared.stream ? headersWithinMs(startedMs) : node.timeouts.responseMs,
  });
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
    startedMs: log.attempts.length === 0 ? log.lastMs : log.elapsedMs(),
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
