import { isIP, type Socket } from "node:net";
import { buildConnector, Client, type Dispatcher, Pool, ProxyAgent } from "undici";
import { SOCKET_BUFFER_BYTES } from "@/lib/kernel/body-writer";
import { guardedLookup, isPrivateAddress, privateAddressError } from "./address-guard";
import { type OutboundProxies, OutboundProxy } from "./outbound-proxy";

/** The settings of a node that its connections depend on. `guarded`: private addresses are refused. */
export interface DialTarget {
  id: string;
  origin: string;
  connectMs: number;
  proxy: string | null;
  /**
   * Certificates in PEM form, the only ones trusted for the origin (not for a proxy); null: those that Node.js trusts.
   */
  ca: string | null;
  guarded: boolean;
  /** Never through a proxy of the whole gateway: the simulated provider, which runs inside it. */
  direct: boolean;
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
  /** The proxies of the whole gateway; a node's own proxy wins. */
  readonly outboundProxy: OutboundProxy;

  constructor(proxies: OutboundProxies) {
    this.outboundProxy = new OutboundProxy(proxies);
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

  /** Closes the pool of a node. */
  forget(nodeId: string): void {
    const entry = this.#entries.get(nodeId);
    this.#entries.delete(nodeId);
    void entry?.dispatcher.close();
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
    const connect = {
      timeout: target.connectMs,
      highWaterMark: SOCKET_BUFFER_BYTES,
      ...(target.guarded ? { lookup: guardedLookup } : {}),
    };
    const trusted = target.ca === null ? {} : { ca: target.ca };
    const requestTls = { timeout: target.connectMs, ...trusted };
    if (target.proxy !== null) {
      if (target.guarded) refusePrivate(hostOf(target.proxy));
      return new ProxyAgent({ uri: target.proxy, proxyTls: connect, requestTls, factory: throughProxy });
    }
    if (target.guarded) refusePrivate(hostOf(target.origin));
    const outbound = target.direct ? null : this.outboundProxy.for(target.origin);
    if (outbound !== null)
      return new ProxyAgent({
        uri: outbound,
        connect: { timeout: target.connectMs },
        requestTls,
        factory: throughProxy,
      });
    const dial = connector({ ...connect, ...trusted });
    return new Pool(target.origin, {
      factory: (origin, options: Client.Options) => nodeClient(origin, options, dial),
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: 32 * 1024,
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
    a.origin === b.origin &&
    a.connectMs === b.connectMs &&
    a.proxy === b.proxy &&
    a.ca === b.ca &&
    a.guarded === b.guarded &&
    a.direct === b.direct
  );
}

/** A call with the state that its client needs. */
export interface PooledCall extends Dispatcher.DispatchOptions {
  call: Exchange;
}

/** The part of a call's exchange that its client uses. */
interface Exchange {
  /** True once its caller has abandoned it. */
  readonly aborted: boolean;
  /** True while no bytes of its connection are parsed. */
  readonly paused: boolean;
  /** The connection delivers no more bytes: parsing resumes. */
  connectionEnds(): void;
}

/** A pool of connections to a node through a proxy. `options.connect`: makes them. */
function throughProxy(origin: string | URL, options: Pool.Options): Pool {
  const { connect } = options;
  if (typeof connect !== "function") return new Pool(origin, options);
  return new Pool(origin, {
    ...options,
    factory: (to, own: Client.Options) => nodeClient(to, own, connect),
  });
}

/**
 * A client of one connection. When a call is aborted and its connection closed, undici treats the call as unsent and
 * would connect again for it: after many aborts there would be as many idle connections.
 */
function nodeClient(
  origin: string | URL,
  options: Client.Options,
  connect: buildConnector.connector,
): Client {
  let current: Exchange | undefined;
  const client = new Client(origin, {
    ...options,
    connect: (target, callback) => {
      if (current?.aborted) callback(new Error("the call was aborted"), null);
      else
        connect(target, (...result) => {
          const [, socket] = result;
          if (socket) endUnpaused(socket, () => current); // on an error it is undefined, not null
          callback(...result);
        });
    },
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (call, handler) => {
    current = (call as PooledCall).call; // every call of the gateway is a PooledCall
    return dispatch(call, handler);
  };
  return client;
}

/**
 * When the end of a connection may also be the end of its response, and comes while reading is paused, undici throws in
 * an event of the socket, which would end this process. These listeners are called before undici's.
 */
function endUnpaused(socket: Socket, exchange: () => Exchange | undefined): void {
  socket.once("end", () => exchange()?.connectionEnds());
  socket.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "ECONNRESET" && exchange()?.paused) error.code = "ERR_STREAM_PREMATURE_CLOSE";
  });
}

const LETTER_H = 0x48;
const DIGIT_1 = 0x31;
/** Offset of the status after `HTTP/1.1 `. */
const STATUS_OFFSET = 9;
const CONTINUE = /^HTTP\/1\.[01] 100[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/;
const MAX_CONTINUE_BYTES = 1_024;

/**
 * Connects like the default connector, and removes each `100 Continue` before the parser: any server may send one, but
 * the parser treats it as a malformed response. Source: docs/reliability.md#r-76.
 */
function connector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...result) => {
      const [, socket] = result;
      if (socket) dropContinue(socket);
      callback(...result);
    });
}

/** Cannot match a body: neither events nor JSON contain a bare carriage return. */
function dropContinue(socket: Socket): void {
  const read: (size?: number) => unknown = socket.read.bind(socket);
  socket.read = (size?: number) => {
    let bytes = read(size);
    while (Buffer.isBuffer(bytes) && bytes[0] === LETTER_H && bytes[STATUS_OFFSET] === DIGIT_1) {
      const found = CONTINUE.exec(bytes.toString("latin1", 0, MAX_CONTINUE_BYTES));
      if (found === null) break;
      bytes = found[0].length < bytes.length ? bytes.subarray(found[0].length) : read(size);
    }
    return bytes;
  };
}
