import { hash as digest } from "node:crypto";
import { type GatewayKey, isKeyUsable, UNUSABLE_KEY } from "@/lib/accounts/gateway-key";
import { isWellFormedKey } from "@/lib/accounts/key-text";
import { GatewayError } from "@/lib/kernel/errors";
import { bearerToken } from "@/lib/kernel/request-headers";
import type { GatewayRequest, KnownCaller } from "./gateway-request";
import { CallerSeal } from "./responses-state/caller-seal";
import type { Gateway } from "./runtime";

/**
 * The usable key of a call. Unknown, malformed, disabled, deleted and expired keys get the same error.
 * Throws: INVALID_API_KEY, RATE_LIMITED (too many bad credentials from one address). Source: docs/contract.md#s6,
 * docs/protocols.md#s2-2.
 */
export async function authenticate(gateway: Gateway, call: GatewayRequest): Promise<GatewayKey> {
  const hash = credentialHash(call);
  const known = hash === null ? null : gateway.keys.peek(hash, call.receivedAtMs);
  return usableKey(gateway, call, known === undefined ? await gateway.keys.get(hash ?? "") : known);
}

/** As `authenticate`, for a key that is in the cache; null when it must be looked up first. Throws: as `authenticate`. */
export function cachedKey(gateway: Gateway, call: GatewayRequest): GatewayKey | null {
  const hash = credentialHash(call);
  const known = hash === null ? null : gateway.keys.peek(hash, call.receivedAtMs);
  return known === undefined ? null : usableKey(gateway, call, known);
}

/** Null: the call has no key of the right form. */
function credentialHash(call: GatewayRequest): string | null {
  if (call.connection !== undefined) return call.connection.caller.keyHash;
  const text = credentialOf(call);
  return text !== null && isWellFormedKey(text) ? digest("sha256", text) : null;
}

/** The caller of an authenticated call without the text of the key, for a connection that outlives the call. */
export function knownCaller(call: GatewayRequest): KnownCaller {
  const keyHash = credentialHash(call);
  if (keyHash === null) throw new Error("a call without a key has no caller");
  return { keyHash, seal: new CallerSeal(credentialOf(call) ?? "").withoutSecret() };
}

function usableKey(gateway: Gateway, call: GatewayRequest, key: GatewayKey | null): GatewayKey {
  if (key !== null && isKeyUsable(key, call.receivedAtMs)) return key;
  throw gateway.admission.ofAddress(call.clientIp) ?? new GatewayError("INVALID_API_KEY", refusalOf(call));
}

function refusalOf(call: GatewayRequest): string {
  return call.connection === undefined && credentialOf(call) === null
    ? "The request has no API key. Send one as `Authorization: Bearer tgw-…`, `x-api-key`, `api-key` or `x-goog-api-key`."
    : UNUSABLE_KEY;
}

/** Headers with a key, before `Authorization`. */
const keyHeaders = ["x-goog-api-key", "x-api-key", "api-key"] as const;

/**
 * The first of these headers that is present: `x-goog-api-key`, `x-api-key`, `api-key`, `Authorization`. Source:
 * docs/contract.md#b10, docs/gemini.md#paths.
 */
export function credentialOf({ headers }: GatewayRequest): string | null {
  for (const name of keyHeaders) {
    const key = headers[name]?.trim();
    if (key) return key;
  }
  return bearerToken(headers.authorization);
}
