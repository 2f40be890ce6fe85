import { GatewayError } from "@/lib/errors";
import { runtime } from "@/lib/runtime";

const MAX_IN_FLIGHT = 5_000;

/**
 * Sheds before any work: too much in flight. Touches no database. Throws: NO_AVAILABLE_NODE with Retry-After.
 * Source: reliability 2.11.
 */
export function guardOverload(): void {
  const { drain, metrics } = runtime();
  if (drain.inFlight <= MAX_IN_FLIGHT) return;
  metrics.refused("overload");
  throw new GatewayError("NO_AVAILABLE_NODE", "The gateway is at its capacity; nothing was billed.", {
    retryAfterSeconds: 1 + Math.floor(runtime().random() * 3),
  });
}
