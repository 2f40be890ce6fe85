import type { GatewayKey } from "@/lib/accounts/gateway-key";
import type { LimitName, LimitState, LimitTicket } from "@/lib/admission/limiter";
import type { HoldOutcome } from "@/lib/billing/ledger-batch";
import type { ConcurrencyLimiter } from "@/lib/kernel/concurrency";
import { atCapacity, GatewayError, isGatewayError } from "@/lib/kernel/errors";
import { failpoint } from "@/lib/kernel/failpoint";
import { centsDecimal } from "@/lib/kernel/usage";
import { protocols } from "@/lib/protocols/registry";
import type { GatewayRequest } from "./gateway-request";
import type { RequestLogBuilder } from "./request-log";
import { runtime } from "./runtime";

/** What a request reserves. Units: tokens, micro-cents. */
export interface Reservation {
  tokens: number;
  holdMicroCents: bigint;
}

/** A request that may run: its place in the limits and its hold. */
export interface Admission {
  ticket: LimitTicket;
  heldMicroCents: bigint;
}

const RETRY_AFTER_RUNNING_SECONDS = 2;
const limitWords: Record<LimitName, string> = {
  qps: "requests per second",
  rpm: "requests per minute",
  tpm: "tokens per minute",
};

/**
 * Limits first, then the hold; a refused hold gives the tokens back while the request stays counted.
 * Throws: RATE_LIMITED, QUOTA_EXCEEDED, INVALID_API_KEY, NO_AVAILABLE_NODE (too much to do), INTERNAL_ERROR (database
 * down). Source: docs/contract.md#s7, #b5, docs/reliability.md#s2-8.
 */
export async function admit(
  call: GatewayRequest,
  key: GatewayKey,
  reserve: Reservation,
  trace: RequestLogBuilder,
): Promise<Admission> {
  const ticket = await passLimits(call, key, reserve.tokens).finally(() => trace.mark("limits"));
  const { limiter, metrics } = runtime();
  let outcome: HoldOutcome;
  try {
    acquireGenerationPermit(call, key);
    outcome = await holdQuota(call, key, reserve.holdMicroCents);
  } catch (refused) {
    await limiter.refund(ticket);
    if (isGatewayError(refused) && refused.details.overload) metrics.refused("overload");
    throw refused;
  }
  trace.mark("hold");
  failpoint("after-hold");
  if (outcome.held) return { ticket, heldMicroCents: outcome.heldMicroCents };
  await limiter.refund(ticket);
  throw refusal(outcome);
}

/** Requests sized before the hold ends already see its amount. */
async function holdQuota(
  call: GatewayRequest,
  key: GatewayKey,
  amountMicroCents: bigint,
): Promise<HoldOutcome> {
  const { ledger, balances } = runtime();
  const { keyId, userId } = key;
  balances.addHold(key, amountMicroCents);
  let heldMicroCents = 0n;
  try {
    const outcome = await ledger.hold({ requestId: call.requestId, keyId, userId, amountMicroCents });
    if (outcome.held) heldMicroCents = outcome.heldMicroCents;
    return outcome;
  } finally {
    balances.settle(key, amountMicroCents - heldMicroCents, 0n);
  }
}

async function passLimits(call: GatewayRequest, key: GatewayKey, tokens: number): Promise<LimitTicket> {
  const { limiter } = runtime();
  const admission = await limiter.admit({ keyId: key.keyId, limits: key.limits, tokens });
  Object.assign(call.replyHeaders, limitHeaders(call, admission.state));
  if (admission.allowed) return admission.ticket;
  const { violated, state, retryAfterMs } = admission;
  throw rateLimited(
    `The plan ${key.planName} allows ${state[violated].limit} ${limitWords[violated]}.`,
    retryAfterMs,
  );
}

/** The rate-limit headers in the words of the call's protocol. Source: docs/contract.md#s6. */
export function limitHeaders(call: GatewayRequest, state: LimitState): Record<string, string> {
  return protocols[call.protocol].errors.limitHeaders(state, runtime().clock.date().getTime());
}

function refusal(outcome: Exclude<HoldOutcome, { held: true }>): GatewayError {
  if (outcome.reason !== "quota") {
    return new GatewayError("INVALID_API_KEY", "The API key is missing, invalid or revoked.");
  }
  const whose = outcome.level === "key" ? "this key" : "the account";
  const room = centsDecimal(outcome.roomMicroCents > 0n ? outcome.roomMicroCents : 0n);
  if (outcome.heldMicroCents > 0n) {
    const held = centsDecimal(outcome.heldMicroCents);
    return new GatewayError(
      "QUOTA_EXCEEDED",
      `The quota of ${whose} does not cover this request now: ${room} cents are left and ${held} cents are held, not spent, by running requests.`,
      { retryAfterSeconds: RETRY_AFTER_RUNNING_SECONDS },
    );
  }
  return new GatewayError(
    "QUOTA_EXCEEDED",
    `The quota of ${whose} does not cover this request: ${room} cents are left. Raise the quota or lower max_tokens.`,
  );
}

/**
 * Refuses a call before any work when too many requests are in flight or the event loop or the holds are overloaded.
 * Does not use the database.
 * Throws: NO_AVAILABLE_NODE with Retry-After. Source: docs/reliability.md#s2-11.
 */
export function rejectIfOverloaded(): void {
  const refusal = overloadRefusal();
  if (refusal !== null) throw refusal;
}

/** The error of a call that arrives now; null when it may begin. */
export function overloadRefusal(): GatewayError | null {
  if (!isOverloaded(runtime())) return null;
  const { metrics, random } = runtime();
  metrics.refused("overload");
  return atCapacity(undefined, random);
}

/** The load indicators of this process; parts of the runtime. */
export interface Load {
  drain: { readonly inFlight: number };
  requestsPerKey: { readonly capacity: number };
  loop: { readonly overloaded: boolean };
  ledger: { readonly atCapacity: boolean };
}

/** True while new calls are refused because of overload. */
export function isOverloaded({ drain, requestsPerKey, loop, ledger }: Load): boolean {
  return drain.inFlight > requestsPerKey.capacity || loop.overloaded || ledger.atCapacity;
}

/**
 * Counts a request of a key as in flight until it ends; a key may have a quarter of the process's capacity.
 * Throws: NO_AVAILABLE_NODE with Retry-After. Source: docs/reliability.md#s2-11.
 */
export function acquireRequestPermit(call: GatewayRequest, key: GatewayKey): void {
  acquirePermit(runtime().requestsPerKey, call, key, null);
}

/**
 * Counts a generation of a key as in flight; the limit follows the key's requests per second. Runs after the rate
 * limits, so that a burst beyond them gets a 429. Throws: NO_AVAILABLE_NODE with Retry-After.
 * Source: docs/reliability.md#s2-8, #s2-11.
 */
function acquireGenerationPermit(call: GatewayRequest, key: GatewayKey): void {
  acquirePermit(runtime().generationsPerKey, call, key, key.limits.qps);
}

function acquirePermit(
  places: ConcurrencyLimiter,
  call: GatewayRequest,
  key: GatewayKey,
  qps: number | null,
): void {
  if (!places.tryAcquire(key.keyId, qps)) throw keyConcurrencyExceeded();
  call.atEnd.push(() => places.release(key.keyId));
}

/** Unlike a refusal for overload of the process, this one is recorded in the key's log. */
function keyConcurrencyExceeded(): GatewayError {
  const { metrics, random } = runtime();
  metrics.refused("overload");
  return new GatewayError(
    "NO_AVAILABLE_NODE",
    "Too many requests of this key are running at once; nothing was billed.",
    { retryAfterSeconds: 1 + Math.floor(random() * 3) },
  );
}

/** A 429 with both forms of its wait. Units: milliseconds. Source: docs/reliability.md#s2-8. */
export function rateLimited(message: string, retryAfterMs: number): GatewayError {
  const seconds = retryAfterSeconds(retryAfterMs);
  return new GatewayError("RATE_LIMITED", `${message} Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
    retryAfterMs,
  });
}

/** Whole seconds for `Retry-After`, at least 1. Units: milliseconds in. Source: docs/reliability.md#s2-8. */
export function retryAfterSeconds(retryAfterMs: number): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1_000));
}
