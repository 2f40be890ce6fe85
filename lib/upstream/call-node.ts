import type { NodeTimeouts } from "@/lib/db/schema/catalog";
import type { Waiter } from "@/lib/kernel/waiter";
import { type CredentialHeader, credentialHeaders } from "@/lib/protocols/adapters/credential-header";
import { type ProvidedNode, providerOf } from "@/lib/protocols/profiles/provider";
import type { NodeProtocol } from "@/lib/protocols/protocol";
import { nodeAdapterOf } from "@/lib/protocols/registry";
import { version } from "@/package.json";
import type { CancelSignal } from "./cancellation";
import { CloudCall } from "./cloud-call";
import type { CloudAccess } from "./credentials/cloud-access";
import { CredentialError } from "./credentials/credential-error";
import type { DialTarget, PooledCall, Pools } from "./pools";
import { DialError, UpstreamAnswer } from "./upstream-answer";

/** A node with its decrypted credential: a key (`apiKey`) and the header that carries it, or access to a cloud. */
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
  /** Null for a node that is called with a key, or with nothing. */
  access: CloudAccess | null;
  /** Why there is no access, as a code of `CredentialError`; absent: none is known. */
  accessProblem?: string;
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

const JSON_TYPE = "application/json";

/**
 * Calls a node and resolves when its response headers arrive. Sends no headers of the caller's request; never follows
 * redirects. Throws: DialError, CredentialError. Source: docs/reliability.md#s2-9, #s3-9.
 */
export function callNode(pools: Dial, node: CallableNode, request: NodeRequest): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => dialNode(pools, node, request, { resolve, reject }));
}

/** As `callNode`, for a waiter. Throws: DialError or CredentialError of a call that cannot begin. */
export function dialNode(
  pools: Dial,
  node: CallableNode,
  request: NodeRequest,
  opening: Waiter<UpstreamAnswer>,
): void {
  if (request.signal.aborted) throw new DialError("aborted", "the client has disconnected");
  if (node.accessProblem !== undefined) throw new CredentialError(node.accessProblem);
  const address = addressOf(node, request.path);
  const { headers, streamHeaders } = address;
  const ownHeaders = request.stream ? streamHeaders : headers;
  const sent = hasMembers(request.headers) ? headerBlock(node, request.stream, request.headers) : ownHeaders;
  if (node.access === null) dispatch(pools, node, request, address, sent, opening);
  else dialCloud(pools, node, node.access, request, address, sent, opening);
}

/** Sends a request with a token or a signature. */
function dialCloud(
  pools: Dial,
  node: CallableNode,
  access: CloudAccess,
  request: NodeRequest,
  address: Address,
  headers: readonly string[],
  opening: Waiter<UpstreamAnswer>,
): void {
  const body = request.body ?? "";
  const { url } = address;
  const { signal } = request;
  const withinMs = Math.min(request.headersWithinMs, headerTimeout(node, request));
  const unsigned = { method: methodOf(request), url, contentType: JSON_TYPE, body, signal, withinMs };
  const send = (added: Record<string, string>, headersWithinMs: number, waiter: Waiter<UpstreamAnswer>) => {
    const all = [...without(headers, added), ...Object.entries(added).flat()];
    dispatch(pools, node, { ...request, headersWithinMs }, address, all, waiter);
  };
  new CloudCall(access, unsigned, send, opening).start();
}

/** A block of headers without those of some names and of the type of the content, which is signed. */
function without(headers: readonly string[], added: Readonly<Record<string, string>>): string[] {
  const kept: string[] = ["content-type", JSON_TYPE];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? "";
    const low = name.toLowerCase();
    if (low !== "content-type" && added[low] === undefined) kept.push(name, headers[at + 1] ?? "");
  }
  return kept;
}

function methodOf(request: NodeRequest): "GET" | "POST" {
  return request.body === null ? "GET" : "POST";
}

/** Sends a request. `headers`: names and values in turn. Throws: DialError. */
function dispatch(
  pools: Dial,
  node: CallableNode,
  request: NodeRequest,
  address: Address,
  headers: string[],
  opening: Waiter<UpstreamAnswer>,
): void {
  const { target, path } = address;
  const { signal, stream } = request;
  const answer = new UpstreamAnswer(opening);
  const abort = () => answer.abort();
  signal.addEventListener("abort", abort, { once: true });
  const call: PooledCall = {
    origin: target.origin,
    path,
    method: methodOf(request),
    headers,
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
  url: URL;
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
    url,
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
    "content-type": JSON_TYPE,
    accept: stream ? "text/event-stream" : JSON_TYPE,
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
  return providerOf(node).apis[node.protocol]?.credential ?? nodeAdapterOf(node).api.credential;
}
