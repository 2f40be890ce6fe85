/** A primary that Sentinels name. */
export interface SentinelAddress {
  sentinels: { host: string; port: number }[];
  /** The name of the primary in the Sentinels' configuration. */
  name: string;
  tls: boolean;
  username?: string;
  password?: string;
  sentinelUsername?: string;
  sentinelPassword?: string;
  db: number;
}

const DEFAULT_PORT = 26_379;
const FORM =
  /^(rediss?)\+sentinel:\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/([^/?#]+)(?:\/(\d{1,4}))?\/?(?:\?([^#]*))?$/;
const HOST = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/;
const QUERY: ReadonlySet<string> = new Set(["sentinelUsername", "sentinelPassword"]);

/** True for the scheme of a Sentinel's address, whatever follows. */
export function isSentinelAddress(text: string): boolean {
  return /^rediss?\+sentinel:/.test(text);
}

/**
 * Reads `redis+sentinel://user:password@host:26379,host:26379/name/0?sentinelUsername=…&sentinelPassword=…`, or with
 * `rediss` over TLS; all parts but one host and the name may be missing. Null when it is no such address.
 * Source: docs/contract.md#redis.
 */
export function sentinelAddress(text: string): SentinelAddress | null {
  const [, scheme, credentials = "", hosts = "", name = "", db = "0", query = ""] = FORM.exec(text) ?? [];
  const sentinels = hosts.split(",").map(hostOf);
  const given = new URLSearchParams(query);
  if (scheme === undefined || sentinels.includes(null) || ![...given.keys()].every((key) => QUERY.has(key)))
    return null;
  const [username, ...rest] = credentials.split(":");
  const decoded = {
    name: decode(name),
    username: decode(username ?? ""),
    password: decode(rest.join(":")),
    sentinelUsername: given.get("sentinelUsername"),
    sentinelPassword: given.get("sentinelPassword"),
  };
  if (decoded.name === null || decoded.username === null || decoded.password === null) return null;
  return {
    sentinels: sentinels.filter((sentinel) => sentinel !== null),
    name: decoded.name,
    tls: scheme === "rediss",
    db: Number(db),
    ...(decoded.username === "" ? {} : { username: decoded.username }),
    ...(decoded.password === "" ? {} : { password: decoded.password }),
    ...(decoded.sentinelUsername ? { sentinelUsername: decoded.sentinelUsername } : {}),
    ...(decoded.sentinelPassword ? { sentinelPassword: decoded.sentinelPassword } : {}),
  };
}

function hostOf(text: string): { host: string; port: number } | null {
  const [, v6, name, port = DEFAULT_PORT] = HOST.exec(text) ?? [];
  const host = v6 ?? name;
  if (host === undefined || Number(port) > 65_535) return null;
  return { host, port: Number(port) };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
