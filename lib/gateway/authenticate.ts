import { hash as digest } from "node:crypto";
import { type GatewayKey, isKeyUsable } from "@/lib/accounts/gateway-key";
import { isWellFormedKey } from "@/lib/accounts/key-text";
import { runtime } from "@/lib/gateway/runtime";
import { GatewayError } from "@/lib/kernel/errors";
import type { Call } from "./call";
import { rateLimited } from "./overload";

/**
 * The usable key of a call. Unknown, malformed, disabled, deleted and expired keys get one and the same answer.
 * Throws: INVALID_API_KEY, RATE_LIMITED (too many bad credentials from one address). Source: docs/contract.md#s6,
 * docs/protocols.md#s2-2.
 */
export async function authenticate(call: Call): Promise<GatewayKey> {
  const { keys, clock, metrics, flood } = runtime();
  const text = credentialOf(call);
  if (text !== null && isWellFormedKey(text)) {
    const hash = digest("sha256", text);
    const known = keys.peek(hash);
    const key = known === undefined ? await keys.get(hash) : known;
    if (key !== null && isKeyUsable(key, clock.nowMs())) return key;
  }
  metrics.refused("INVALID_API_KEY");
  const waitMs = flood.forAddress(call.clientIp);
  if (waitMs > 0) throw rateLimited("Too many requests with invalid keys from this address.", waitMs);
  throw new GatewayError(
    "INVALID_API_KEY",
    "The API key is missing, invalid or revoked. Send it as `Authorization: Bearer tgw-…`, `x-api-key` or `api-key`.",
  );
}

/** Any request of a key counts here before its body is read. Throws: RATE_LIMITED. Source: docs/reliability.md#s2-8. */
export function guardFlood(key: GatewayKey): void {
  const { flood, metrics } = runtime();
  const waitMs = flood.forKey(key.keyId, key.limits.qps);
  if (waitMs === 0) return;
  metrics.refused("flood");
  throw rateLimited("Far more requests than the plan allows are coming from this key.", waitMs);
}

/** The first that is there counts: `x-api-key`, `api-key`, `Authorization`. Source: docs/contract.md#b10. */
function credentialOf(call: Call): string | null {
  const apiKey = call.headers["x-api-key"]?.trim() || call.headers["api-key"]?.trim();
  if (apiKey) return apiKey;
  const bearer = /^bearer\s+(\S.*)$/i.exec(call.headers.authorization?.trim() ?? "");
  return bearer?.[1]?.trim() ?? null;
}
