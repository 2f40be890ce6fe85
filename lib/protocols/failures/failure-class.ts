import type { ErrorCode } from "@/lib/kernel/errors";
import type { UpstreamFailure } from "@/lib/protocols/generation/events";
import type { ProviderId } from "@/lib/protocols/profiles/providers";
import { statusOfAwsType } from "./aws-error-type";
import { isAboutBilling, isAboutOneCost, isAboutRate } from "./billing-words";
import { hasContentCode, isAboutContent, isAboutOwnAddress } from "./content-refusal";

/** The kind of a failed attempt: no access, no connection, a timeout, a malformed answer, or an error status. */
export type FailureKind = "access" | "connect" | "timeout" | "answer" | "status";

/** The consequences of a failed attempt. */
export interface FailureClass {
  /** Who must correct the cause. */
  fault: "client" | "ours" | "upstream";
  /** Another node may be called, as long as nothing was sent to the client. */
  failover: boolean;
  /** The status for the client if no other node answers. */
  clientStatus: 400 | 403 | 413 | 502 | 503;
  code: ErrorCode;
  /** The reason for refusing the client's own request, if the code does not express it. */
  reason?: "content_policy";
  /** The effect on the health of the node. */
  health: "none" | "soft" | "hard" | "cooldown" | "credential" | "billing";
}

const client: FailureClass = {
  fault: "client",
  failover: false,
  clientStatus: 400,
  code: "INVALID_REQUEST",
  health: "none",
};

/** A record that the caller's request names and that the vendor does not have. */
export const unknownRecord: FailureClass = client;

const content: FailureClass = { ...client, reason: "content_policy" };

const forbiddenContent: FailureClass = { ...content, clientStatus: 403 };

const tooLarge: FailureClass = { ...client, clientStatus: 413, code: "PAYLOAD_TOO_LARGE" };

const broken: FailureClass = {
  fault: "upstream",
  failover: true,
  clientStatus: 502,
  code: "UPSTREAM_ERROR",
  health: "soft",
};

/** An answer that exceeds a bound of the gateway; its node has made no error. */
const tooLong: FailureClass = { ...broken, fault: "ours", health: "none" };

const unreachable: FailureClass = { ...broken, clientStatus: 503, code: "NO_AVAILABLE_NODE", health: "hard" };

const overloaded: FailureClass = {
  ...broken,
  clientStatus: 503,
  code: "NO_AVAILABLE_NODE",
  health: "cooldown",
};

const throttled: FailureClass = { ...overloaded, fault: "ours" };

/** Like a rate limit, but in words of money that callers would apply to their own account. */
const quotaUsed: FailureClass = { ...throttled };

const credential: FailureClass = { ...broken, fault: "ours", health: "credential" };

/** The node was not called, because there was no access with its credential. */
const noAccess: FailureClass = { ...credential, clientStatus: 503, code: "NO_AVAILABLE_NODE" };

const unpaid: FailureClass = { ...throttled, health: "billing" };

/** The account cannot pay for this request, but can pay for smaller ones. */
const tooDear: FailureClass = { ...unpaid, health: "none" };

const misconfigured: FailureClass = { ...broken, fault: "ours" };

const unsupported: FailureClass = { ...client, fault: "ours" };

/**
 * Statuses with their own class; `byRange` classifies the others. Source: docs/protocols.md#s13-3,
 * docs/reliability.md#s2-9, docs/contract.md#b1.
 */
const byStatus: Readonly<Record<number, FailureClass>> = {
  400: client,
  401: credential,
  402: unpaid,
  403: credential,
  404: misconfigured,
  405: misconfigured,
  408: broken,
  409: broken,
  413: tooLarge,
  415: misconfigured,
  422: client,
  424: broken,
  425: broken,
  429: throttled,
  503: overloaded,
  529: overloaded,
};

const unsupportedCodes: ReadonlySet<string> = new Set(["unsupported_parameter", "unsupported_value"]);

/** Statuses with which a node refuses either the content of a request or its credential. */
const forbiddenStatuses: ReadonlySet<number> = new Set([403, 451]);

/**
 * Classifies a failed attempt: its cause, and the consequences for the client, other nodes and the node's health. An
 * account of the operator that cannot pay is the gateway's fault, under any status; a 403 about content is the
 * caller's. An error inside a 2xx answer is classified by the status of its type. `provider` null: the node's provider
 * is unknown. Source: docs/protocols.md#s13-3, docs/contract.md#s7, #b1, #b3.
 */
export function classifyFailure(
  kind: FailureKind,
  failure: UpstreamFailure | null,
  provider: ProviderId | null = null,
): FailureClass {
  if (kind === "access") return noAccess;
  if (kind === "connect") return unreachable;
  if (kind === "timeout" || failure === null) return broken;
  if (failure.bound === true) return tooLong;
  if (isAboutRate(failure, provider)) return quotaUsed;
  if (isAboutBilling(failure, provider)) return isAboutOneCost(failure) ? tooDear : unpaid;
  const status = decisiveStatus(failure);
  if (status === null) return broken;
  if (forbiddenStatuses.has(status) && isAboutContent(failure)) return forbiddenContent;
  const found = byStatus[status] ?? byRange(status);
  if (isAboutOwnAddress(failure) && (found === client || found === throttled)) return credential;
  if (failure.wrongKey === true && found === client) return credential;
  if (found === client && isUnsupported(failure)) return unsupported;
  if (found === client && hasContentCode(failure)) return content;
  return found;
}

/** The status that classifies a failure: that of its type where the vendor's own says less. */
export function decisiveStatus({ status, type }: UpstreamFailure): number | null {
  return statusOfAwsType(type) ?? status;
}

/** True when the operator's account cannot pay; callers must not see the error's text. */
export function isOwnBill(found: FailureClass): boolean {
  return found === unpaid || found === tooDear;
}

/** True for a limit of the operator's account that resets by itself. */
export function isRateLimit(found: FailureClass): boolean {
  return found === throttled || found === quotaUsed;
}

/** True when the error's text is about the operator's money, quota or credential; callers must not see it. */
export function isForOperator(found: FailureClass): boolean {
  return isOwnBill(found) || found === quotaUsed || found === noAccess;
}

/** The properties of a failed attempt that decide the final answer. */
interface Failed {
  clientStatus: FailureClass["clientStatus"];
  /** The node gave an HTTP answer, in time or too late. */
  answered: boolean;
}

/**
 * Selects the failure that is reported to the caller; null: no node is available (503).
 * Order: the caller's own mistake, then 503 for overload and unreachable nodes, then 502. Source: docs/contract.md#s7,
 * docs/protocols.md#s13-3.
 */
export function decisiveFailure<Failure extends Failed>(failures: readonly Failure[]): Failure | null {
  const own = failures.find(({ clientStatus }) => clientStatus < 500);
  if (own) return own;
  const answered = failures.filter((failure) => failure.answered);
  if (answered.some(({ clientStatus }) => clientStatus === 503)) return null;
  return answered.find(({ clientStatus }) => clientStatus === 502) ?? null;
}

function byRange(status: number): FailureClass {
  return status >= 400 && status < 500 ? misconfigured : broken;
}

function isUnsupported(failure: UpstreamFailure): boolean {
  return hasCode(unsupportedCodes, failure);
}

function hasCode(codes: ReadonlySet<string>, failure: UpstreamFailure): boolean {
  return codes.has(failure.code ?? "") || codes.has(failure.type ?? "");
}
