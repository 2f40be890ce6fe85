import { timingSafeEqual } from "node:crypto";
import { keyedHash, sha256Hex } from "@/lib/kernel/hash";

const tagPrefix = "gw1.";

/**
 * The signature under which a messages client gets the reasoning of a chat upstream: it says on replay that the
 * gateway issued the block, so that it never reaches an upstream that would take it for its own.
 * Source: docs/protocols.md#s8-3.
 */
export function signReasoning(text: string, alias: string, key: string): string {
  return tagPrefix + keyedHash(key, "reasoning", `${alias}\n${sha256Hex(text)}`);
}

/** True for anything the gateway tagged, whatever it was for. */
export function isGatewayTag(value: unknown): boolean {
  return typeof value === "string" && value.startsWith(tagPrefix);
}

/** A chat upstream's opaque reasoning as the `data` of a redacted_thinking block. Source: docs/protocols.md#s8-3. */
export function tagOpaque(data: string, alias: string, key: string): string {
  return `${tagPrefix}${keyedHash(key, "opaque", `${alias}\n${data}`)}.${data}`;
}

/** The opaque reasoning inside a tag of `tagOpaque`; null when the gateway did not issue it for this alias. */
export function openOpaque(tagged: string, alias: string, key: string): string | null {
  if (!isGatewayTag(tagged)) return null;
  const end = tagged.indexOf(".", tagPrefix.length);
  if (end < 0) return null;
  const data = tagged.slice(end + 1);
  return sameText(tagged, tagOpaque(data, alias, key)) ? data : null;
}

function sameText(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
