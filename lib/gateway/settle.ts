import { redactKeys } from "@/lib/accounts/gateway-key";
import { estimateTextTokens } from "@/lib/billing/estimate";
import { type Outcome, outcomeRules } from "@/lib/billing/outcome";
import { costMicroCents } from "@/lib/billing/price";
import type { Settlement } from "@/lib/billing/settlement";
import { TickLimiter } from "@/lib/kernel/concurrency";
import { ClientDisconnected, type GatewayError } from "@/lib/kernel/errors";
import { failpoint } from "@/lib/kernel/failpoint";
import { NO_USAGE, promptTokens, type Usage } from "@/lib/kernel/usage";
import type { GenerationContext } from "./generation-context";
import { countOutput, meterAnswer } from "./metering";
import { asGatewayError } from "./reply";
import { runtime } from "./runtime";
import { AnswerAbandoned, type OpenAnswer, type UpstreamResponse } from "./upstream-response";

const CLIENT_CLOSED = 499;

/** When thousands leave at once, letting their nodes go and serving those who stay comes before the settlements. */
const leaving = new TickLimiter(16);

/** What a complete answer cost. */
export interface Settled {
  costMicroCents: bigint;
  estimated: boolean;
}

interface Ending {
  outcome: Outcome;
  usage: Usage;
  httpStatus: number;
  error: GatewayError | null;
}

/**
 * A whole answer has been read: charge it. Throws: when it could not be made durable; then it must not be delivered.
 */
export async function settleComplete(run: GenerationContext, open: OpenAnswer): Promise<Settled> {
  const { meter } = open.answer.translator;
  const { usage, source } = run.metered ?? (await meterAnswer(run, meter));
  const gone = run.trace.call.signal.aborted;
  const estimated = source === "estimated";
  const outcome = completeOutcome(estimated, gone, usage);
  const costed = await settle(run, { outcome, usage, httpStatus: gone ? CLIENT_CLOSED : 200, error: null });
  correctLimits(run, usage);
  return { costMicroCents: costed, estimated };
}

/** The client left a running answer: charge what was received so far. */
export async function settleAborted(run: GenerationContext, open: OpenAnswer): Promise<void> {
  await leaving.pass();
  const { meter } = open.answer.translator;
  const { usage, source } = await meterAnswer(run, meter);
  const untold = meter.counted || meter.missing.output;
  const seen = untold ? 0 : Math.min(meter.outputCap, await countOutput(meter));
  const ours = seen > usage.output;
  if (ours) usage.output = seen;
  const outcome = leftOutcome(meter.counted, ours || source === "estimated");
  await settle(run, { outcome, usage, httpStatus: CLIENT_CLOSED, error: null });
  if (run.admission)
    await runtime().limiter.correct(run.admission.ticket, promptTokens(usage) + usage.output);
}

/** A stream broke after its first frame: nothing is charged, what it would have cost is logged. */
export async function settleInterrupted(
  run: GenerationContext,
  open: OpenAnswer,
  error: GatewayError,
): Promise<void> {
  const { usage } = await meterAnswer(run, open.answer.translator.meter);
  const outcome = isOurs(error) || runtime().drain.aborted ? "gatewayAborted" : "upstreamAborted";
  await settle(run, { outcome, usage, httpStatus: 200, error });
  if (run.admission) void runtime().limiter.refund(run.admission.ticket);
}

/**
 * A request ended without an answer: its hold is given back, and it is logged. A malfunction before admission is
 * not recorded, because then the database itself may be out; it is in the process's own log. Nor is overload.
 */
export async function settleFailed(run: GenerationContext, thrown: unknown): Promise<void> {
  if (run.settled) return;
  if (thrown instanceof ClientDisconnected || run.trace.call.signal.aborted) {
    const open = thrown instanceof AnswerAbandoned ? thrown.open : null;
    if (open) return settleAborted(run, open);
    await leaving.pass();
    await settle(run, {
      outcome: "clientAbortedBeforeAnswer",
      usage: NO_USAGE,
      httpStatus: CLIENT_CLOSED,
      error: null,
    });
    return;
  }
  const error = asGatewayError(thrown);
  if (run.admission === null && isOurs(error)) return;
  await settle(run, {
    outcome: refusalOutcome(run, error),
    usage: NO_USAGE,
    httpStatus: error.status,
    error,
  });
  if (run.admission) void runtime().limiter.refund(run.admission.ticket);
}

/** A malfunction of this process, or too much to do for it; no node's doing. */
function isOurs({ code, details }: GatewayError): boolean {
  return code === "INTERNAL_ERROR" || details.overload === true;
}

/** Replaces the reserved tokens by the real ones, without waiting for a shared store. Never rejects. */
function correctLimits(run: GenerationContext, usage: Usage): void {
  if (run.admission) void runtime().limiter.correct(run.admission.ticket, promptTokens(usage) + usage.output);
}

function completeOutcome(estimated: boolean, gone: boolean, usage: Usage): Outcome {
  if (gone) return estimated ? "clientAbortedAfterEndEstimated" : "clientAbortedAfterEnd";
  if (estimated) return "completeEstimated";
  return promptTokens(usage) + usage.output === 0 ? "completeEmpty" : "complete";
}

function leftOutcome(counted: boolean, estimated: boolean): Outcome {
  if (counted) return estimated ? "clientAbortedAfterEndEstimated" : "clientAbortedAfterEnd";
  return estimated ? "clientAbortedEstimated" : "clientAborted";
}

function refusalOutcome(run: GenerationContext, error: GatewayError): Outcome {
  if (run.admission === null) return "refused";
  if (isOurs(error)) return "internalError";
  return error.status < 500 ? "upstreamRefused" : "upstreamFailed";
}

/** Writes the one settlement of a run and returns its cost. */
async function settle(run: GenerationContext, ending: Ending): Promise<bigint> {
  if (run.settled) throw new Error("a run is settled twice");
  run.settled = true;
  const settlement = settlementOf(run, ending);
  try {
    await runtime().ledger.settle(settlement);
    runtime().balances.settle(run.key, settlement.heldMicroCents, settlement.costMicroCents);
  } catch (error) {
    runtime().log.error(
      { err: error, requestId: settlement.requestId },
      "a settlement could not be recorded",
    );
    if (outcomeRules[ending.outcome].billed) {
      run.settled = false;
      throw error;
    }
  }
  run.trace.mark("settle");
  runtime().metrics.settled({
    protocol: settlement.protocol,
    model: settlement.model,
    status: settlement.status,
    latencyMs: settlement.latencyMs,
    ttftMs: settlement.ttftMs,
    promptTokens: promptTokens(settlement.usage),
    completionTokens: settlement.usage.output,
    costMicroCents: settlement.costMicroCents,
  });
  return settlement.costMicroCents;
}

function settlementOf(run: GenerationContext, ending: Ending): Settlement {
  const { trace, key, model, admission } = run;
  const { call } = trace;
  const rule = outcomeRules[ending.outcome];
  const worth = model === null ? 0n : costMicroCents(ending.usage, model.price);
  return {
    requestId: call.requestId,
    keyId: key.keyId,
    userId: key.userId,
    model: trace.model,
    protocol: call.protocol,
    stream: trace.stream,
    status: rule.status,
    httpStatus: ending.httpStatus,
    errorCode: ending.error?.code ?? null,
    errorMessage: ending.error ? redactKeys(ending.error.message) : null,
    usage: ending.usage,
    usageSource: rule.usageSource,
    billingSource: rule.billingSource,
    costMicroCents: rule.billed ? worth : 0n,
    wouldHaveCostMicroCents: rule.billed || worth === 0n ? null : worth,
    priceVersion: model?.price.version ?? 0,
    heldMicroCents: admission?.heldMicroCents ?? 0n,
    latencyMs: trace.elapsedMs(),
    ttftMs: trace.ttftMs,
    attempts: trace.attempts,
    nodeId: trace.nodeId,
    warnings: [...trace.warnings],
    timeline: trace.timeline,
    createdAt: trace.startedAt,
    clientRequestId: clientRequestId(call.headers["x-request-id"] ?? call.headers["request-id"]),
    userAgent: call.headers["user-agent"] ?? null,
  };
}

function clientRequestId(given: string | undefined): string | null {
  return given !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : null;
}

/** How long a node is read on for a client who has left. Source: docs/contract.md#b6. */
const READ_ON_MS = 300;

/** Beyond so many at once nodes are let go. Source: docs/contract.md#b6. */
export const MAX_DISCONNECT_DRAINS = 64;

/**
 * Watches for the client of a running answer to leave. From then on the caller's places and reserved tokens are free,
 * and the node is given a moment to tell its usage; a node of whose answer nothing was shown is let go at once, and so
 * is one for which there is no more room. The hold stays until the settlement. Source: docs/contract.md#b6.
 */
export class ReadOn {
  /** True once something of the answer was sent. */
  shown = false;
  readonly #run: GenerationContext;
  readonly #answer: UpstreamResponse;
  #timer: NodeJS.Timeout | undefined;

  constructor(run: GenerationContext, answer: UpstreamResponse) {
    this.#run = run;
    this.#answer = answer;
    const { signal } = run.trace.call;
    if (signal.aborted) this.#left();
    else signal.addEventListener("abort", this.#left);
  }

  /** Ends the watch; call it once the node is let go. */
  end(): void {
    this.#run.trace.call.signal.removeEventListener("abort", this.#left);
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    runtime().disconnectDrains.release();
  }

  readonly #left = (): void => {
    for (const end of this.#run.trace.call.atEnd.splice(0)) end();
    if (!this.shown || !runtime().disconnectDrains.tryAcquire()) {
      this.#answer.abort();
      return;
    }
    this.#timer = setTimeout(() => this.#answer.abort(), READ_ON_MS);
    returnTokens(this.#run, this.#answer);
    failpoint("reading-on");
  };
}

/** Until the settlement only what is known so far counts against the token limit. */
function returnTokens(run: GenerationContext, { translator }: UpstreamResponse): void {
  if (run.admission === null) return;
  const { ticket } = run.admission;
  const { usage, emitted } = translator.meter;
  const output = Math.max(usage.output ?? 0, estimateTextTokens(emitted));
  const reserved = Math.min(ticket.reserved, run.inputEstimate + output);
  void runtime().limiter.correct(ticket, reserved);
  const store = ticket.store && { ...ticket.store, reserved };
  run.admission = { ...run.admission, ticket: { ...ticket, reserved, store, open: true } };
}
