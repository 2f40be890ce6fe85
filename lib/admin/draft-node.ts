import { randomUUID } from "node:crypto";
import { decryptCredential } from "@/lib/config/credentials";
import type { Session } from "@/lib/db/database";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { DEFAULT_TIMEOUTS } from "@/lib/router/catalog";
import { type CallableNode, credentialHeaderOf } from "@/lib/upstream/call-node";
import { type Actor, recordAudit, refuseManagedByFile } from "./audit";
import {
  checkAddresses,
  checkProvider,
  type NodeDraft,
  type NodeRow,
  type NodeRules,
  nodeById,
  withoutPassword,
} from "./nodes";

/**
 * A node as it would be called once these fields are saved: under the same rules, with the stored fields and the stored
 * key of `nodeId` for absent fields. Sending a stored key to another address or proxy than the stored one is recorded
 * in the audit. Throws: NOT_FOUND, INVALID_REQUEST, CONFLICT. Source: docs/contract.md#node-tests.
 */
export async function draftNode(
  db: Session,
  actor: Actor,
  nodeId: string | undefined,
  draft: NodeDraft,
  rules: NodeRules,
): Promise<CallableNode> {
  const stored = nodeId === undefined ? null : await nodeById(db.orm, nodeId);
  if (stored) refuseManagedByFile(stored);
  checkAddresses(draft, rules);
  const { protocol = stored?.protocol, baseUrl = stored?.baseUrl } = draft;
  if (protocol === undefined) throw badField("protocol", "is required");
  if (baseUrl === undefined) throw badField("baseUrl", "is required");
  const { provider = null, proxy = null, ca = null, headers = {} } = { ...stored, ...draft };
  const node = { provider, protocol, baseUrl };
  checkProvider(node);
  const keepsPlace = baseUrl === stored?.baseUrl && proxy === stored.proxy;
  const key = draft.apiKey === undefined && stored !== null ? storedKey(rules, stored) : null;
  if (stored !== null && key !== null && !keepsPlace)
    await recordAudit(db.orm, actor, {
      action: "node.test",
      targetType: "node",
      targetId: stored.id,
      before: placeOf(stored),
      after: placeOf({ baseUrl, proxy }),
    });
  return {
    ...node,
    id: `draft ${randomUUID()}`,
    headers,
    proxy,
    ca,
    timeouts: { ...DEFAULT_TIMEOUTS, ...(draft.timeouts ?? stored?.timeouts) },
    apiKey: key ?? draft.apiKey ?? null,
    credentialHeader: credentialHeaderOf(node),
    guarded: !(rules.allowPrivate || (stored?.simulated === true && keepsPlace)),
    direct: stored?.simulated === true && keepsPlace,
  };
}

function storedKey({ ring }: NodeRules, { id, credential, credentialKeyId }: NodeRow): string | null {
  if (credential === null || credentialKeyId === null) return null;
  return withCredential(() => decryptCredential(ring, id, { credential, credentialKeyId }));
}

/**
 * The result of work that decrypts a stored key. Throws: INVALID_REQUEST when that fails, so that the admin enters the
 * key again.
 */
export function withCredential<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    const message = "cannot be decrypted: it was stored under another ENCRYPTION_KEY; enter it again";
    throw new GatewayError("INVALID_REQUEST", `\`apiKey\` ${message}.`, {
      param: "apiKey",
      fields: { apiKey: [message] },
      cause,
    });
  }
}

function placeOf({ baseUrl, proxy }: Pick<NodeRow, "baseUrl" | "proxy">) {
  return { baseUrl, proxy: proxy === null ? null : withoutPassword(proxy) };
}
