import { randomUUID } from "node:crypto";
import { decryptCredential } from "@/lib/config/credentials";
import type { Session } from "@/lib/db/database";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { parseJson } from "@/lib/kernel/json";
import { protocols } from "@/lib/protocols/registry";
import { DEFAULT_TIMEOUTS } from "@/lib/router/catalog";
import { type CallableNode, credentialHeaderOf } from "@/lib/upstream/call-node";
import { nodeSecrets } from "@/lib/upstream/node-secrets";
import type { Pools } from "@/lib/upstream/pools";
import { type Actor, recordAudit, refuseManagedByFile } from "./audit";
import {
  type Exchange,
  entriesOf,
  exchange,
  type ListedModel,
  lastOf,
  listedModel,
  sampleOf,
  smallRequest,
} from "./node-exchange";
import {
  checkAddresses,
  checkProvider,
  type NodeDraft,
  type NodeRow,
  type NodeRules,
  nodeById,
  withoutPassword,
} from "./nodes";

const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_LIST_MS = 15_000;
const MAX_PAGES = 5;
const MAX_MODELS = 2_000;

/** The result of one small test request to a node. */
export interface NodeTestResult extends Exchange {
  ok: boolean;
  upstreamModel: string;
  /** The beginning of the answer; null without one. */
  sample: string | null;
}

/** A node's own list of models in order of id; empty with a problem. */
export interface NodeModels extends Exchange {
  models: ListedModel[];
  /** The node has more models than are listed here. */
  truncated: boolean;
}

/** The result of testing a node that is not saved. */
export interface DraftTest extends NodeModels {
  reachable: boolean;
  /** Whether the node takes the key; null: not known, because it answers without one too. */
  authenticated: boolean | null;
  /** Null: no model was named, or the node is out of reach. */
  test: NodeTestResult | null;
}

/** Sends a small test request to a node; it does not count for limits, billing or health. */
export async function testNode(
  pools: Pools,
  node: CallableNode,
  upstreamModel: string,
  provenanceKey: string,
): Promise<NodeTestResult> {
  const request = smallRequest(node, upstreamModel, provenanceKey);
  const { text, ...came } = await exchange(pools, node, request, MAX_ANSWER_BYTES);
  if (came.problem !== null) return { ok: false, upstreamModel, ...came, sample: null };
  const { isAnswer, sample } = sampleOf(text, node, nodeSecrets(node, pools.outboundProxy));
  return { ok: isAnswer, upstreamModel, ...came, problem: isAnswer ? null : "broken", sample };
}

/** Asks a node for its list of models, page by page, within bounds of size, number and time. */
export async function listNodeModels(pools: Pools, node: CallableNode): Promise<NodeModels> {
  const { modelsPath, modelsPages, headers } = protocols[node.protocol].node;
  const secrets = nodeSecrets(node, pools.outboundProxy);
  const signal = AbortSignal.timeout(MAX_LIST_MS);
  const found = new Map<string, ListedModel>();
  let path = modelsPages === undefined ? modelsPath : `${modelsPath}?${modelsPages.query}`;
  let totalMs = 0;
  for (let page = 1; ; page += 1) {
    const request = { path, body: null, headers, stream: false, signal, headersWithinMs: MAX_LIST_MS };
    const { text, ...came } = await exchange(pools, node, request, MAX_LIST_BYTES);
    totalMs += came.totalMs;
    const empty = { ...came, totalMs, models: [], truncated: false };
    if (came.problem !== null) return empty;
    const body = parseJson(text);
    const entries = entriesOf(body);
    if (entries === null) return { ...empty, problem: "broken" };
    for (const entry of entries) {
      const model = listedModel(entry, secrets);
      if (model !== null) found.set(model.id, model);
    }
    const last = modelsPages === undefined ? null : lastOf(body);
    if (last === null || modelsPages === undefined || page === MAX_PAGES || found.size >= MAX_MODELS) {
      const models = [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, MAX_MODELS);
      return { ...empty, models, truncated: last !== null || found.size > MAX_MODELS };
    }
    path = `${modelsPath}?${modelsPages.query}&${modelsPages.after}=${encodeURIComponent(last)}`;
  }
}

/** Tests a node that is not saved: lists its models and, with a model, asks for a few tokens. */
export async function testDraft(
  pools: Pools,
  node: CallableNode,
  upstreamModel: string | undefined,
  provenanceKey: string,
): Promise<DraftTest> {
  try {
    const list = await listNodeModels(pools, node);
    const reachable = list.status !== null;
    const asks = reachable && upstreamModel !== undefined;
    const test = asks ? await testNode(pools, node, upstreamModel, provenanceKey) : null;
    return { ...list, reachable, authenticated: await takesKey(pools, node, list, test), test };
  } finally {
    pools.forget(node.id);
  }
}

/** A list that is also there without the key does not prove that the key is right. */
async function takesKey(
  pools: Pools,
  node: CallableNode,
  list: NodeModels,
  test: NodeTestResult | null,
): Promise<boolean | null> {
  if (test?.ok) return node.apiKey === null ? null : true;
  if (list.problem === "credential" || test?.problem === "credential") return false;
  if (list.problem !== null || node.apiKey === null) return null;
  const { problem } = await listNodeModels(pools, { ...node, apiKey: null });
  return problem === "credential" || problem === "forbidden" ? true : null;
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
  const { provider = null, proxy = null, headers = {} } = { ...stored, ...draft };
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
    timeouts: { ...DEFAULT_TIMEOUTS, ...(draft.timeouts ?? stored?.timeouts) },
    apiKey: key ?? draft.apiKey ?? null,
    credentialHeader: credentialHeaderOf(node),
    guarded: !(rules.allowPrivate || (stored?.simulated === true && keepsPlace)),
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
