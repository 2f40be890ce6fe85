import type { LimitLevel } from "@/lib/accounts/account-limits";
import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { redactKeys } from "@/lib/accounts/key-text";
import type { LimitName } from "@/lib/admission/limiter";
import { budgetMember, limitMembers } from "@/lib/billing/limit-members";
import { type Outcome, outcomeRules } from "@/lib/billing/outcome";
import type { Settlement } from "@/lib/billing/settlement";
import type { StoredAttempt } from "@/lib/db/schema/usage";
import type { GatewayError } from "@/lib/kernel/errors";
import { type PricedService, type PricedTool, pricedTools, type Usage } from "@/lib/kernel/usage";
import type { CatalogModel } from "@/lib/router/catalog";
import type { Candidate } from "@/lib/router/order";
import { costMicroCents } from "@/lib/shared/prices/cost";
import type { HoldTerms } from "@/lib/shared/prices/hold";
import type { Prices, PriceTerms } from "@/lib/shared/prices/price-version";
import { pricedAs } from "@/lib/shared/prices/priced-as";
import { savingMicroCents } from "@/lib/shared/prices/saving";
import { windowAt } from "@/lib/shared/prices/window-at";
import type { GatewayRequest } from "./gateway-request";
import type { Operation } from "./operation";
import type { PlannedAttempt } from "./plan";
import { PLAIN_TERMS } from "./price-terms";
import type { Gateway } from "./runtime";

/** One authenticated request with what all stages need. */
export interface GenerationContext {
  readonly operation: Operation;
  readonly gateway: Gateway;
  readonly call: GatewayRequest;
  readonly key: GatewayKey;
  readonly log: RequestLogBuilder;
  /** Stores the answer beside its settlement; null: it is not stored. */
  keeper: AnswerKeeper | null;
}

/** Stores one answer. */
export interface AnswerKeeper {
  /** `wire`: the end of the answer. Resolves with the text to send in its place. Never rejects. */
  keep(wire: string, nodeId: string | null): Promise<string>;
}

/** Model name of requests whose model is no alias. Source: docs/contract.md#s5. */
const UNKNOWN_MODEL = "(unknown)";

/** The data for the log entry of one generation, gathered while it runs. */
export class RequestLogBuilder {
  readonly attempts: StoredAttempt[] = [];
  /** Milliseconds from arrival at which each stage ended; for a refusal by a limit or a rule also that. */
  readonly timeline: Record<string, number> = {};
  /** What was dropped or changed. */
  readonly warnings: string[] = [];
  /** Null until the name is resolved. */
  model: CatalogModel | null = null;
  stream = false;
  ttftMs: number | null = null;
  nodeId: string | null = null;
  /** What the request can be billed as, and when that was decided. */
  terms: HoldTerms = PLAIN_TERMS;
  pricedAt = new Date(0);
  /** The prices of the node that answered; null: not known. */
  #nodePrice: Prices | null = null;
  /** The service tier that the node which answered was asked for. */
  #sentTier: unknown = null;
  readonly #receivedAtMs: number;
  readonly #nowMs: () => number;
  #lastMs = 0;
  #lastNowMs: number;

  /** `receivedAtMs`: by the same monotonic clock as `nowMs`. */
  constructor(receivedAtMs: number, nowMs: () => number) {
    this.#receivedAtMs = receivedAtMs;
    this.#lastNowMs = receivedAtMs;
    this.#nowMs = nowMs;
  }

  /** The alias as the log shows it. */
  get alias(): string {
    return this.model?.alias ?? UNKNOWN_MODEL;
  }

  /** Reads the clock: milliseconds since the request arrived, to the hundredth. */
  elapsedMs(): number {
    this.#lastNowMs = this.#nowMs();
    this.#lastMs = hundredths(this.#lastNowMs - this.#receivedAtMs);
    return this.#lastMs;
  }

  /** The last result of `elapsedMs`; for stages that end without waiting. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** The time at which the clock was last read. Units: milliseconds of the monotonic clock. */
  get lastNowMs(): number {
    return this.#lastNowMs;
  }

  /** Records the node that answers. */
  answeredBy({ candidate: { node, route }, prepared }: PlannedAttempt): void {
    this.nodeId = node.id;
    this.#nodePrice = route.cost;
    this.#sentTier = prepared.body.service_tier;
  }

  /**
   * The service tier that an answer is billed as: the one that the node names, else the one that it was asked for. Null:
   * the standard tier. Source: docs/prices.md#service-tiers.
   */
  servedAs({ served }: Usage): PricedService | null {
    if (served !== undefined) return served === "standard" || served === "other" ? null : served;
    const { service } = this.terms;
    return service === "any" || service !== this.#sentTier ? null : service;
  }

  /** What of an answer chooses among the prices of its model. */
  termsOf(usage: Usage): PriceTerms {
    return { service: this.servedAs(usage), window: this.terms.window };
  }

  /**
   * The charge of the node that answered; null when it is not known: without prices, or when the node ran a tool or
   * served a tier without a price. Units: micro-cents. Source: docs/contract.md#margin.
   */
  nodeCostMicroCents(usage: Usage): bigint | null {
    const price = this.#nodePrice;
    if (price === null) return null;
    const { calls } = usage;
    const isPriced = (tool: PricedTool) => !calls?.[tool] || price.perCall[tool] !== undefined;
    if (calls !== undefined && !pricedTools.every(isPriced)) return null;
    const service = this.servedAs(usage);
    if (usage.served === "other" || (service !== null && price.services[service] === undefined)) return null;
    return costMicroCents(usage, price, { service, window: windowAt(price.windows, this.pricedAt) });
  }

  /** Records that a stage has ended now. */
  mark(stage: string): void {
    this.timeline[stage] = this.elapsedMs();
  }

  /** Records that a stage ended when the clock was last read. */
  markLast(stage: string): void {
    this.timeline[stage] = this.#lastMs;
  }

  /** Records the limit of the key or its account that refuses the request. */
  refusedBy(level: LimitLevel, name: LimitName, allowed: number): void {
    this.timeline[limitMembers[level][name]] = allowed;
  }

  /** Records the rule that refuses the request. Units: those of the rule. */
  refusedByBudget(budgetId: string, limit: bigint): void {
    this.timeline[budgetMember(budgetId)] = Number(limit);
  }

  /** Adds warnings about what was dropped or changed, each code once. */
  warn(codes: Iterable<string>): void {
    for (const code of codes) if (!this.warnings.includes(code)) this.warnings.push(code);
  }
}

/** Milliseconds between two results of `elapsedMs`, to the hundredth. */
export function betweenMs(earlierMs: number, laterMs: number): number {
  return hundredths(laterMs - earlierMs);
}

function hundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}

/** The record of an attempt that begins at the time that was last read. */
export function startRecord(log: RequestLogBuilder, { node, route, reason }: Candidate): StoredAttempt {
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

/** The end of a charge, as it is recorded. */
export interface Ending {
  outcome: Outcome;
  usage: Usage;
  httpStatus: number;
  error: GatewayError | null;
  /** What happens to the reserved tokens: replaced by the real count, returned, or kept. */
  tokens: "correct" | "refund" | "keep";
}

/** All that is stored about a request at its end. Units: micro-cents. */
export function settlementOf(
  { operation, call, key, log }: GenerationContext,
  ending: Ending,
  heldMicroCents: bigint,
  budgeted: boolean,
): Settlement {
  const rule = outcomeRules[ending.outcome];
  const terms = log.termsOf(ending.usage);
  const worth = log.model === null ? 0n : costMicroCents(ending.usage, log.model.price, terms);
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
    cacheSavingMicroCents: rule.billed ? savingMicroCents(ending.usage, log.model?.price, terms) : 0n,
    nodeCostMicroCents: log.nodeCostMicroCents(ending.usage),
    priceVersion: log.model?.price.version ?? 0,
    pricedAs: pricedAs(ending.usage, terms),
    budgeted,
    heldMicroCents,
    latencyMs: log.lastMs,
    ttftMs: log.ttftMs,
    attempts: log.attempts,
    nodeId: log.nodeId,
    warnings: log.warnings,
    timeline: timelineOf(call, log),
    createdAt: call.receivedAt,
    clientRequestId: clientRequestId(call.headers["x-request-id"] ?? call.headers["request-id"]),
    userAgent: call.headers["user-agent"] ?? null,
  };
}

/** The stages, and the turn of a call on a long connection. */
function timelineOf({ connection }: GatewayRequest, { timeline }: RequestLogBuilder): Record<string, number> {
  if (connection !== undefined) timeline[connection.logMember] = connection.turn;
  return timeline;
}

function clientRequestId(given: string | undefined): string | null {
  return given !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : null;
}
