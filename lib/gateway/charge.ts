import { redactKeys } from "@/lib/accounts/gateway-key";
import type { Admission, LimitTicket } from "@/lib/admission/limiter";
import { type Outcome, outcomeRules } from "@/lib/billing/outcome";
import { costMicroCents, estimateTextTokens, holdMicroCents, savingMicroCents } from "@/lib/billing/price";
import type { Settlement } from "@/lib/billing/settlement";
import { TickLimiter } from "@/lib/kernel/concurrency";
import { ClientDisconnected, type GatewayError, isGatewayError, isOurFault } from "@/lib/kernel/errors";
import { failpoint } from "@/lib/kernel/failpoint";
import { heldCallsMicroCents, NO_USAGE, promptTokens, type Usage } from "@/lib/kernel/usage";
import type { Meter } from "@/lib/protocols/generation/events";
import { AnswerAbandoned } from "./attempt-failure";
import { asGatewayError, limitHeaders, refusalOf, refuse } from "./exchange";
import type { GenerationContext } from "./generation-context";
import { type GenerationPlan, maxOutputTokens, reservedOutputTokens } from "./plan";
import { countOutput, type Metered, meterAnswer, unbilledClaims } from "./translator";

const CLIENT_CLOSED = 499;

/** When thousands leave at once, letting their nodes go and serving those who stay comes before the settlements. */
const leaving = new TickLimiter(16);

/** How the end of a charge is recorded. */
interface Ending {
  outcome: Outcome;
  usage: Usage;
  httpStatus: number;
  error: GatewayError | null;
  /** What becomes of the reserved tokens: the real count takes their place, or they are given back, or they stay. */
  tokens: "correct" | "refund" | "keep";
}

/**
 * The money and the reserved tokens of one request: one reservation, then exactly one end, whatever happens. A second
 * end throws. Source: docs/architecture.md#s1-6, docs/reliability.md#s2-3, #s2-5, #s2-6.
 */
export class Charge {
  readonly #context: GenerationContext;
  #plan: GenerationPlan | null = null;
  /** Null until the rate limits are passed. */
  #ticket: LimitTicket | null = null;
  #heldMicroCents = 0n;
  #state: "open" | "held" | "ended" = "open";

  constructor(context: GenerationContext) {
    this.#context = context;
  }

  /** True once the one end is recorded. */
  get ended(): boolean {
    return this.#state === "ended";
  }

  /**
   * Counts a request before its stored history is read, with the tokens that are known; `reserve` puts all of them in
   * their place. Throws: RATE_LIMITED. Source: docs/responses.md#s4-1.
   */
  async count(tokens: number): Promise<void> {
    await this.#passLimits(tokens);
  }

  /**
   * Passes the limits, then makes the hold; a refused hold gives the tokens back while the request stays counted.
   * Throws: RATE_LIMITED, QUOTA_EXCEEDED, INVALID_API_KEY, NO_AVAILABLE_NODE (too much to do), INTERNAL_ERROR (database
   * down). Source: docs/contract.md#s7, #b5, docs/reliability.md#s2-8.
   */
  async reserve(plan: GenerationPlan): Promise<void> {
    const { gateway, call, key, log } = this.#context;
    const { limiter, admission } = gateway;
    this.#plan = plan;
    const asked = this.#passLimits(plan.inputEstimate + reservedOutputTokens(plan), log.lastNowMs);
    if (asked !== null) await asked;
    try {
      refuse(admission.ofGeneration(key, call.permit));
      const { inputEstimate, planned, model } = plan;
      const tokensMicroCents = holdMicroCents(inputEstimate, maxOutputTokens(plan), model.price);
      const amountMicroCents = tokensMicroCents + heldCallsMicroCents(planned, model.price.perCall);
      // Requests sized before the hold ends already see its amount.
      gateway.balances.addHold(key, amountMicroCents);
      try {
        const hold = { requestId: call.requestId, keyId: key.keyId, userId: key.userId, amountMicroCents };
        const outcome = await gateway.ledger.hold(hold, log.lastNowMs);
        failpoint?.("after-hold");
        refuse(admission.ofHold(outcome));
        if (outcome.held) this.#heldMicroCents = outcome.heldMicroCents;
      } finally {
        const surplus = amountMicroCents - this.#heldMicroCents;
        if (surplus !== 0n) gateway.balances.settle(key, surplus, 0n);
      }
    } catch (error) {
      if (this.#ticket !== null) await limiter.refund(this.#ticket);
      throw isGatewayError(error) ? admission.ofHoldError(error) : error;
    }
    this.#state = "held";
    log.mark("hold");
  }

  /** Null: passed at once. Throws, or rejects with, RATE_LIMITED. */
  #passLimits(tokens: number, nowMs = this.#context.gateway.clock.nowMs()): Promise<void> | null {
    const { gateway, key, log } = this.#context;
    const request = { keyId: key.keyId, limits: key.limits, tokens, nowMs };
    const ticket = this.#ticket;
    const asked = ticket === null ? gateway.limiter.admit(request) : gateway.limiter.enlarge(ticket, request);
    if (asked instanceof Promise) {
      return asked.then((verdict) => {
        log.mark("limits");
        this.#takeTicket(verdict);
      });
    }
    log.markLast("limits");
    this.#takeTicket(asked);
    return null;
  }

  /** Throws: RATE_LIMITED. */
  #takeTicket(verdict: Admission): void {
    const { gateway, call, key } = this.#context;
    Object.assign(call.replyHeaders, limitHeaders(gateway, call, key, verdict.state));
    this.#ticket = verdict.allowed ? verdict.ticket : null;
    if (!verdict.allowed) throw gateway.admission.ofLimits(verdict, key.planName);
  }

  /**
   * A whole answer has been read at `log.lastMs`. Returns its cost. Throws: when it could not be made durable; then it
   * must not be delivered, and the charge still needs its end. Units: micro-cents.
   */
  complete({ usage, source }: Metered): Promise<bigint> {
    const { call, log } = this.#context;
    const { aborted } = call.signal;
    const outcome = completeOutcome(source === "estimated", aborted, usage);
    const httpStatus = aborted ? CLIENT_CLOSED : 200;
    const ending: Ending = { outcome, usage, httpStatus, error: null, tokens: "correct" };
    return this.#end(ending, source === "estimated" ? undefined : log.lastNowMs);
  }

  /** The client left a running answer: charges what was received so far. */
  async abandon(meter: Meter): Promise<void> {
    await leaving.pass();
    this.#context.log.elapsedMs();
    const { tokens } = this.#context.gateway;
    const { usage, source } = await this.meter(meter);
    const isUntold = meter.counted || meter.missing.output;
    const seen = isUntold ? 0 : Math.min(meter.outputCap, await countOutput(tokens, meter));
    const isOurs = seen > usage.output;
    if (isOurs) usage.output = seen;
    const outcome = leftOutcome(meter.counted, isOurs || source === "estimated");
    await this.#end({ outcome, usage, httpStatus: CLIENT_CLOSED, error: null, tokens: "correct" });
  }

  /** A stream broke after its first frame: nothing is charged, what it would have cost is logged. */
  async interrupt(meter: Meter, error: GatewayError): Promise<void> {
    const { usage } = await this.meter(meter);
    const isOurs = isMalfunction(error) || this.#context.gateway.drain.aborted;
    const outcome = isOurs ? "gatewayAborted" : "upstreamAborted";
    await this.#end({ outcome, usage, httpStatus: 200, error, tokens: "refund" });
  }

  /**
   * The request ended without an answer: its hold is given back, and it is logged. Overload is not, nor a malfunction
   * before the reservation that may be the database's own; it is in the process's log.
   */
  async fail(thrown: unknown): Promise<void> {
    if (thrown instanceof AnswerAbandoned) return this.abandon(thrown.meter);
    if (thrown instanceof ClientDisconnected || this.#context.call.signal.aborted) {
      await leaving.pass();
      this.#context.log.elapsedMs();
      const outcome = "clientAbortedBeforeAnswer";
      await this.#end({ outcome, usage: NO_USAGE, httpStatus: CLIENT_CLOSED, error: null, tokens: "keep" });
      return;
    }
    this.#context.log.elapsedMs();
    const error = asGatewayError(thrown);
    if (this.#state === "open" && isMalfunction(error) && !isOurFault(thrown)) {
      this.#state = "ended";
      if (this.#ticket !== null) void this.#context.gateway.limiter.refund(this.#ticket);
      return;
    }
    const outcome = this.#state === "open" ? "refused" : failedOutcome(error);
    const { status: httpStatus } = refusalOf(error, this.#context.call.protocol);
    await this.#end({ outcome, usage: NO_USAGE, httpStatus, error, tokens: "refund" });
  }

  /** The counts to bill and to show of an answer; a promise where a tokenizer must count. */
  meter(meter: Meter): Metered | Promise<Metered> {
    if (this.#plan === null) throw new Error("an answer is metered before its plan is known");
    const { operation, gateway, call, log } = this.#context;
    log.warn(unbilledClaims(meter, this.#plan.model.price.perCall));
    return meterAnswer(gateway.tokens, operation.clients[call.protocol].promptFields, this.#plan.body, meter);
  }

  /** From now on only what is known of an answer so far counts against the token limit. */
  returnTokens({ usage, emitted }: Meter): void {
    if (this.#ticket === null || this.#plan === null) return;
    const ticket = this.#ticket;
    const output = Math.max(usage.output ?? 0, estimateTextTokens(emitted));
    const reserved = Math.min(ticket.reserved, this.#plan.inputEstimate + output);
    void this.#context.gateway.limiter.correct(ticket, reserved);
    this.#ticket = { ...ticket, reserved, store: ticket.store && { ...ticket.store, reserved }, open: true };
  }

  /** Without waiting for a shared store; its methods never reject. */
  #endTokens({ tokens, usage }: Ending): void {
    const { limiter } = this.#context.gateway;
    if (this.#ticket === null || tokens === "keep") return;
    if (tokens === "refund") void limiter.refund(this.#ticket);
    else void limiter.correct(this.#ticket, promptTokens(usage) + usage.output, this.#context.log.lastNowMs);
  }

  /** Records the one end and returns its cost. `nowMs`: read before, where nothing was waited for since. */
  async #end(ending: Ending, nowMs?: number): Promise<bigint> {
    if (this.#state === "ended") throw new Error("a charge ends twice");
    const before = this.#state;
    this.#state = "ended";
    const { ledger, balances, log, metrics } = this.#context.gateway;
    const settlement = this.#settlementOf(ending);
    try {
      await ledger.settle(settlement, nowMs);
      balances.settle(this.#context.key, settlement.heldMicroCents, settlement.costMicroCents);
    } catch (error) {
      log.error({ err: error, requestId: settlement.requestId }, "a settlement could not be recorded");
      if (outcomeRules[ending.outcome].billed) {
        this.#state = before;
        throw error;
      }
    }
    this.#endTokens(ending);
    metrics.settled({
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

  #settlementOf(ending: Ending): Settlement {
    const { operation, call, key, log } = this.#context;
    const rule = outcomeRules[ending.outcome];
    const worth = log.model === null ? 0n : costMicroCents(ending.usage, log.model.price);
    return {
      requestId: call.requestId,
      keyId: key.keyId,
      userId: key.userId,
      model: log.alias,
      protocol: call.protocol,
      operation: operation.name,
      stream: log.stream,
      status: rule.status,
      httpStatus: ending.httpStatus,
      errorCode: ending.error?.code ?? null,
      errorMessage: ending.error ? redactKeys(ending.error.message) : null,
      usage: ending.usage,
      usageSource: rule.usageSource,
      billingSource: rule.billingSource,
      costMicroCents: rule.billed ? worth : 0n,
      wouldHaveCostMicroCents: rule.billed || worth === 0n ? null : worth,
      cacheSavingMicroCents: rule.billed ? savingMicroCents(ending.usage, log.model?.price) : 0n,
      nodeCostMicroCents: log.nodeCostMicroCents(ending.usage),
      priceVersion: log.model?.price.version ?? 0,
      heldMicroCents: this.#heldMicroCents,
      latencyMs: log.lastMs,
      ttftMs: log.ttftMs,
      attempts: log.attempts,
      nodeId: log.nodeId,
      warnings: log.warnings,
      timeline: log.timeline,
      createdAt: call.receivedAt,
      clientRequestId: clientRequestId(call.headers["x-request-id"] ?? call.headers["request-id"]),
      userAgent: call.headers["user-agent"] ?? null,
    };
  }
}

/** A malfunction of this process, or too much to do for it; no node's doing. */
function isMalfunction({ code, details }: GatewayError): boolean {
  return code === "INTERNAL_ERROR" || details.overload === true;
}

function completeOutcome(estimated: boolean, hasLeft: boolean, usage: Usage): Outcome {
  if (hasLeft) return estimated ? "clientAbortedAfterEndEstimated" : "clientAbortedAfterEnd";
  if (estimated) return "completeEstimated";
  return promptTokens(usage) + usage.output === 0 ? "completeEmpty" : "complete";
}

function leftOutcome(counted: boolean, estimated: boolean): Outcome {
  if (counted) return estimated ? "clientAbortedAfterEndEstimated" : "clientAbortedAfterEnd";
  return estimated ? "clientAbortedEstimated" : "clientAborted";
}

function failedOutcome(error: GatewayError): Outcome {
  if (isMalfunction(error)) return "internalError";
  return error.status < 500 ? "upstreamRefused" : "upstreamFailed";
}

function clientRequestId(given: string | undefined): string | null {
  return given !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : null;
}
