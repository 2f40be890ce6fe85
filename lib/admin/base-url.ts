import { isIP } from "node:net";
import { badField } from "@/lib/kernel/errors";
import { isPrivateAddress } from "@/lib/upstream/address-guard";

/** Names that only resolve in private networks, such as those of metadata services. */
const INSIDE = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|localdomain)$/i;

/** Web servers use these or ports from 1024; lower ones belong to other services. */
const LOW_PORTS: ReadonlySet<number> = new Set([80, 443]);
const FIRST_FREE_PORT = 1024;

/**
 * Refuses a base URL that is private or not encrypted. Every connection checks the resolved address again. Throws:
 * INVALID_REQUEST. Source: docs/reliability.md#s3-9.
 */
export function checkBaseUrl(baseUrl: string, allowPrivate: boolean): void {
  if (allowPrivate) return;
  if (new URL(baseUrl).protocol !== "https:")
    throw badField("baseUrl", "must use https, or set ALLOW_PRIVATE_UPSTREAMS=1");
  refuseInside("baseUrl", baseUrl);
}

/**
 * Refuses a private address as a node's proxy; its connection may be unencrypted. Throws: INVALID_REQUEST.
 * Source: docs/reliability.md#s3-9.
 */
export function checkProxy(proxy: string | null | undefined, allowPrivate: boolean): void {
  if (!allowPrivate && typeof proxy === "string") refuseInside("proxy", proxy);
}

function refuseInside(field: string, address: string): void {
  const { port, hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const inside = isIP(host) === 0 ? INSIDE.test(host) || !host.includes(".") : isPrivateAddress(host);
  if (inside)
    throw badField(field, "points at a private address; set ALLOW_PRIVATE_UPSTREAMS=1 to allow that");
  const isWeb = port === "" || LOW_PORTS.has(Number(port)) || Number(port) >= FIRST_FREE_PORT;
  if (!isWeb) throw badField(field, `must have port 80, 443 or one from ${FIRST_FREE_PORT}`);
}

const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "api-key",
  "x-api-key",
  "x-goog-api-key",
  "x-auth-token",
  "cookie",
  "host",
  "connection",
  "content-length",
  "content-type",
  "content-encoding",
  "transfer-encoding",
  "accept-encoding",
  "upgrade",
  "expect",
  "te",
  "trailer",
  "keep-alive",
]);

/** Refuses custom headers that would store credentials unencrypted or break HTTP framing. Throws: INVALID_REQUEST. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (RESERVED_HEADERS.has(name.toLowerCase()))
      throw badField(`headers.${name}`, "cannot be set here; a credential belongs into apiKey");
    if (!/^[\t\x20-\x7e]{0,4096}$/.test(value)) throw badField(`headers.${name}`, "must be printable ASCII");
  }
}
