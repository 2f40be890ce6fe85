import { callMessages, sentence, upstreamFailed } from "@/lib/kernel/error-messages";
import { type ErrorDetails, GatewayError, isGatewayError } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import { ClientDisconnected } from "@/lib/kernel/thrown";
import { quotaWaitMs } from "@/lib/protocols/failures/aws-error-type";
import {
  classifyFailure,
  decisiveFailure,
  decisiveStatus,
  type FailureClass,
  type FailureKind,
  isForOperator,
  isOwnBill,
  isRateLimit,
  unknownRecord,
} from "@/lib/protocols/failures/failure-class";
import { isAboutReasoning } from "@/lib/protocols/failures/foreign-reasoning";
import { isAboutNamedRecord } from "@/lib/protocols/failures/named-records";
import { type Cleaning, sanitise } from "@/lib/protocols/failures/sanitise";
import { vendorCode } from "@/lib/protocols/failures/vendor-code";
import { ProtocolError, type UpstreamFailure } from "@/lib/protocols/generation/events";
import type { Meter } from "@/lib/protocols/generation/meter";
import { providerOf } from "@/lib/protocols/profiles/provider";
import { type AttemptOutcome, type OutcomeKind, parseRetryAfter } from "@/lib/router/node-health";
import { principalOf } from "@/lib/shared/credentials/principal";
import { CredentialError } from "@/lib/upstream/credentials/credential-error";
import { nodeSecrets } from "@/lib/upstream/node-secrets";
import { DialError } from "@/lib/upstream/upstream-answer";
import { callableNode } from "./callable-node";
import type { PlannedAttempt } from "./plan";
import type { Gateway } from "./runtime";
import { AnswerError } from "./upstream-response";

/** The longest name of a field that is passed on; an upstream may send any text. Units: characters. */
const MAX_PARAM = 200;

/** What a failed attempt means for the health of its node, for other nodes and for the caller. */
export interface AttemptFailure {
  outcome: AttemptOutcome;
  failover: boolean;
  /** The node refused reasoning that another node has sealed. */
  foreignReasoning: boolean;
  clientStatus: FailureClass["clientStatus"];
  /** The node gave some HTTP answer, or gave it too late. */
  answered: boolean;
  /** For the caller; scrubbed. */
  message: string;
  details: ErrorDetails;
  /** It is about the operator's money or quota, so callers get no part of it. */
  isHidden: boolean;
  /** The operator's account cannot pay. */
  isOurBill: boolean;
}

/**
 * Reads any error of an attempt, and cleans the node's message. An error of our own code is thrown again.
 * Source: docs/protocols.md#s13-3, docs/reliability.md#s2-9, docs/contract.md#b1, #b2, #b3.
 */
export function readAttemptFailure(
  gateway: Gateway,
  thrown: unknown,
  cancelled: boolean,
  planned: PlannedAttempt,
  alias: string,
): AttemptFailure {
  const { kind, failure, retryAfter } = describe(thrown, () => principalAt(gateway, planned));
  const found = classOf(kind, failure, planned);
  const cleaning = cleaningOf(gateway, planned, alias, found);
  const message = failure.ours ? failure.message : sanitise(failure.message, cleaning);
  const isHidden = isForOperator(found);
  return {
    outcome: {
      kind: cancelled ? "cancelled" : outcomeKind(kind, failure, found),
      status: failure.status,
      retryAfterMs: parseRetryAfter(retryAfter, Date.now()) ?? quotaWaitMs(failure.type),
      message,
    },
    failover: found.failover,
    foreignReasoning: isAboutReasoning(failure),
    clientStatus: found.clientStatus,
    answered: kind !== "connect" && kind !== "access",
    message: isHidden ? callMessages.notServing : message,
    details: isHidden ? {} : clientDetails(failure, found, cleaning),
    isHidden,
    isOurBill: isOwnBill(found),
  };
}

function classOf(kind: FailureKind, failure: UpstreamFailure, planned: PlannedAttempt): FailureClass {
  const { node, route } = planned.candidate;
  const found = classifyFailure(kind, failure, providerOf(node).id);
  if (kind !== "status" || found.clientStatus < 500) return found;
  return isAboutNamedRecord(failure, planned.prepared.body, route.upstreamModel) ? unknownRecord : found;
}

function cleaningOf(
  gateway: Gateway,
  { candidate }: PlannedAttempt,
  alias: string,
  found: FailureClass,
): Cleaning {
  return {
    alias,
    upstreamModel: candidate.route.upstreamModel,
    secrets: nodeSecrets(callableNode(gateway, candidate.node), gateway.pools.outboundProxy.all),
    aboutRequest: found.clientStatus < 500,
  };
}

/**
 * What the caller gets when no node answered: the most useful of the failures. Source: docs/contract.md#s7,
 * docs/protocols.md#s13-3.
 */
export function finalError(
  failures: readonly AttemptFailure[],
  retryAfterSeconds: number,
  alias: string,
): GatewayError {
  const decisive = decisiveFailure(failures);
  if (decisive === null) {
    return new GatewayError("NO_AVAILABLE_NODE", callMessages.noNode(alias), {
      retryAfterSeconds: Math.max(retryAfterSeconds, waitOf(failures)),
    });
  }
  return decisive.clientStatus === 502 ? upstreamError(decisive.message) : refusedByUpstream(decisive);
}

/** The caller's error for an upstream that failed before or inside a stream. */
function upstreamError(message: string): GatewayError {
  return new GatewayError("UPSTREAM_ERROR", upstreamFailed(message));
}

/** A stream that broke after its first event. */
export interface BrokenStream {
  /** The caller's error, in the last frame. */
  error: GatewayError;
  /** The outcome for the node's health; null: only that the answer was truncated. */
  outcome: AttemptOutcome | null;
}

/** Reads why a stream broke. */
export function brokenStream(
  gateway: Gateway,
  thrown: unknown,
  planned: PlannedAttempt,
  alias: string,
): BrokenStream {
  if (!isUpstreams(thrown)) {
    if (isGatewayError(thrown)) return { error: thrown, outcome: null };
    return {
      error: new GatewayError("INTERNAL_ERROR", callMessages.ourSide, { cause: thrown }),
      outcome: null,
    };
  }
  const failure = readAttemptFailure(gateway, thrown, false, planned, alias);
  if (failure.details.reason !== undefined)
    return { error: refusedByUpstream(failure), outcome: { kind: "request" } };
  if (failure.isHidden) return { error: hiddenError(), outcome: failure.outcome };
  return { error: upstreamsError(failure), outcome: null };
}

function hiddenError(): GatewayError {
  return new GatewayError("NO_AVAILABLE_NODE", callMessages.notServing);
}

function upstreamsError(failure: AttemptFailure): GatewayError {
  return failure.clientStatus === 503 && failure.answered
    ? new GatewayError(
        "NO_AVAILABLE_NODE",
        `The upstream is overloaded: ${sentence(failure.message)} Nothing was billed.`,
      )
    : upstreamError(failure.message);
}

/** True for failures of an upstream, false for errors of our own code. */
function isUpstreams(thrown: unknown): boolean {
  return [AnswerError, DialError, ProtocolError, CredentialError].some((kind) => thrown instanceof kind);
}

interface Described {
  kind: FailureKind;
  failure: UpstreamFailure;
  retryAfter: string | undefined;
}

/** Whose credential a node is called with; null: a key's. */
export function principalAt(gateway: Gateway, { candidate }: PlannedAttempt): string | null {
  const { access } = callableNode(gateway, candidate.node);
  return access === null ? null : principalOf(access.credential);
}

/** `principal`: whose credential the node is called with. */
function describe(thrown: unknown, principal: () => string | null): Described {
  if (thrown instanceof CredentialError) {
    const message = `No access with the credential of ${principal() ?? "the node"}: ${thrown.code}`;
    return { kind: "access", failure: plain(message), retryAfter: undefined };
  }
  if (thrown instanceof AnswerError) {
    const kind = thrown.failure.status === null || thrown.failure.status < 300 ? "answer" : "status";
    return { kind, failure: thrown.failure, retryAfter: thrown.retryAfter };
  }
  if (thrown instanceof DialError) {
    const kind = thrown.kind === "connect" || thrown.kind === "timeout" ? thrown.kind : "answer";
    return { kind, failure: plain(dialMessages[thrown.kind]), retryAfter: undefined };
  }
  if (thrown instanceof ProtocolError)
    return { kind: "answer", failure: thrown.failure, retryAfter: undefined };
  throw thrown;
}

const dialMessages: Record<DialError["kind"], string> = {
  connect: callMessages.unreachable,
  timeout: callMessages.late,
  broken: callMessages.connectionBroke,
  aborted: "The call was given up.",
};

function plain(message: string): UpstreamFailure {
  return { status: null, type: null, code: null, message, param: null, ours: true };
}

function outcomeKind(kind: FailureKind, failure: UpstreamFailure, found: FailureClass): OutcomeKind {
  const status = decisiveStatus(failure);
  if (kind === "connect") return "connect";
  if (kind === "timeout") return "timeout";
  if (found.health === "credential" || found.health === "billing") return found.health;
  if (status === 429 || isRateLimit(found)) return "limited";
  if (found.fault === "client") return "request";
  if (status === 404) return "model";
  if (found.health === "none") return "request";
  return status === null ? "protocol" : "server";
}

function refusedByUpstream(failure: AttemptFailure): GatewayError {
  const code = failure.clientStatus === 413 ? "PAYLOAD_TOO_LARGE" : "INVALID_REQUEST";
  return new GatewayError(code, failure.message, failure.details);
}

function clientDetails(failure: UpstreamFailure, found: FailureClass, cleaning: Cleaning): ErrorDetails {
  const code = vendorCode(failure);
  return {
    ...(failure.param === null ? {} : { param: sanitise(failure.param, cleaning).slice(0, MAX_PARAM) }),
    ...(code === null ? {} : { vendorCode: code }),
    ...(failure.details === undefined ? {} : { vendorDetails: cleanDetails(failure.details, cleaning) }),
    ...(found.reason === undefined ? {} : { reason: found.reason }),
    ...(found.clientStatus === 403 ? { status: 403 } : {}),
  };
}

function cleanDetails(details: JsonObject, cleaning: Cleaning): JsonObject {
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    return typeof value === "string" ? sanitise(value, cleaning).slice(0, MAX_PARAM) : value;
  };
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, clean(value)]));
}

/** The wait for an account that cannot pay; when it can pay again is unknown. Units: seconds. */
const UNPAID_WAIT = 30;

function waitOf(failures: readonly AttemptFailure[]): number {
  if (failures.length > 0 && failures.every(({ isOurBill }) => isOurBill)) return UNPAID_WAIT;
  const waits = failures.map((failure) => failure.outcome.retryAfterMs ?? 0).filter((wait) => wait > 0);
  return waits.length === 0 ? 1 : Math.min(30, Math.ceil(Math.min(...waits) / 1_000));
}

/** The client closed its connection after a node had answered 200, so what was received is billed. */
export class AnswerAbandoned extends ClientDisconnected {
  override readonly name = "AnswerAbandoned";

  constructor(readonly meter: Meter) {
    super();
  }
}
