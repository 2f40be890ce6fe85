import { storedCredential } from "@/lib/config/node-credential";
import { rowOf } from "@/lib/kernel/json-object";
import type { CatalogNode } from "@/lib/router/catalog";
import type { Credential } from "@/lib/shared/credentials/credential";
import { secretFields } from "@/lib/shared/credentials/secret-fields";
import { type CallableNode, credentialHeaderOf } from "@/lib/upstream/call-node";
import { callableCredential } from "@/lib/upstream/callable-credential";
import type { Gateway } from "./runtime";

const decrypted = new WeakMap<CatalogNode, CallableNode>();

/**
 * A node with its decrypted credential, cached as long as its snapshot is in use. One whose credential cannot be read has
 * an `accessProblem`. Source: docs/reliability.md#s3-8, #s3-9, docs/clouds.md#failures.
 */
export function callableNode(
  gateway: Pick<Gateway, "settings" | "secrets" | "tokenSources">,
  node: CatalogNode,
): CallableNode {
  const known = decrypted.get(node);
  if (known) return known;
  const { credential, accessProblem } = readCredential(gateway, node);
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
    ...(accessProblem !== undefined && { accessProblem }),
  };
  decrypted.set(node, made);
  return made;
}

function readCredential(
  { secrets }: Pick<Gateway, "secrets">,
  node: CatalogNode,
): { credential: Credential | null; accessProblem?: string } {
  try {
    return { credential: storedCredential(secrets.credentials, node) };
  } catch {
    const isKnown = rowOf(secretFields, node.credentialKind) !== undefined;
    return { credential: null, accessProblem: isKnown ? "credential_unreadable" : "kind_unknown" };
  }
}
