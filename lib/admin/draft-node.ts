import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { decryptCredential } from "@/lib/config/credentials";
import type { Session } from "@/lib/db/database";
import { models, routes } from "@/lib/db/schema/catalog";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { embeddingNodes } from "@/lib/protocols/embeddings/adapter";
import type { ModelKind, NodeProtocol } from "@/lib/protocols/protocol";
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
 * What a test asks an upstream model for: what is wanted, else embeddings where the models that the stored node serves
 * make nothing else of it. Null: nothing says it. Throws: INVALID_REQUEST where the protocol has no embeddings.
 */
export async function knownKind(
  db: Session,
  node: { storedId: string | undefined; protocol: NodeProtocol },
  upstreamModel: string,
  wanted: ModelKind | undefined,
): Promise<ModelKind | null> {
  if (wanted === "embedding" && embeddingNodes[node.protocol] === null)
    throw badField("kind", `must be generation: nodes that speak ${node.protocol} have no embeddings`);
  if (wanted !== undefined || node.storedId === undefined) return wanted ?? null;
  const rows = await db.orm
    .select({ kind: models.kind })
    .from(routes)
    .innerJoin(models, eq(models.id, routes.modelId))
    .where(and(eq(routes.nodeId, node.storedId), eq(routes.upstreamModel, upstreamModel)));
  if (rows.some(({ kind }) => kind === "generation")) return "generation";
  return rows[0]?.kind ?? null;
}

/**
 * A node as it would be called once these fields are saved: under the same rules, with the stored fields and the stored
 * key of `nodeId` where none are given. A stored key that goes to another place than the stored one is an entry of the
 * audit. Throws: NOT_FOUND, INVALID_REQUEST, CONFLICT. Source: docs/contract.md#node-tests.
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

/** The result of work that decrypts a stored key. Throws: INVALID_REQUEST when that fails, so that it is entered anew. */
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
