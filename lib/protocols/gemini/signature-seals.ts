import { STAND_IN } from "@/lib/protocols/generation/signature-stand-in";
import { isGatewayTag } from "@/lib/protocols/passes/reasoning-seal";

/** The beginning of several seals in one signature. */
const SEVERAL = "tgs:";

/** The values that clients send in place of a signature that they do not have. */
const standIns: ReadonlySet<string> = new Set([STAND_IN, "context_engineering_is_the_way_to_go"]);

/** True for a value in place of a signature. Source: docs/gemini.md#signatures. */
export function isStandIn(signature: string): boolean {
  return standIns.has(signature) || standIns.has(Buffer.from(signature, "base64").toString("latin1"));
}

/**
 * The gateway's seals as one `thoughtSignature`: canonical base64, because some clients decode and encode it again.
 * Source: docs/gemini.md#signatures.
 */
export function signatureOf(seals: readonly string[]): string {
  const [only = ""] = seals;
  const isBase64Url = /^[A-Za-z0-9_-]+$/.test(only);
  return seals.length === 1 && isBase64Url
    ? Buffer.from(only, "base64url").toString("base64")
    : Buffer.from(SEVERAL + seals.join(",")).toString("base64");
}

/** The gateway's seals in a signature of either alphabet; empty for a signature of a vendor. */
export function sealsIn(signature: string): string[] {
  const bytes = Buffer.from(signature, "base64");
  const own = bytes.toString("base64url");
  if (isGatewayTag(own)) return [own];
  const text = bytes.toString("latin1");
  return text.startsWith(SEVERAL) ? text.slice(SEVERAL.length).split(",").filter(isGatewayTag) : [];
}
