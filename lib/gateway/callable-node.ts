import { decryptCredential } from "@/lib/config/credentials";
import type { CatalogNode } from "@/lib/router/catalog";
import { type CallableNode, credentialHeaderOf } from "@/lib/upstream/call-node";
import type { Gateway } from "./runtime";

const decrypted = new WeakMap<CatalogNode, CallableNode>();

/**
 * A node with its decrypted credential, cached as long as its snapshot is in use.
 * Throws: when the credential was encrypted with another key. Source: docs/reliability.md#s3-8, #s3-9.
 */
export function callableNode(
  gateway: Pick<Gateway, "settings" | "secrets">,
  node: CatalogNode,
): CallableNode {
  const known = decrypted.get(node);
  if (known) return known;
  const made: CallableNode = {
    id: node.id,
    protocol: node.protocol,
    provider: node.provider,
    baseUrl: node.baseUrl,
    headers: { ...node.headers },
    proxy: node.proxy,
    ca: node.ca,
    timeouts: node.timeouts,
    apiKey: credentialOf(gateway, node),
    credentialHeader: credentialHeaderOf(node),
    guarded: !(gateway.settings.allowPrivateUpstreams || node.managedByFile || node.simulated),
    direct: node.simulated,
  };
  decrypted.set(node, made);
  return made;
}

function credentialOf({ secrets }: Pick<Gateway, "secrets">, node: CatalogNode): string | null {
  if (node.credential === null || node.credentialKeyId === null) return null;
  return decryptCredential(secrets.credentials, node.id, {
    credential: node.credential,
    credentialKeyId: node.credentialKeyId,
  });
}
