import type { CredentialHeader } from "@/lib/protocols/node-api";
import { type ProvidedNode, providerOf } from "@/lib/protocols/profiles/provider";
import { protocols } from "@/lib/protocols/registry";

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
