import type { CredentialHeader } from "@/lib/protocols/node-api";
import { type ProvidedNode, providerOf } from "@/lib/protocols/profiles/provider";
import { protocols } from "@/lib/protocols/registry";

/** The address of a path below a base URL, whose query parameters stay at the end. */
export function urlBelow(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url;
}

/** Where a node takes its credential: as its provider says, else its protocol. Source: docs/protocols.md#s3-1. */
export function credentialHeaderOf(node: ProvidedNode): CredentialHeader {
  return providerOf(node).apis[node.protocol]?.credential ?? protocols[node.protocol].node.credential;
}

/** The headers that carry a credential. */
export function credentialHeaders(header: CredentialHeader, secret: string): Record<string, string> {
  return { [header]: header === "authorization" ? `Bearer ${secret}` : secret };
}
