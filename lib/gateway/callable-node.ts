import { storedCredential } from "@/lib/config/node-credential";
import type { CatalogNode } from "@/lib/router/catalog";
import { type CallableNode, credentialHeaderOf } from "@/lib/upstream/call-node";
import { callableCredential } from "@/lib/upstream/callable-credential";
import type { Gateway } from "./runtime";

const decrypted = new WeakMap<CatalogNode, CallableNode>();

/**
 * A node with its decrypted credential, cached as long as its snapshot is in use.
 * Throws: when the credential was encrypted with another key. Source: docs/reliability.md#s3-8, #s3-9.
 */
export function callableNode(
  gateway: Pick<Gateway, "settings" | "secrets" | "tokenSources">,
  node: CatalogNode,
): CallableNode {
  const known = decrypted.get(node);
  if (known) return known;
  const credential = storedCredential(gateway.secrets.credentials, node);
  const made: CallableNode = {
    id: node.id,
    protocol: node.protocol,
    provider: node.provider,
    baseUrl: node.baseUrl,
    headers: { ...node.headers },
    proxy: node.proxy,
    ca: node.ca,
    timeouts: node.timeouts,
    ...callableCredential(gateway.tokenSources, credential, node.baseUrl),
    credentialHeader: credentialHeaderOf(node),
    guarded: !(gateway.settings.allowPrivateUpstreams || node.managedByFile || node.simulated),
    direct: node.simulated,
  };
  decrypted.set(node, made);
  return made;
}
