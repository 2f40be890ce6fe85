import { isIP } from "node:net";
import { type Client, type Dispatcher, Pool, ProxyAgent } from "undici";
import { guardedLookup, isPrivateAddress, privateAddressError } from "./address-guard";
import { connector } from "./connect";
import { nodeClient } from "./node-client";

/** The settings of a node that its connections depend on. `guarded`: private addresses are refused. */
export interface DialTarget {
  id: string;
  origin: string;
  connectMs: number;
  proxy: string | null;
  guarded: boolean;
}

interface Entry {
  target: DialTarget;
  dispatcher: Dispatcher;
}

const KEEP_ALIVE_MS = 45_000;

/**
 * Keep-alive connections per node, created on first use and replaced when the node changes.
 * Source: docs/adr/0002-undici-pools.md#decision.
 */
export class Pools {
  readonly #entries = new Map<string, Entry>();
  /** The proxy of the whole gateway; a node's own proxy wins. */
  readonly outboundProxy: string | null;
  readonly #noProxy: string[];

  constructor(options: { outboundProxy: string | null; noProxy: string }) {
    this.outboundProxy = options.outboundProxy;
    this.#noProxy = options.noProxy.split(",").map((entry) => entry.trim().toLowerCase());
  }

  /** The dispatcher of a node. Throws: EPRIVATEADDRESS for a private literal, its own or its proxy's, when guarded. */
  get(target: DialTarget): Dispatcher {
    const found = this.#entries.get(target.id);
    if (found && (found.target === target || isSame(found.target, target))) return found.dispatcher;
    if (found) {
      this.#entries.delete(target.id); // creating the next dispatcher may throw, and the old one must not be used again
      void found.dispatcher.close();
    }
    const dispatcher = this.#open(target);
    this.#entries.set(target.id, { target, dispatcher });
    return dispatcher;
  }

  /** Closes the pools of all other nodes. */
  retain(nodeIds: ReadonlySet<string>): void {
    for (const [id, entry] of this.#entries) {
      if (nodeIds.has(id)) continue;
      this.#entries.delete(id);
      void entry.dispatcher.close();
    }
  }

  /** Ends every connection at once. */
  async destroy(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(entries.map((entry) => entry.dispatcher.destroy()));
  }

  #open(target: DialTarget): Dispatcher {
    const connect = { timeout: target.connectMs, ...(target.guarded ? { lookup: guardedLookup } : {}) };
    if (target.proxy !== null) {
      if (target.guarded) refusePrivate(hostOf(target.proxy));
      return new ProxyAgent({ uri: target.proxy, proxyTls: connect });
    }
    const host = hostOf(target.origin);
    if (this.outboundProxy !== null && !this.#bypassesProxy(host))
      return new ProxyAgent({ uri: this.outboundProxy, connect: { timeout: target.connectMs } });
    if (target.guarded) refusePrivate(host);
    const dial = connector(connect);
    return new Pool(target.origin, {
      factory: (origin, options: Client.Options) => nodeClient(origin, options, dial),
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: 32 * 1024,
    });
  }

  #bypassesProxy(host: string): boolean {
    const name = host.toLowerCase();
    return this.#noProxy.some((entry) => {
      if (entry === "*") return true;
      const suffix = entry.replace(/^\*?\./, "");
      return suffix !== "" && (name === suffix || name.endsWith(`.${suffix}`));
    });
  }
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, "");
}

/** Throws for a private literal address; a name is checked when it is resolved. */
function refusePrivate(host: string): void {
  if (isIP(host) !== 0 && isPrivateAddress(host)) throw privateAddressError(host);
}

function isSame(a: DialTarget, b: DialTarget): boolean {
  return (
    a.origin === b.origin && a.connectMs === b.connectMs && a.proxy === b.proxy && a.guarded === b.guarded
  );
}
