import type { GatewayKey } from "@/lib/accounts/gateway-key";
import type { ConcurrencyLimiter } from "@/lib/kernel/concurrency";
import { atCapacity, GatewayError } from "@/lib/kernel/errors";
import type { Call } from "./call";
import { runtime } from "./runtime";

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
export function acquireRequestPermit(call: Call, key: GatewayKey): void {
  acquirePermit(runtime().requestsPerKey, call, key, null);
}

/**
 * Counts a generation of a key as in flight; the limit follows the key's requests per second. Runs after the rate
 * limits, so that a burst beyond them gets a 429. Throws: NO_AVAILABLE_NODE with Retry-After.
 * Source: docs/reliability.md#s2-8, #s2-11.
 */
export function acquireGenerationPermit(call: Call, key: GatewayKey): void {
  acquirePermit(runtime().generationsPerKey, call, key, key.limits.qps);
}

function acquirePermit(places: ConcurrencyLimiter, call: Call, key: GatewayKey, qps: number | null): void {
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
