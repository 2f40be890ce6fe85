import { parseJson } from "@/lib/kernel/parse-json";
import type { ModelList } from "@/lib/protocols/adapters/node-api";
import { embeddingNodes } from "@/lib/protocols/embeddings/adapter";
import { nodeAdapterOf } from "@/lib/protocols/registry";
import type { CallableNode } from "@/lib/upstream/call-node";
import { nodeSecrets } from "@/lib/upstream/node-secrets";
import type { Pools } from "@/lib/upstream/pools";
import { type Exchange, entriesOf, exchange, type ListedModel, listedModel } from "./node-exchange";
import { hintOfList } from "./node-hint";

const MAX_LIST_BYTES = 4 * 1024 * 1024;

const MAX_LIST_MS = 15_000;

const MAX_PAGES = 5;

const MAX_MODELS = 2_000;

/** A node's own list of models in order of id; empty with a problem. */
export interface NodeModels extends Exchange {
  models: ListedModel[];
  /** The node has more models than are listed here. */
  truncated: boolean;
}

/** Asks a node for its list of models, page by page, within bounds of size, number and time. */
export async function listNodeModels(pools: Pools, node: CallableNode): Promise<NodeModels> {
  const { models: list, headers } = nodeAdapterOf(node).api;
  const signal = AbortSignal.timeout(MAX_LIST_MS);
  const call = { body: null, headers, stream: false, signal, headersWithinMs: MAX_LIST_MS };
  const get = async (asked: CallableNode, path: string) => {
    const {
      bytes,
      contentType: _,
      ...received
    } = await exchange(pools, asked, { ...call, path }, MAX_LIST_BYTES);
    return { text: bytes.toString(), received };
  };
  const baseUrl = list === null ? null : baseUrlOf(list, node);
  if (list === null || baseUrl === null) return unlisted((await get(node, "")).received);
  if (baseUrl === node.baseUrl) return pagesOf(list, (path) => get(node, path), { pools, node });
  const other = { ...node, id: `models of ${node.id}`, baseUrl }; // the node's connections stay those of its own host
  try {
    return await pagesOf(list, (path) => get(other, path), { pools, node });
  } finally {
    pools.forget(other.id);
  }
}

function baseUrlOf(list: ModelList, { baseUrl }: CallableNode): string | null {
  return list.baseUrl === undefined ? baseUrl : list.baseUrl(new URL(baseUrl));
}

/** What a call of the base URL itself says of a node without a list. */
function unlisted(received: Exchange): NodeModels {
  const known = received.status === null || received.problem === "credential";
  const problem = known ? received.problem : "missing";
  return { ...received, problem, error: known ? received.error : null, models: [], truncated: false };
}

type Get = (path: string) => Promise<{ text: string; received: Exchange }>;

async function pagesOf(
  list: ModelList,
  get: Get,
  { pools, node }: { pools: Pools; node: CallableNode },
): Promise<NodeModels> {
  const secrets = nodeSecrets(node, pools.outboundProxy.all);
  const found = new Map<string, ListedModel>();
  const embeds = embeddingNodes[node.protocol] !== null;
  let { path } = list;
  let totalMs = 0;
  for (let page = 1; ; page += 1) {
    const { text, received } = await get(path);
    totalMs += received.totalMs;
    const empty = { ...received, totalMs, models: [], truncated: false };
    if (received.problem !== null) return empty;
    const body = parseJson(text);
    const entries = list.entries === undefined ? entriesOf(body) : list.entries(body);
    if (entries === null) return { ...empty, problem: "broken" };
    for (const entry of entries) {
      const model = listedModel(entry, secrets);
      if (model !== null) found.set(model.id, embeds ? model : { ...model, kind: "generation" });
    }
    const next = list.next(body);
    if (next === null || page === MAX_PAGES || found.size >= MAX_MODELS) {
      const models = [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, MAX_MODELS);
      const truncated = next !== null || found.size > MAX_MODELS;
      return { ...empty, hint: hintOfList(node), models, truncated };
    }
    path = next;
  }
}
