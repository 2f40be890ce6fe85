import type { AskedBudgets } from "@/lib/accounts/budget-needs";
import { findKeyBalance, type KeyBalance } from "@/lib/accounts/key-balance";
import { budgetsFor } from "@/lib/accounts/key-budgets";
import { allowedBy } from "@/lib/admission/admission";
import { type Admission, type LimitTicket, reducedTicket } from "@/lib/admission/limiter";
import {
  completeOutcome,
  failedOutcome,
  isMalfunction,
  leftOutcome,
  outcomeRules,
} from "@/lib/billing/outcome";
import type { HoldOutcome, HoldRequest, Settlement } from "@/lib/billing/settlement";
import { estimateTextTokens } from "@/lib/billing/token-estimate";
import { type GatewayError, isGatewayError } from "@/lib/kernel/errors";
import { failpoint } from "@/lib/kernel/failpoint";
import { ClientDisconnected, isOurFault } from "@/lib/kernel/thrown";
import { TickLimiter } from "@/lib/kernel/tick-limiter";
import { heldCallsMicroCents, NO_USAGE, promptTokens } from "@/lib/kernel/usage";
import type { Meter } from "@/lib/protocols/generation/meter";
import { holdMicroCents } from "@/lib/shared/prices/hold";
import { askedBudgets } from "./asked-budgets";
import { AnswerAbandoned } from "./attempt-failure";
import { asGatewayError, refusalOf, refuse } from "./error-reply";
import { type Ending, type GenerationContext, settlementOf } from "./generation-context";
import { limitHeaders } from "./limit-headers";
import { countOutput, type Metered, meterAnswer } from "./meter-answer";
import { type GenerationPlan, maxOutputTokens, reservedOutputTokens } from "./plan";
import { holdTermsOf } from "./price-terms";
import { unbilledClaims } from "./unbilled-claims";

const CLIENT_CLOSED = 499;

/**
 * When thousands of clients disconnect at once, aborting their nodes and serving the other clients precedes the
 * settlements.
 */
const leaving = new TickLimiter(16);

/**
 * The money and the reserved tokens of one request: one reservation, then exactly one end, whatever happens. A second
 * end throws. Source: docs/architecture.md#s1-6, docs/reliability.md#s2-3, #s2-5, #s2-6.
 */
export class Charge {
  readonly #context: GenerationContext;
  #plan: GenerationPlan | null = null;
  /** Null until the limits have admitted the request. */
  #ticket: LimitTicket | null = null;
  #heldMicroCents = 0n;
  /** What the hold asks of the rules that it meets; null: it meets none. */
  #budgets: AskedBudgets | null = null;
  #state: "open" | "held" | "ended" = "open";

  constructor(context: GenerationContext) {
    this.#context = context;
  }

  /** True once the one end is recorded. */
  get ended(): boolean {
    return this.#state === "ended";
  }

  /**
   * Counts a request before its stored history is read, with the known tokens; `reserve` replaces them by all tokens.
   * Throws: RATE_LIMITED. Source: docs/responses.md#s4-1.
   */
  async count(tokens: number): Promise<void> {
    await this.#passLimits(tokens);
  }

  /**
   * Counts a request whose stored history is not read yet, with all tokens of its input, and checks in advance whether
   * the quota covers them; the hold decides. Throws: RATE_LIMITED, QUOTA_EXCEEDED. Source: docs/responses.md#s4-5.
   */
  async foresee(inputTokens: number): Promise<void> {
    await this.#passLimits(inputTokens);
    const { gateway, key, log } = this.#context;
    const balance = log.model === null ? null : await findKeyBalance(gateway.db, key.keyId);
    if (balance === null || log.model === null) return;
    const { price } = log.model;
    const terms = { ...holdTermsOf(price, {}, gateway.clock.date()), service: null };
    const amountMicroCents = holdMicroCents(inputTokens, 0, price, terms);
    refuse(gateway.admission.ofHold(foreseenHold(balance, amountMicroCents)));
  }

  /**
   * Checks the limits, then makes the hold; when the hold is refused, the tokens are returned and the request stays
   * counted. Throws: RATE_LIMITED, QUOTA_EXCEEDED, INVALID_API_KEY, NO_AVAILABLE_NODE (overload), INTERNAL_ERROR
   * (database down). Source: docs/contract.md#s7, #b5, docs/reliability.md#s2-8.
   */
  reserve(plan: GenerationPlan): Promise<void> {
    this.#plan = plan;
    return new Promise((resolve, reject) => {
      const tokens = plan.inputEstimate + reservedOutputTokens(plan);
      const asked = this.#passLimits(tokens, this.#context.log.lastNowMs);
      if (asked === null) this.#hold(plan, resolve);
      else asked.then(() => this.#hold(plan, resolve)).catch(reject);
    });
  }

  /** Makes the hold, and calls `done` without an argument once it is made, or with the refusal. */
  #hold(plan: GenerationPlan, done: (refused?: Promise<never>) => void): void {
    const { gateway, call, key, log } = this.#context;
    const busy = gateway.admission.ofGeneration(key, call.permit);
    if (busy !== null) {
      done(this.#refuseHold(busy));
      return;
    }
    const { inputEstimate, planned, model } = plan;
    const tokensMicroCents = holdMicroCents(inputEstimate, maxOutputTokens(plan), model.price, log.terms);
    const amountMicroCents = tokensMicroCents + heldCallsMicroCents(planned, model.price.perCall);
    // Requests that are sized before the hold ends already include its amount.
    gateway.balances.addHold(key, amountMicroCents);
    const budgets = askedBudgets(this.#context, plan, amountMicroCents);
    this.#budgets = budgets;
    if (budgets !== null) gateway.knownBudgets.addHold(budgets);
    const hold: HoldRequest = {
      requestId: call.requestId,
      keyId: key.keyId,
      userId: key.userId,
      amountMicroCents,
    };
    if (budgets !== null) hold.budgets = budgets;
    const ended = (outcome: HoldOutcome | null, error?: unknown): void => {
      try {
        this.#endHold(amountMicroCents, outcome);
        done(outcome === null ? this.#refuseHold(error) : undefined);
      } catch (refusal) {
        done(this.#refuseHold(refusal));
      }
    };
    const failed = (error: unknown): void => ended(null, error);
    try {
      gateway.ledger.hold(hold, { resolve: ended, reject: failed }, log.lastNowMs);
    } catch (error) {
      failed(error);
    }
  }

  /** `outcome`: null when the hold failed. Throws: QUOTA_EXCEEDED, INVALID_API_KEY. */
  #endHold(amountMicroCents: bigint, outcome: HoldOutcome | null): void {
    const { gateway, key, log } = this.#context;
    if (outcome?.held) this.#heldMicroCents = outcome.heldMicroCents;
    const surplus = amountMicroCents - this.#heldMicroCents;
    if (surplus !== 0n) gateway.balances.settle(key, surplus, 0n);
    if (this.#budgets !== null && outcome?.held !== true) gateway.knownBudgets.endHold(this.#budgets, null);
    if (outcome === null) return;
    failpoint?.("after-hold");
    if (!outcome.held && outcome.reason === "budget") log.refusedByBudget(outcome.budgetId, outcome.limit);
    refuse(gateway.admission.ofHold(outcome, this.#budgets));
    this.#state = "held";
    log.mark("hold");
  }

  /** Returns the tokens before the refusal is thrown. */
  async #refuseHold(error: unknown): Promise<never> {
    const { limiter, admission } = this.#context.gateway;
    if (this.#ticket !== null) await limiter.refund(this.#ticket);
    throw isGatewayError(error) ? admission.ofHoldError(error) : error;
  }

  /** Null: admitted at once. Throws, or rejects with, RATE_LIMITED. */
  #passLimits(tokens: number, nowMs = this.#context.gateway.clock.nowMs()): Promise<void> | null {
    const { gateway, key, log } = this.#context;
    const request = { keyId: key.keyId, limits: key.limits, account: key.account, tokens, nowMs };
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
    const { gateway, call, key, log } = this.#context;
    const { state, accountState } = verdict;
    const rules = budgetsFor(key, log.alias)?.rules;
    Object.assign(call.replyHeaders, limitHeaders(gateway, call, key, state, accountState, rules));
    this.#ticket = verdict.allowed ? verdict.ticket : null;
    if (verdict.allowed) {
      if (verdict.ticket.place !== null) call.permit.hold(verdict.ticket.place);
      return;
    }
    log.refusedBy(verdict.level, verdict.violated, allowedBy(verdict));
    throw gateway.admission.ofLimits(verdict, key.planName);
  }

  /**
   * Settles a whole answer that was read at `log.lastMs`. Returns its cost. Throws: when the settlement could not be
   * made durable; then the answer must not be delivered, and the charge still needs its end. Units: micro-cents.
   */
  complete({ usage, source }: Metered): Promise<bigint> {
    const { call, log } = this.#context;
    const { aborted } = call.signal;
    const outcome = completeOutcome(source === "estimated", aborted, usage);
    const httpStatus = aborted ? CLIENT_CLOSED : 200;
    const ending: Ending = { outcome, usage, httpStatus, error: null, tokens: "correct" };
    return this.#end(ending, source === "estimated" ? undefined : log.lastNowMs);
  }

  /** The client disconnected during an answer: charges what was received so far. */
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

  /** A stream broke after its first frame: nothing is charged, and the log shows what it would have cost. */
  async interrupt(meter: Meter, error: GatewayError): Promise<void> {
    const { usage } = await this.meter(meter);
    const isOurs = isMalfunction(error) || this.#context.gateway.drain.aborted;
    const outcome = isOurs ? "gatewayAborted" : "upstreamAborted";
    await this.#end({ outcome, usage, httpStatus: 200, error, tokens: "refund" });
  }

  /**
   * The request ended without an answer: its hold is released, and it is logged. Not logged: overload, and a
   * malfunction before the reservation that the database may have caused; the process's log has these.
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

  /** The counts of an answer to bill and to show; a promise only when a tokenizer must count. */
  meter(meter: Meter): Metered | Promise<Metered> {
    if (this.#plan === null) throw new Error("an answer is metered before its plan is known");
    const { operation, gateway, call, log } = this.#context;
    log.warn(unbilledClaims(meter, this.#plan.model.price));
    return meterAnswer(gateway.tokens, operation.clients[call.protocol].promptFields, this.#plan.body, meter);
  }

  /** Reduces the counted tokens to what is known of the answer so far. */
  returnTokens({ usage, emitted }: Meter): void {
    if (this.#ticket === null || this.#plan === null) return;
    const ticket = this.#ticket;
    const output = Math.max(usage.output ?? 0, estimateTextTokens(emitted));
    const used = this.#plan.inputEstimate + output;
    const reduced = reducedTicket(ticket, used);
    void this.#context.gateway.limiter.correct(ticket, reduced.reserved);
    this.#ticket = reduced;
  }

  /** Does not wait for a shared store; its methods never reject. */
  #endTokens({ tokens, usage }: Ending): void {
    const { limiter } = this.#context.gateway;
    if (this.#ticket === null || tokens === "keep") return;
    if (tokens === "refund") void limiter.refund(this.#ticket);
    else void limiter.correct(this.#ticket, promptTokens(usage) + usage.output, this.#context.log.lastNowMs);
  }

  /** Records the one end and resolves with its cost. `nowMs`: the time, if it was just read. */
  #end(ending: Ending, nowMs?: number): Promise<bigint> {
    return new Promise((resolve, reject) => {
      if (this.#state === "ended") throw new Error("a charge ends twice");
      const before = this.#state;
      this.#state = "ended";
      const settlement = settlementOf(this.#context, ending, this.#heldMicroCents, this.#budgets !== null);
      const answered = (failure: unknown): void => {
        try {
          const isRecorded = this.#takeEnd(ending, settlement, failure, before === "held");
          if (!isRecorded) this.#state = before;
          if (isRecorded) resolve(settlement.costMicroCents);
          else reject(failure);
        } catch (error) {
          reject(error);
        }
      };
      try {
        const waiter = { resolve: () => answered(null), reject: answered };
        this.#context.gateway.ledger.settle(settlement, waiter, nowMs);
      } catch (error) {
        answered(error);
      }
    });
  }

  /** What a request with rules has used: it moves their counters, and tells what the next ones are expected to use. */
  #noteUse({ billingSource, keyId, model, usage, costMicroCents: microCents }: Settlement): void {
    const budgets = this.#budgets;
    if (budgets === null) return;
    const { expectedUse, knownBudgets, metrics } = this.#context.gateway;
    if (billingSource === "none") {
      knownBudgets.endHold(budgets, null);
      return;
    }
    const { mostMicroCents, mostTokens } = budgets;
    const tokens = promptTokens(usage) + usage.output;
    knownBudgets.endHold(budgets, { microCents, tokens }, (rule, amount) =>
      metrics.budgetOverran(rule, amount),
    );
    expectedUse.note(keyId, model, { mostMicroCents, microCents, mostTokens, tokens });
  }

  /**
   * Handles the ledger's answer to the end; `failure`: null on success. False: a billed settlement that is stored
   * nowhere.
   */
  #takeEnd(ending: Ending, settlement: Settlement, failure: unknown, wasHeld: boolean): boolean {
    const { balances, log, metrics } = this.#context.gateway;
    const { requestId, heldMicroCents, costMicroCents } = settlement;
    if (failure === null) balances.settle(this.#context.key, heldMicroCents, costMicroCents);
    else {
      log.error({ err: failure, requestId }, "a settlement could not be recorded");
      if (outcomeRules[ending.outcome].billed) return false;
    }
    this.#endTokens(ending);
    if (wasHeld) this.#noteUse(settlement);
    metrics.settled(settlement);
    return true;
  }
}

/** The likely outcome of a hold of this amount: like the ledger, it admits the last request that exceeds a quota. */
function foreseenHold(balance: KeyBalance, amountMicroCents: bigint): HoldOutcome {
  for (const level of ["key", "account"] as const) {
    const { quotaMicroCents, usedMicroCents, heldMicroCents } = level === "key" ? balance : balance.account;
    const roomMicroCents = quotaMicroCents - usedMicroCents - heldMicroCents;
    const isCovered = roomMicroCents >= amountMicroCents;
    if (!isCovered && (roomMicroCents <= 0n || heldMicroCents > 0n))
      return { held: false, reason: "quota", level, roomMicroCents, heldMicroCents };
  }
  return { held: true, heldMicroCents: amountMicroCents };
}
