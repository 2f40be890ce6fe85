import type { BatchItem } from "@/lib/db/batch-queue";
import { recordField, textArray } from "@/lib/db/batch-records";
import type { StoredAttempt } from "@/lib/db/schema/usage";
import { storableJson } from "@/lib/db/storable-json";
import type { Watched } from "@/lib/kernel/deadlines";
import { type ErrorCode, errorCodeOrder } from "@/lib/kernel/errors";
import { type HostedCalls, promptTokens, type Usage, type UsageSource } from "@/lib/kernel/usage";
import type { Waiter } from "@/lib/kernel/waiter";
import type { ClientProtocol, OperationName } from "@/lib/protocols/protocol";
import type { PricedAs } from "@/lib/shared/prices/priced-as";
import type { BudgetNeeds } from "./budget-sets";

/** The origin of the billed counts of a request; `none`: nothing was billed. Source: docs/reliability.md#s2-1. */
export type BillingSource = "upstream" | "estimated" | "partial" | "none";

/** How a request ended, as the log shows it. Source: docs/contract.md#s5. */
export type RequestStatus = "success" | "error" | "cancelled" | "interrupted";

/**
 * All data that is stored about one request at its end, whatever its outcome: the ledger row, the log row and the
 * roll-ups. A request that was not billed has cost 0 and billing source `none`.
 * Units: money in micro-cents, durations in milliseconds.
 */
export interface Settlement {
  requestId: string;
  keyId: string;
  userId: string;
  /** The alias; `(unknown)` for an unknown model. */
  model: string;
  protocol: ClientProtocol;
  operation: OperationName;
  stream: boolean;
  status: RequestStatus;
  httpStatus: number;
  errorCode: ErrorCode | null;
  /** Scrubbed; shown to the key's owner. */
  errorMessage: string | null;
  usage: Usage;
  usageSource: UsageSource;
  billingSource: BillingSource;
  costMicroCents: bigint;
  /** The cost that would have been billed, when nothing was. */
  wouldHaveCostMicroCents: bigint | null;
  /** Null: not known, because the previous version spooled the settlement. Source: docs/contract.md#cache-saving. */
  cacheSavingMicroCents: bigint | null;
  /** What the node that answered charges for the request; null: not known. Source: docs/contract.md#margin. */
  nodeCostMicroCents: bigint | null;
  /** The version that was in force at admission; 0 when no price was looked up. */
  priceVersion: number;
  /** What else the cost was computed from; null: nothing. */
  pricedAs: PricedAs | null;
  /** False: its hold meets no rule. Absent: not known, because the previous version spooled the settlement. */
  budgeted?: boolean;
  heldMicroCents: bigint;
  latencyMs: number;
  ttftMs: number | null;
  attempts: StoredAttempt[];
  /** The node that answered. */
  nodeId: string | null;
  warnings: string[];
  /** Milliseconds from the start at which each stage ended; beside them a member of `limitMembers` or for a rule. */
  timeline: Record<string, number>;
  createdAt: Date;
  clientRequestId: string | null;
  userAgent: string | null;
}

const MAX_INT = 2_147_483_647;

/** Rounds and clamps a value to a database integer of at least 0; clocks and upstreams can report anything. */
export function count(value: number): number {
  if (!Number.isFinite(value)) return 0;
  return Math.min(MAX_INT, Math.max(0, Math.round(value)));
}

/** Index of an error code in `usage_rollups.error_counts`; the codes of later versions count as the internal error. */
export function errorIndex(code: ErrorCode): number {
  const index = errorCodeOrder.indexOf(code);
  return index === -1 ? errorCodeOrder.indexOf("INTERNAL_ERROR") : index;
}

/** Prompt tokens of a settlement as its rows show them: the sum of the rounded parts. */
export function storedPromptTokens(usage: Usage): number {
  return promptTokens({
    ...usage,
    inputUncached: count(usage.inputUncached),
    cacheRead: count(usage.cacheRead),
    cacheWrite: count(usage.cacheWrite),
  });
}

const MAX_TEXT = 1_000;

const MAX_MODEL = 200;

const MAX_COST = 2n ** 63n - 1n;

/**
 * A settlement as the fields of the database type `ledger_settlement` from `request_id` on, separated by commas. Ids,
 * dates, numbers and the words of our own enumerations need no quotes.
 * Throws: RangeError for a cost below zero or beyond 64 bits, which is never billed.
 */
export function settlementRow(settlement: Settlement): string {
  const { usage, costMicroCents, wouldHaveCostMicroCents, ttftMs } = settlement;
  if (costMicroCents < 0n || costMicroCents > MAX_COST)
    throw new RangeError(`impossible cost ${costMicroCents}`);
  return (
    `${settlement.requestId},${settlement.createdAt.toISOString()},` +
    `${recordField(settlement.model.slice(0, MAX_MODEL))},${settlement.protocol},${settlement.stream},` +
    `${settlement.status},${settlement.httpStatus},${settlement.errorCode ?? ""},${cut(settlement.errorMessage)},` +
    `${count(usage.inputUncached)},${count(usage.cacheRead)},${count(usage.cacheWrite)},` +
    `${count(usage.output)},${count(usage.reasoning)},${settlement.usageSource},${settlement.billingSource},` +
    `${costMicroCents},${wouldHaveCostMicroCents ?? ""},${settlement.priceVersion},${settlement.heldMicroCents},` +
    `${count(settlement.latencyMs)},${ttftMs === null ? "" : count(ttftMs)},${settlement.attempts.length},` +
    `${settlement.nodeId ?? ""},${recordField(textArray(settlement.warnings))},` +
    `"${attemptsJson(settlement.attempts)}","${timelineJson(settlement.timeline)}",` +
    `${cut(settlement.clientRequestId)},${cut(settlement.userAgent)},` +
    `${settlement.operation === "generate" ? "" : settlement.operation},${callsJson(usage.calls)},` +
    `${settlement.nodeCostMicroCents ?? ""}`
  );
}

function callsJson(calls: HostedCalls | undefined): string {
  return calls === undefined ? "" : recordField(JSON.stringify(calls));
}

function cut(text: string | null): string {
  return text === null ? "" : recordField(text.slice(0, MAX_TEXT));
}

/** JSON with doubled quotes, for use inside the quotes of a record's field. */
function attemptsJson(attempts: readonly StoredAttempt[]): string {
  let text = "[";
  for (const attempt of attempts) text += (text === "[" ? "" : ",") + attemptJson(attempt);
  return `${text}]`;
}

function attemptJson(attempt: StoredAttempt): string {
  return (
    `{""n"":${attempt.n},${targetJson(attempt)},` +
    `""result"":${jsonText(attempt.result)},""upstreamStatus"":${jsonNumber(attempt.upstreamStatus)},` +
    `""startedMs"":${jsonNumber(attempt.startedMs)},""headersMs"":${jsonNumber(attempt.headersMs)},` +
    `""firstEventMs"":${jsonNumber(attempt.firstEventMs)},""totalMs"":${jsonNumber(attempt.totalMs)},` +
    `""reason"":${jsonText(attempt.reason)}${accessJson(attempt)}}`
  );
}

function accessJson({ access }: StoredAttempt): string {
  return access === undefined ? "" : `,""access"":${recordField(JSON.stringify(access)).slice(1, -1)}`;
}

let lastTarget = { nodeId: "", nodeName: "", protocol: "", upstreamModel: "", json: "" };

/**
 * The target of an attempt, as members of its JSON. Many attempts in a row have the same one, so the last text is kept.
 */
function targetJson({ nodeId, nodeName, protocol, upstreamModel }: StoredAttempt): string {
  const isSame =
    lastTarget.nodeId === nodeId &&
    lastTarget.nodeName === nodeName &&
    lastTarget.protocol === protocol &&
    lastTarget.upstreamModel === upstreamModel;
  if (isSame) return lastTarget.json;
  const json =
    `""nodeId"":${jsonText(nodeId)},""nodeName"":${jsonText(nodeName)},` +
    `""protocol"":${jsonText(protocol)},""upstreamModel"":${jsonText(upstreamModel)}`;
  if (nodeId !== null) lastTarget = { nodeId, nodeName, protocol, upstreamModel, json };
  return json;
}

function timelineJson(timeline: Record<string, number>): string {
  let text = "{";
  for (const stage in timeline) {
    text += `${text === "{" ? "" : ","}${jsonText(stage)}:${jsonNumber(timeline[stage] ?? null)}`;
  }
  return `${text}}`;
}

function jsonNumber(value: number | null): number | null {
  return Number.isFinite(value) ? value : null;
}

const MAX_KNOWN_TEXTS = 2_000;

const knownTexts = new Map<string, string>();

/** The same few names of nodes, models, stages and reasons occur in all settlements, so their JSON is kept. */
function jsonText(text: string | null): string {
  if (text === null) return "null";
  const known = knownTexts.get(text);
  if (known !== undefined) return known;
  const made = recordField(storableJson(text)).slice(1, -1);
  if (knownTexts.size >= MAX_KNOWN_TEXTS) knownTexts.clear();
  knownTexts.set(text, made);
  return made;
}

/** A reservation to make. Units: micro-cents. */
export interface HoldRequest {
  requestId: string;
  keyId: string;
  userId: string;
  amountMicroCents: bigint;
  /** What it needs of the rules that it meets; absent: it meets none. */
  budgets?: BudgetNeeds;
}

/**
 * The result of a hold. When the quota refuses it, `level` says whose quota, `roomMicroCents` how much of it remains and
 * `heldMicroCents` how much of it running requests hold. Units: micro-cents.
 */
export type HoldOutcome =
  | { held: true; heldMicroCents: bigint }
  | { held: false; reason: "key_invalid" | "account_inactive" }
  | {
      held: false;
      reason: "quota";
      level: "key" | "account";
      roomMicroCents: bigint;
      heldMicroCents: bigint;
    }
  | ({ held: false; reason: "budget" } & BudgetRefusal);

/** The rule that refuses a hold, with its window. Units: those of the rule; the end in milliseconds since 1970, null: never. */
export interface BudgetRefusal {
  budgetId: string;
  limit: bigint;
  used: bigint;
  reserved: bigint;
  resetsAtMs: number | null;
}

/** The result of a settlement; `late`: charged although its hold had expired; `duplicate`: settled before. */
export type SettledOutcome = "settled" | "late" | "duplicate";

/** What a settlement's waiter receives; `spooled`: it is durable on the local disk and reaches the database later. */
export type SettleOutcome = SettledOutcome | "spooled";

/** The outcome of a hold or of a settlement. */
export type LedgerOutcome = HoldOutcome | SettledOutcome;

/** Events of a hold or a settlement that waits. Shape: `P` is what waits, `O` its outcome. */
export interface PendingEvents<P, O> {
  completed(pending: P, outcome: O): void;
  failed(pending: P, cause: unknown): void;
  /** Ends the wait, or postpones `dueMs`. */
  expired(pending: P, nowMs: number): void;
}

/** A hold from its request to its outcome: both the item of a batch and a wait with a time limit. */
export class PendingHold implements BatchItem<LedgerOutcome>, Watched {
  readonly kind = "hold";
  readonly urgent = false;
  /** When its time limit ends. Units: milliseconds of the monotonic clock. */
  dueMs = Number.POSITIVE_INFINITY;
  /** The request was refused while a batch with this hold was running. */
  abandoned = false;
  /** The waiter has its outcome, or is about to get it. */
  ended = false;

  constructor(
    readonly hold: HoldRequest,
    /** Units: milliseconds of the monotonic clock. */
    readonly startMs: number,
    readonly waiter: Waiter<HoldOutcome>,
    readonly events: PendingEvents<PendingHold, HoldOutcome>,
  ) {}

  /** Batches that run at the same time lock the rows of different accounts, so they never wait for each other. */
  get partition(): string {
    return this.hold.userId;
  }

  completed(outcome: LedgerOutcome): void {
    if (typeof outcome === "string") this.failed(new Error("a hold got the outcome of a settlement"));
    else this.events.completed(this, outcome);
  }

  failed(cause: unknown): void {
    this.events.failed(this, cause);
  }

  onSweep(nowMs: number): boolean {
    if (nowMs >= this.dueMs) this.events.expired(this, nowMs);
    return nowMs < this.dueMs;
  }
}

/** A settlement from its request to its outcome, as `PendingHold`. */
export class PendingSettlement implements BatchItem<LedgerOutcome>, Watched {
  readonly kind = "settle";
  readonly urgent = true;
  /** When its time limit ends. Units: milliseconds of the monotonic clock. */
  dueMs = Number.POSITIVE_INFINITY;
  /** It was sent a second time because the connection was lost during the first. */
  resent = false;
  /** The waiter has its outcome, or gets it from the spool. */
  ended = false;
  readonly row: string;

  /** Throws: RangeError for an impossible cost. */
  constructor(
    readonly settlement: Settlement,
    readonly waiter: Waiter<SettleOutcome>,
    readonly events: PendingEvents<PendingSettlement, SettledOutcome>,
  ) {
    this.row = settlementRow(settlement);
  }

  get partition(): string {
    return this.settlement.userId;
  }

  completed(outcome: LedgerOutcome): void {
    if (typeof outcome === "string") this.events.completed(this, outcome);
    else this.failed(new Error("a settlement got the outcome of a hold"));
  }

  failed(cause: unknown): void {
    this.events.failed(this, cause);
  }

  onSweep(nowMs: number): boolean {
    if (nowMs >= this.dueMs) this.events.expired(this, nowMs);
    return nowMs < this.dueMs;
  }
}
