import type { StoredAttempt } from "@/lib/db/schema/usage";
import { runtime } from "@/lib/gateway/runtime";
import { ClientDisconnected } from "@/lib/kernel/errors";
import { protocols } from "@/lib/protocols/registry";
import { type Attempt, backoffMs } from "@/lib/router/attempt";
import {
  type Candidate,
  headersWithinMs,
  MAX_ATTEMPTS,
  retryAfterSeconds,
  type Skipped,
  targetOf,
} from "@/lib/router/order";
import { callNode } from "@/lib/upstream/call-node";
import { Cancellation, type CancelSignal } from "@/lib/upstream/upstream-answer";
import {
  type AttemptFailure,
  callableNode,
  finalError,
  readAttemptFailure,
  shuttingDownError,
} from "./attempt-failure";
import type { GenerationContext } from "./generation-context";
import type { AttemptPlan, PlannedAttempt } from "./plan";
import type { RequestLogBuilder } from "./request-log";
import { Translator } from "./translator";
import { AnswerAbandoned, type OpenAnswer, readRefusal, UpstreamResponse } from "./upstream-response";

/** What the attempts of one request share. */
export interface AttemptContext {
  trace: RequestLogBuilder;
  plan: AttemptPlan;
  run: GenerationContext;
  /** Called when a node has sent the headers of a good answer. */
  onOpened(): void;
}

/**
 * Asks one node after the other until one gives its first meaningful event. A request that still waits at
 * the end of a drain is refused.
 * Throws: UPSTREAM_ERROR, NO_AVAILABLE_NODE, INVALID_REQUEST (the node refused the request itself).
 * Source: docs/reliability.md#s2-9, docs/contract.md#s7.
 */
export async function attemptNodes(context: AttemptContext): Promise<OpenAnswer> {
  const { trace, plan } = context;
  const { signal } = trace.call;
  const skipped: Skipped[] = [...plan.skipped];
  const failures: AttemptFailure[] = [];
  for (const planned of plan.planned) {
    if (failures.length >= MAX_ATTEMPTS || signal.aborted) break;
    if (failures.length > 0) await backoff(signal);
    const health = begin(planned.candidate, failures.length > 0);
    if (health === "budget") break;
    if (typeof health === "string") {
      skipped.push({ ...planned.candidate, why: "busy", returnsInMs: 1_000 });
      continue;
    }
    const result = await tryNode(context, planned, health);
    if ("answer" in result) return result;
    failures.push(result);
    if (!result.failover) break;
  }
  if (signal.aborted) throw new ClientDisconnected();
  throw finalError(failures, retryAfterSeconds(skipped), trace.model);
}

function begin(candidate: Candidate, retry: boolean) {
  return runtime().health.begin(targetOf(candidate.route, candidate.node), candidate.mode, retry);
}

/**
 * The node's place is free again unless there is an answer. Throws: ClientDisconnected, NO_AVAILABLE_NODE, malfunctions
 * of ours.
 */
async function tryNode(
  context: AttemptContext,
  planned: PlannedAttempt,
  health: Attempt,
): Promise<OpenAnswer | AttemptFailure> {
  try {
    return await askNode(context, planned, health);
  } catch (error) {
    health.end({ kind: "cancelled" });
    throw error;
  }
}

async function askNode(
  context: AttemptContext,
  planned: PlannedAttempt,
  health: Attempt,
): Promise<OpenAnswer | AttemptFailure> {
  const { trace } = context;
  const { signal } = trace.call;
  const { drain } = runtime();
  const record = startRecord(trace, planned);
  const given = new Cancellation();
  const giveUp = () => given.abort();
  if (signal.aborted) giveUp(); // the client may have left while the last failure was waited out
  signal.addEventListener("abort", giveUp);
  const release = drain.onAbort(giveUp);
  let answer: UpstreamResponse | null = null;
  try {
    answer = await startAnswer(context, planned, record, given);
    await answer.open();
    health.firstEvent();
    record.result = "ok";
    record.firstEventMs = trace.sinceMs(record.startedMs);
    trace.nodeId = planned.candidate.node.id;
    trace.warn(planned.prepared.losses);
    trace.warn(answer.translator.warnings);
    return { answer, planned, health, record };
  } catch (error) {
    answer?.abort();
    if (answer && signal.aborted) throw leave(trace, { answer, planned, health, record });
    const failure = readAttemptFailure(error, signal.aborted || drain.aborted, planned, trace.model);
    endRecord(trace, record, failure.outcome.kind, failure.outcome.status ?? null);
    health.end(failure.outcome);
    if (drain.aborted && !signal.aborted) throw shuttingDownError();
    return failure;
  } finally {
    release();
    signal.removeEventListener("abort", giveUp);
  }
}

function leave(trace: RequestLogBuilder, open: OpenAnswer): AnswerAbandoned {
  endRecord(trace, open.record, "cancelled", null);
  trace.nodeId = open.planned.candidate.node.id;
  return new AnswerAbandoned(open);
}

async function startAnswer(
  context: AttemptContext,
  planned: PlannedAttempt,
  record: StoredAttempt,
  given: CancelSignal,
): Promise<UpstreamResponse> {
  const { trace } = context;
  const { prepared, candidate } = planned;
  const upstream = await callNode(runtime().pools, callableNode(candidate.node), {
    path: protocols[candidate.node.protocol].node.path,
    body: planned.bodyText(),
    headers: prepared.headers,
    stream: prepared.stream,
    signal: given,
    headersWithinMs: prepared.stream ? headersWithinMs(record.startedMs) : candidate.node.timeouts.responseMs,
  });
  record.upstreamStatus = upstream.status;
  record.headersMs = trace.sinceMs(record.startedMs);
  if (upstream.status !== 200) throw await readRefusal(upstream, protocols[candidate.node.protocol]);
  context.onOpened();
  const translator = new Translator(planned.translatorOptions(context.run));
  return new UpstreamResponse(upstream, translator, {
    asked: { stream: prepared.stream, clientStream: prepared.clientStream },
    signal: trace.call.signal,
    maxTokens: prepared.maxTokens,
    choices: prepared.choices,
    protocol: protocols[candidate.node.protocol],
    totalMs: Math.max(1, candidate.node.timeouts.totalMs - record.startedMs),
  });
}

function startRecord(trace: RequestLogBuilder, planned: PlannedAttempt): StoredAttempt {
  const { node, route, reason } = planned.candidate;
  const record: StoredAttempt = {
    n: trace.attempts.length + 1,
    nodeId: node.id,
    nodeName: node.name,
    protocol: node.protocol,
    upstreamModel: route.upstreamModel,
    result: "pending",
    upstreamStatus: null,
    startedMs: trace.elapsedMs(),
    headersMs: null,
    firstEventMs: null,
    totalMs: 0,
    reason,
  };
  trace.attempts.push(record);
  return record;
}

/** Completes the record of an attempt. */
export function endRecord(
  trace: RequestLogBuilder,
  record: StoredAttempt,
  result: string,
  status: number | null,
): void {
  record.result = result;
  record.upstreamStatus = status ?? record.upstreamStatus;
  record.totalMs = trace.sinceMs(record.startedMs);
}

function backoff(signal: CancelSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, backoffMs(Math.random()));
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
