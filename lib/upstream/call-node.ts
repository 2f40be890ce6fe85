import type { NodeTimeouts } from "@/lib/db/schema/catalog";
import type { Waiter } from "@/lib/kernel/waiter";
import { type CredentialHeader, credentialHeaders } from "@/lib/protocols/adapters/credential-header";
import { type ProvidedNode, providerOf } from "@/lib/protocols/profiles/provider";
import type { NodeProtocol } from "@/lib/protocols/protocol";
import { nodeAdapters } from "@/lib/protocols/registry";
import { version } from "@/package.json";
import type { CancelSignal } from "./cancellation";
import type { DialTarget, PooledCall, Pools } from "./pools";
import { DialError, UpstreamAnswer } from "./upstream-answer";

/** A node with its decrypted credential (`apiKey`) and the header that carries it. */
export interface CallableNode {
  id: string;
  protocol: NodeProtocol;
  provider: string | null;
  baseUrl: string;
  headers: Record<string, string>;
  proxy: string | null;
  /** Certificates in PEM form, the only ones trusted for this node; null: those that Node.js trusts. */
  ca: string | null;
  timeouts: NodeTimeouts;
  apiKey: string | null;
  credentialHeader: CredentialHeader;
  /** Connections to private addresses are refused. */
  guarded: boolean;
  /** Never through a proxy of the whole gateway. */
  direct: boolean;
}

/** A request to a node. */
export interface NodeRequest {
  path: string;
  /** Null: the request is a GET. */
  body: string | Buffer | null;
  headers: Record<string, string>;
  stream: boolean;
  signal: CancelSignal;
  /** Limit of the time to response headers, in addition to the node's timeouts. */
  headersWithinMs: number;
}

type Dial = Pick<Pools, "get">;

/**
 * Calls a node and resolves when its response headers arrive. Sends no headers of the caller's request; never follows
 * redirects. Throws: DialError. Source: docs/reliability.md#s2-9, #s3-9.
 */
export function callNode(pools: Dial, node: CallableNode, request: NodeRequest): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => dialNode(pools, node, request, { resolve, reject }));
}

/** As `callNode`, for a waiter. Throws: DialError of a call that cannot begin. */
export function dialNode(
  pools: Dial,
  node: CallableNode,
  request: NodeRequest,
  opening: Waiter<UpstreamAnswer>,
): void {
  const { target, path, headers, streamHeaders } = addressOf(node, request.path);
  const { signal, stream } = request;
  if (signal.aborted) throw new DialError("aborted", "the client has disconnected");
  const answer = new UpstreamAnswer(opening);
  const abort = () => answer.abort();
  signal.addEventListener("abort", abort, { once: true });
  const ownHeaders = stream ? streamHeaders : headers;
  const call: PooledCall = {
    origin: target.origin,
    path,
    method: request.body === null ? "GET" : "POST",
    headers: hasMembers(request.headers) ? headerBlock(node, stream, request.headers) : ownHeaders,
    body: request.body,
    headersTimeout: Math.min(request.headersWithinMs, headerTimeout(node, request)),
    bodyTimeout: stream ? node.timeouts.idleMs : node.timeouts.responseMs,
    call: answer,
  };
  try {
    pools.get(target).dispatch(call, answer);
  } catch (error) {
    signal.removeEventListener("abort", abort);
    throw new DialError("connect", error);
  }
}

/** What all calls of one path of a node have in common. */
interface Address {
  target: DialTarget;
  path: string;
  /** Names and values in turn, of calls that send no headers of their own. */
  headers: string[];
  streamHeaders: string[];
}

const addresses = new WeakMap<CallableNode, Map<string, Address>>();

/** The address of a path of a node, cached as long as the node's configuration lives. */
function addressOf(node: CallableNode, path: string): Address {
  const known = addresses.get(node) ?? new Map<string, Address>();
  const found = known.get(path);
  if (found) return found;
  addresses.set(node, known);
  const url = urlBelow(node.baseUrl, path);
  const { id, proxy, ca, guarded, direct, timeouts } = node;
  const created = {
    target: { id, origin: url.origin, connectMs: timeouts.connectMs, proxy, ca, guarded, direct },
    path: url.pathname + url.search,
    headers: headerBlock(node, false, {}),
    streamHeaders: headerBlock(node, true, {}),
  };
  known.set(path, created);
  return created;
}

function hasMembers(headers: Record<string, string>): boolean {
  for (const _name in headers) return true;
  return false;
}

function headerTimeout(node: CallableNode, request: NodeRequest): number {
  return request.stream ? node.timeouts.firstByteMs : node.timeouts.responseMs;
}

function headerBlock(node: CallableNode, stream: boolean, own: Record<string, string>): string[] {
  const headers = {
    "content-type": "application/json",
    accept: stream ? "text/event-stream" : "application/json",
    "accept-encoding": "identity",
    "user-agent": `tollgate/${version}`,
    ...own,
    ...(node.apiKey === null ? {} : credentialHeaders(node.credentialHeader, node.apiKey)),
    ...node.headers,
  };
  return Object.entries(headers).flat();
}

/** The URL of a path, which may have a query, below a base URL; keeps the base URL's query parameters. */
export function urlBelow(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl);
  const [pathname = "", query] = path.split("?");
  url.pathname = url.pathname.replace(/\/+$/, "") + pathname;
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  return url;
}

/** The header that carries a node's credential: its provider's, or else its protocol's. Source: docs/protocols.md#s3-1. */
export function credentialHeaderOf(node: ProvidedNode): CredentialHeader {
  return providerOf(node).apis[node.protocol]?.credential ?? nodeAdapters[node.protocol].api.credential;
}
