import { randomUUID } from "node:crypto";
import { storedCredential } from "@/lib/config/node-credential";
import type { Session } from "@/lib/db/database";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { DEFAULT_TIMEOUTS } from "@/lib/router/catalog";
import { type CallableNode, credentialHeaderOf } from "@/lib/upstream/call-node";
import { callableCredential } from "@/lib/upstream/callable-credential";
import type { TokenSources } from "@/lib/upstream/credentials/token-sources";
import { type Actor, recordAudit, refuseManagedByFile } from "./audit";
import { checkedCredential } from "./node-credential";
import {
  checkAddresses,
  checkProvider,
  type NodeDraft,
  type NodeRow,
  type NodeRules,
  nodeById,
  withoutPassword,
} from "./nodes";
import { requireRegion } from "./require-region";

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
  rules: NodeRules & { sources: TokenSources },
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
  const asked = await checkedCredential(draft, rules);
  const takesStored = asked === undefined && stored !== null;
  const credential = takesStored
    ? withCredential(() => storedCredential(rules.ring, stored))
    : (asked ?? null);
  if (credential !== null) requireRegion(credential, baseUrl);
  if (takesStored && credential !== null && !keepsPlace)
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
    ...callableCredential(rules.sources, credential, baseUrl),
    credentialHeader: credentialHeaderOf(node),
    guarded: !(rules.allowPrivate || (stored?.simulated === true && keepsPlace)),
    direct: stored?.simulated === true && keepsPlace,
  };
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
