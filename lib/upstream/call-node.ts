import type { NodeTimeouts } from "@/lib/db/schema/catalog";
import type { CredentialHeader } from "@/lib/protocols/adapter";
import { type ProvidedNode, providerOf } from "@/lib/protocols/profiles/provider";
import type { Protocol } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";
import type { DialTarget, PooledCall, Pools } from "./pools";
import { type CancelSignal, DialError, UpstreamAnswer } from "./upstream-answer";

/** A node with its decrypted credential (`apiKey`) and the header that carries it. */
export interface CallableNode {
  id: string;
  protocol: Protocol;
  provider: string | null;
  baseUrl: string;
  headers: Record<string, string>;
  proxy: string | null;
  timeouts: NodeTimeouts;
  apiKey: string | null;
  credentialHeader: CredentialHeader;
  /** Connections to private addresses are refused. */
  guarded: boolean;
}

/** A request to a node. */
export interface NodeRequest {
  path: string;
  body: string;
  headers: Record<string, string>;
  stream: boolean;
  signal: CancelSignal;
  /** Limit of the time to response headers, in addition to the node's timeouts. */
  headersWithinMs: number;
}

/**
 * Calls a node and resolves when its response headers arrive. Sends no headers of the caller's request; never follows
 * redirects. Throws: DialError. Source: docs/reliability.md#s2-9, #s3-9.
 */
export async function callNode(
  pools: Pools,
  node: CallableNode,
  request: NodeRequest,
): Promise<UpstreamAnswer> {
  const { target, path } = addressOf(node, request.path);
  const answer = new UpstreamAnswer();
  if (request.signal.aborted) throw new DialError("aborted", "the client has disconnected");
  const abort = () => answer.abort();
  request.signal.addEventListener("abort", abort, { once: true });
  try {
    const call: PooledCall = {
      origin: target.origin,
      path,
      method: "POST",
      headers: upstreamHeaders(node, request),
      body: request.body,
      headersTimeout: Math.min(request.headersWithinMs, headerTimeout(node, request)),
      bodyTimeout: request.stream ? node.timeouts.idleMs : node.timeouts.responseMs,
      call: answer,
    };
    pools.get(target).dispatch(call, answer);
  } catch (error) {
    request.signal.removeEventListener("abort", abort);
    throw new DialError("connect", error);
  }
  await answer.opened;
  return answer;
}

interface Address {
  target: DialTarget;
  path: string;
}

const addresses = new WeakMap<CallableNode, Map<string, Address>>();

/** The address of a path of a node, cached as long as the node's configuration lives. */
function addressOf(node: CallableNode, path: string): Address {
  const known = addresses.get(node) ?? new Map<string, Address>();
  addresses.set(node, known);
  const found = known.get(path);
  if (found) return found;
  const url = urlBelow(node.baseUrl, path);
  const { id, proxy, guarded, timeouts } = node;
  const target = { id, origin: url.origin, connectMs: timeouts.connectMs, proxy, guarded };
  const created = { target, path: url.pathname + url.search };
  known.set(path, created);
  return created;
}

function headerTimeout(node: CallableNode, request: NodeRequest): number {
  return request.stream ? node.timeouts.firstByteMs : node.timeouts.responseMs;
}

function upstreamHeaders(node: CallableNode, request: NodeRequest): Record<string, string> {
  return {
    "content-type": "application/json",
    accept: request.stream ? "text/event-stream" : "application/json",
    "accept-encoding": "identity",
    "user-agent": "tollgate/0.1",
    ...request.headers,
    ...(node.apiKey === null ? {} : credentialHeaders(node.credentialHeader, node.apiKey)),
    ...node.headers,
  };
}

/** The URL of a path below a base URL; keeps the base URL's query parameters. */
export function urlBelow(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url;
}

/** The header that carries a node's credential: its provider's, or else its protocol's. Source: docs/protocols.md#s3-1. */
export function credentialHeaderOf(node: ProvidedNode): CredentialHeader {
  return providerOf(node).apis[node.protocol]?.credential ?? protocols[node.protocol].node.credential;
}

/** The headers that carry a credential. */
export function credentialHeaders(header: CredentialHeader, secret: string): Record<string, string> {
  return { [header]: header === "authorization" ? `Bearer ${secret}` : secret };
}
