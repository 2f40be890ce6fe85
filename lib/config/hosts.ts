import { isIPv4 } from "node:net";

/** The listening address and the public URL of the gateway. */
interface ListenAddress {
  host: string;
  publicUrl: string;
  publicUrlGiven: boolean;
}

/**
 * True when other machines may reach the gateway: it listens on more than loopback, or its public URL is not a loopback
 * address, as behind a reverse proxy. Source: docs/contract.md#b18.
 */
export function isPublic({ host, publicUrl, publicUrlGiven }: ListenAddress): boolean {
  return !isLoopback(host) || (publicUrlGiven && !isLoopback(new URL(publicUrl).hostname));
}

/** A host in the form of a URL: an IPv6 address in brackets. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** True for loopback names and addresses in any notation, without a port. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  const url = `http://${urlHost(bare)}/`;
  if (!URL.canParse(url)) return false;
  const name = new URL(url).hostname.replace(/^\[|\]$|\.$/g, "");
  if (name === "localhost" || name.endsWith(".localhost") || name === "::1") return true;
  // ::ffff:127.0.0.1 in the normal form of a URL.
  return (isIPv4(name) && name.startsWith("127.")) || /^::ffff:7f[0-9a-f]{2}:/.test(name);
}
