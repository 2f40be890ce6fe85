import { decryptCredential } from "@/lib/config/credentials";
import { runtime } from "@/lib/gateway/runtime";
import type { CatalogNode } from "@/lib/router/catalog";
import type { CallableNode } from "@/lib/upstream/call-node";
import { credentialHeaderOf } from "@/lib/upstream/node-request";

const decrypted = new WeakMap<CatalogNode, CallableNode>();

/**
 * A node with its credential in clear, kept as long as its snapshot lives.
 * Throws: when the credential was encrypted with another key. Source: docs/reliability.md#s3-8, #s3-9.
 */
export function callableNode(node: CatalogNode): CallableNode {
  const known = decrypted.get(node);
  if (known) return known;
  const { settings } = runtime();
  const made: CallableNode = {
    id: node.id,
    protocol: node.protocol,
    provider: node.provider,
    baseUrl: node.baseUrl,
    headers: { ...node.headers },
    proxy: node.proxy,
    timeouts: node.timeouts,
    apiKey: credentialOf(node),
    credentialHeader: credentialHeaderOf(node),
    guarded: !(settings.allowPrivateUpstreams || node.managedByFile || node.simulated),
  };
  decrypted.set(node, made);
  return made;
}

function credentialOf(node: CatalogNode): string | null {
  if (node.credential === null || node.credentialKeyId === null) return null;
  return decryptCredential(runtime().secrets.credentials, node.id, {
    credential: node.credential,
    credentialKeyId: node.credentialKeyId,
  });
}
