/** The database that DATABASE_URL names is not one that this program can work with; the message says what to do. */
export class UnsuitableDatabaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UnsuitableDatabaseError";
  }
}

const DEFAULT_PORT = 5432;

/** What to do about an address of several hosts, between which the driver does not fail over. */
export const ONE_HOST =
  "must name one host: a DNS name that follows the primary, a proxy (HAProxy), or a pooler in session mode";

/** True when the address names several hosts. */
export function namesSeveralHosts(url: string): boolean {
  return hostsOf(url).includes(",");
}

/**
 * Host and port of a literal IPv6 address, which the driver would split at its colons; null for other hosts, which the
 * driver reads from the address itself. Source: docs/contract.md#database-url.
 */
export function literalHost(url: string): { host: string; port: number } | null {
  const literal = /^\[([^\]]+)\](?::(\d+))?$/.exec(hostsOf(url));
  if (literal === null) return null;
  const [, host = "", port] = literal;
  return { host, port: port === undefined ? DEFAULT_PORT : Number(port) };
}

function hostsOf(url: string): string {
  const authority = url.slice(url.indexOf("://") + 3).split(/[/?#]/, 1)[0] ?? "";
  return authority.slice(authority.lastIndexOf("@") + 1);
}
