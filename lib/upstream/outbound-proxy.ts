import { BlockList, isIP } from "node:net";

/** The proxies of the whole gateway, as its settings name them. */
export interface OutboundProxies {
  /** The proxy for addresses with TLS. */
  https: string | null;
  /** The proxy for addresses without TLS. */
  http: string | null;
  noProxy: string;
}

/** One entry of `NO_PROXY`. A null port is any. */
type Exception = (host: string, port: string) => boolean;

/**
 * Decides which connections go through a proxy of the whole gateway, by the rules of curl.
 * Source: docs/contract.md#proxies.
 */
export class OutboundProxy {
  readonly #proxies: OutboundProxies;
  readonly #exceptions: readonly Exception[];

  constructor(proxies: OutboundProxies) {
    this.#proxies = proxies;
    this.#exceptions = proxies.noProxy
      .split(/[\s,]+/)
      .filter((entry) => entry !== "")
      .map((entry) => exceptionOf(entry.toLowerCase()));
  }

  /** The addresses of the proxies, whether used or not. */
  get all(): readonly string[] {
    const { https, http } = this.#proxies;
    return [...new Set([https, http])].filter((proxy) => proxy !== null);
  }

  /** The proxy for connections to an origin; null: none. */
  for(origin: string): string | null {
    const { protocol, hostname, port } = new URL(origin);
    const proxy = protocol === "https:" ? this.#proxies.https : this.#proxies.http;
    if (proxy === null) return null;
    const host = hostname.replace(/^\[|\]$|\.$/g, "");
    const ownPort = port || (protocol === "https:" ? "443" : "80");
    return this.#exceptions.some((matches) => matches(host, ownPort)) ? null : proxy;
  }
}

function exceptionOf(entry: string): Exception {
  if (entry === "*") return () => true;
  const network = /^\[?([0-9a-f.:]+)\]?\/(\d{1,3})$/.exec(entry);
  if (network !== null) return inNetwork(network[1] ?? "", Number(network[2]));
  const [, v6, name = "", wanted] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  // An IPv6 address without brackets has no port.
  const host = (v6 ?? (isIP(entry) === 6 ? entry : name)).replace(/^\*?\./, "").replace(/\.$/, "");
  if (host === "") return () => false;
  if (isIP(host) !== 0) {
    const same = inNetwork(host, isIP(host) === 4 ? 32 : 128);
    return (asked, port) => same(asked, port) && (wanted ?? port) === port;
  }
  return (asked, port) =>
    (asked === host || (isIP(asked) === 0 && asked.endsWith(`.${host}`))) && (wanted ?? port) === port;
}

function inNetwork(address: string, prefix: number): Exception {
  const family = isIP(address);
  if (family === 0 || prefix > (family === 4 ? 32 : 128)) return () => false;
  const list = new BlockList();
  list.addSubnet(address, prefix, family === 4 ? "ipv4" : "ipv6");
  return (asked) => isIP(asked) === family && list.check(asked, family === 4 ? "ipv4" : "ipv6");
}
