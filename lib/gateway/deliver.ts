import { runtime } from "@/lib/gateway/runtime";
import type { GatewayError } from "@/lib/kernel/errors";
import { failpoint } from "@/lib/kernel/failpoint";
import { centsDecimal } from "@/lib/kernel/usage";
import { protocols } from "@/lib/protocols/registry";
import { endRecord } from "./attempt";
import { shuttingDownError, streamError } from "./attempt-failure";
import type { GenerationContext } from "./generation-context";
import type { AttemptPlan } from "./plan";
import { asGatewayError, type Reply } from "./reply";
import { ReadOn, settleAborted, settleComplete, settleFailed, settleInterrupted } from "./settle";
import type { OpenAnswer } from "./upstream-response";

type Attempting = (onOpened: () => void) => Promise<OpenAnswer>;

const SILENCE_MS = 15_000;
const IDLE_MS = 10_000;

const streamHeaders = {
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/**
 * Runs the attempts and hands the answer on: whole, or as frames whose terminal one is sent after the money is
 * settled. Throws: whatever the attempts throw, unless the stream has begun. Source: docs/reliability.md#d5, #s2-7,
 * #s2-9.
 */
export async function deliver(
  run: GenerationContext,
  plan: AttemptPlan,
  attempt: Attempting,
): Promise<Reply> {
  if (!run.trace.stream) return deliverWhole(run, plan, await attempt(() => {}));
  const silence = startSilence();
  const pending = attempt(silence.begin);
  const first = await Promise.race([pending, silence.over]).finally(silence.stop);
  if (first !== null) return streamReply(run, frames(run, plan, first), first);
  return streamReply(run, lateFrames(run, plan, pending), null);
}

async function deliverWhole(run: GenerationContext, plan: AttemptPlan, open: OpenAnswer): Promise<Reply> {
  const { trace } = run;
  trace.ttftMs = trace.elapsedMs();
  open.answer.abort();
  finishAttempt(run, plan, open, "ok");
  const { costMicroCents, estimated } = await settleComplete(run, open);
  return {
    status: 200,
    headers: {
      "content-type": "application/json",
      "x-tollgate-cost": centsDecimal(costMicroCents),
      ...(estimated ? { "x-usage-estimated": "1" } : {}),
      ...warningHeader(run),
    },
    body: open.answer.head,
  };
}

function streamReply(run: GenerationContext, body: AsyncIterable<string>, open: OpenAnswer | null): Reply {
  const protocol = protocols[run.trace.call.protocol];
  return {
    status: 200,
    headers: { "content-type": protocol.streamType, ...streamHeaders, ...warningHeader(run) },
    body,
    idleFrame: {
      afterMs: IDLE_MS,
      text: () => protocol.ping(open?.answer.translator.started === true),
    },
  };
}

/** A node that said 200 and then nothing: the stream begins with comments, and another node may still answer. */
async function* lateFrames(
  run: GenerationContext,
  plan: AttemptPlan,
  pending: Promise<OpenAnswer>,
): AsyncGenerator<string> {
  yield protocols[run.trace.call.protocol].ping(false);
  let open: OpenAnswer;
  try {
    open = await pending;
  } catch (error) {
    await settleFailed(run, error);
    yield errorFrame(run, asGatewayError(error));
    return;
  }
  yield* frames(run, plan, open);
}

async function* frames(run: GenerationContext, plan: AttemptPlan, open: OpenAnswer): AsyncGenerator<string> {
  const { trace } = run;
  const { answer } = open;
  trace.ttftMs = trace.elapsedMs();
  const { signal } = trace.call;
  const { drain } = runtime();
  const release = drain.onAbort(() => answer.abort("timeout"));
  const watch = new ReadOn(run, answer);
  try {
    let wire: string | null = answer.takeHead();
    for (; wire !== null; wire = await answer.next()) {
      if (signal.aborted && answer.translator.meter.ended) break;
      if (wire === "" || signal.aborted) continue;
      watch.shown = true;
      yield wire;
    }
    const terminal = await answer.finish();
    finishAttempt(run, plan, open, "ok");
    failpoint("before-settle");
    await settleComplete(run, open);
    failpoint("after-settle");
    yield terminal;
  } catch (thrown) {
    if (signal.aborted) return;
    const error = drain.aborted ? shuttingDownError() : streamError(thrown, open.planned, trace.model);
    if (error.details.reason === "content_policy") open.health.end({ kind: "request" });
    finishAttempt(run, plan, open, "truncated");
    await settleInterrupted(run, open, error);
    yield errorFrame(run, error);
  } finally {
    release();
    answer.abort();
    watch.end();
    if (!run.settled) {
      finishAttempt(run, plan, open, "cancelled");
      await settleAborted(run, open);
    }
  }
}

function finishAttempt(
  run: GenerationContext,
  plan: AttemptPlan,
  open: OpenAnswer,
  kind: "ok" | "truncated" | "cancelled",
): void {
  open.health.end({ kind });
  endRecord(run.trace, open.record, kind, null);
  run.trace.mark("answer");
  run.trace.warn(open.answer.translator.warnings);
  if (kind === "ok") runtime().sticky.set(plan.conversation, open.planned.candidate.node.id);
}

function errorFrame(run: GenerationContext, error: GatewayError): string {
  const { call } = run.trace;
  return protocols[call.protocol].errors.frame({
    code: error.code,
    message: error.message,
    requestId: call.requestId,
    ...(error.details.reason === undefined ? {} : { reason: error.details.reason }),
  });
}

function warningHeader(run: GenerationContext): Record<string, string> {
  const codes = [...run.trace.warnings].join(",").slice(0, 1_024);
  return codes === "" ? {} : { "x-tollgate-warnings": codes.replace(/[^\x20-\x7e]/g, "?") };
}

/** A race against silence that is started when a node has said 200. */
function startSilence() {
  let timer: NodeJS.Timeout | undefined;
  let end: (value: null) => void = () => {};
  const over = new Promise<null>((resolve) => {
    end = resolve;
  });
  return {
    over,
    begin: () => {
      timer ??= setTimeout(() => end(null), SILENCE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
