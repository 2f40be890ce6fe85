import { isIP } from "node:net";
import { badField } from "@/lib/accounts/bad-field";
import { isPrivateAddress } from "@/lib/upstream/address-guard";

/** Names that only resolve inside; metadata services are among them. */
const INSIDE = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|localdomain)$/i;

/**
 * Refuses a base URL that points inside or travels in clear. Names are checked again at every dial, by the address
 * they resolve to then. Throws: INVALID_REQUEST. Source: reliability 3.9.
 */
export function checkBaseUrl(baseUrl: string, allowPrivate: boolean): void {
  if (allowPrivate) return;
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== "https:") throw badField("baseUrl", "must use https, or set ALLOW_PRIVATE_UPSTREAMS=1");
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const inside = isIP(host) === 0 ? INSIDE.test(host) || !host.includes(".") : isPrivateAddress(host);
  if (inside)
    throw badField("baseUrl", "points at a private address; set ALLOW_PRIVATE_UPSTREAMS=1 to allow that");
}

const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "x-api-key",
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

/** Refuses extra headers that carry credentials in clear or break the message. Throws: INVALID_REQUEST. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (RESERVED_HEADERS.has(name.toLowerCase())) throw badField(`headers.${name}`, "cannot be set here");
    if (!/^[\t\x20-\x7e]{0,4096}$/.test(value)) throw badField(`headers.${name}`, "must be printable ASCII");
  }
}
