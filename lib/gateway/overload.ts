import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { runtime } from "@/lib/gateway/runtime";
import type { ConcurrencyLimiter } from "@/lib/kernel/concurrency-limiter";
import { atCapacity, GatewayError } from "@/lib/kernel/errors";
import type { Call } from "./call";

/**
 * Sheds before any work: too much in flight, an event loop or holds that do not keep up. Touches no database.
 * Throws: NO_AVAILABLE_NODE with Retry-After. Source: docs/reliability.md#s2-11.
 */
export function guardOverload(): void {
  const refusal = overloadRefusal();
  if (refusal !== null) throw refusal;
}

/** The refusal of a call that came now; null when it may begin. */
export function overloadRefusal(): GatewayError | null {
  if (!isOverloaded(runtime())) return null;
  const { metrics, random } = runtime();
  metrics.refused("overload");
  return atCapacity(undefined, random);
}

/** What says how much this process has to do; parts of the runtime. */
export interface Load {
  drain: { readonly inFlight: number };
  places: { readonly capacity: number };
  loop: { readonly overloaded: boolean };
  ledger: { readonly crowded: boolean };
}

/** Whether new calls are shed at present. */
export function isOverloaded({ drain, places, loop, ledger }: Load): boolean {
  return drain.inFlight > places.capacity || loop.overloaded || ledger.crowded;
}

/**
 * Takes a key's place in this process, of which it may have a quarter; it is given back when the call ends.
 * Throws: NO_AVAILABLE_NODE with Retry-After. Source: docs/reliability.md#s2-11.
 */
export function takePlace(call: Call, key: GatewayKey): void {
  takeOf(runtime().places, call, key, null);
}

/**
 * Takes a place among the running requests of a key, as many as its requests per second warrant. Asked after the rate
 * limits, so that a burst beyond them is told 429. Throws: NO_AVAILABLE_NODE with Retry-After.
 * Source: docs/reliability.md#s2-8, #s2-11.
 */
export function takeRunningPlace(call: Call, key: GatewayKey): void {
  takeOf(runtime().running, call, key, key.limits.qps);
}

function takeOf(places: ConcurrencyLimiter, call: Call, key: GatewayKey, qps: number | null): void {
  if (!places.take(key.keyId, qps)) throw crowd();
  call.atEnd.push(() => places.leave(key.keyId));
}

/** Unlike the process's overload this is the key's own doing, and its log tells so. */
function crowd(): GatewayError {
  const { metrics, random } = runtime();
  metrics.refused("overload");
  return new GatewayError(
    "NO_AVAILABLE_NODE",
    "Too many requests of this key are running at once; nothing was billed.",
    { retryAfterSeconds: 1 + Math.floor(random() * 3) },
  );
}
