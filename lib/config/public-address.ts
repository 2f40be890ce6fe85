import { isIPv4 } from "node:net";

/** Where the gateway listens, and the address by which it is known. */
interface ListenAddress {
  host: string;
  publicUrl: string;
  publicUrlGiven: boolean;
}

/**
 * True when people beyond this machine may reach the gateway: it listens at more than the machine's own address, or its
 * public address is another one, as behind a reverse proxy. Source: docs/contract.md#b18.
 */
export function isPublic({ host, publicUrl, publicUrlGiven }: ListenAddress): boolean {
  return !isLoopback(host) || (publicUrlGiven && !isLoopback(new URL(publicUrl).hostname));
}

/** A host as it stands in a URL: an IPv6 address in brackets. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** True for the machine's own names and addresses, however they are written. */
function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  const url = `http://${urlHost(bare)}/`;
  if (!URL.canParse(url)) return false;
  const name = new URL(url).hostname.replace(/^\[|\]$|\.$/g, "");
  if (name === "localhost" || name.endsWith(".localhost") || name === "::1") return true;
  // ::ffff:127.0.0.1 in the form that URLs give it.
  return (isIPv4(name) && name.startsWith("127.")) || /^::ffff:7f[0-9a-f]{2}:/.test(name);
}
