import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { didYouMean } from "@/lib/kernel/error-messages";
import { GatewayError, invalid } from "@/lib/kernel/errors";
import { knownOf, profileFor } from "@/lib/protocols/profiles/families";
import { capabilitiesOf, mayReason, type Profile } from "@/lib/protocols/profiles/profile";
import { providerOf } from "@/lib/protocols/profiles/provider";
import {
  type ClientProtocol,
  clientProtocols,
  type ModelCapability,
  modelCapabilities,
  type NodeProtocol,
} from "@/lib/protocols/protocol";
import { type CatalogModel, type CatalogSnapshot, resolveAlias, routesOf } from "@/lib/router/catalog";
import { authenticate } from "./authorize";
import { BulkTurn } from "./bulk-turn";
import type { GatewayRequest } from "./gateway-request";
import { limitHeaders } from "./limit-headers";
import { pricingOf } from "./model-pricing";
import { jsonReply, type Reply } from "./reply";
import { requireNode } from "./require-kind";
import { mayUse, nearestName, usableModels } from "./resolve-model";
import type { Gateway } from "./runtime";

const OWNED_BY = "tollgate";

/**
 * GET /v1/models: one body that both SDKs page through; everything at once where the query asks for no page.
 * Throws: INVALID_API_KEY, INVALID_REQUEST, NO_AVAILABLE_NODE. Source: docs/spec.md#s4-3, docs/protocols.md#s15-1, docs/contract.md#b12.
 */
export async function listModels(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const key = await authenticate(gateway, call);
  await showLimits(gateway, call, key);
  const snapshot = gateway.catalog.current;
  const turn = new BulkTurn(gateway.bulkWork, key.userId);
  if (snapshot.models.size > MANY_MODELS) await turn.take();
  try {
    return modelList(snapshot, key, call);
  } finally {
    turn.end();
  }
}

/** A longer list needs a permit for bulk work. Source: docs/reliability.md#bulk. */
export const MANY_MODELS = 500;

function modelList(snapshot: CatalogSnapshot, key: GatewayKey, call: GatewayRequest): Reply {
  const all = usableModels(snapshot, key);
  const { page, hasMore } = pageOf(all, call.query);
  const forCodex = call.query.has("client_version") ? codexCatalogue(snapshot, all) : {};
  return jsonReply(200, {
    ...forCodex,
    object: "list",
    data: page.map((model) => modelEntry(snapshot, model)),
    has_more: hasMore,
    first_id: page[0]?.alias ?? null,
    last_id: page.at(-1)?.alias ?? null,
  });
}

/**
 * GET /v1/models/{id}; ids may hold `/`, `:` and `.`.
 * Throws: INVALID_API_KEY, MODEL_NOT_FOUND, NO_AVAILABLE_NODE (all its nodes are disabled).
 * Source: docs/contract.md#s6, #b14.
 */
export async function showModel(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const key = await authenticate(gateway, call);
  await showLimits(gateway, call, key);
  const id = call.path.slice("/v1/models/".length);
  return jsonReply(200, { ...modelEntry(gateway.catalog.current, modelOf(gateway, key, id)), id });
}

/** The model of an id. Throws: MODEL_NOT_FOUND, NO_AVAILABLE_NODE. */
export function modelOf(gateway: Gateway, key: GatewayKey, id: string): CatalogModel {
  const model = resolveAlias(gateway.catalog.current, id);
  if (model === null || !mayUse(gateway.catalog.current, key, model)) {
    const near = didYouMean(nearestName(gateway.catalog.current, key, id));
    throw new GatewayError("MODEL_NOT_FOUND", `There is no such model for this key.${near}`, {
      param: "model",
    });
  }
  requireNode(gateway, model);
  return model;
}

/** Adds the headers with the limits of the key. */
export async function showLimits(gateway: Gateway, call: GatewayRequest, key: GatewayKey): Promise<void> {
  const { limiter } = gateway;
  const [state, accountState] = await Promise.all([
    limiter.peek(key.keyId, key.limits, key.account),
    limiter.peekAccount(key.account),
  ]);
  Object.assign(call.replyHeaders, limitHeaders(gateway, call, key, state, accountState));
}

/**
 * The members that the clients of both vendors read or ignore. Source: docs/protocols.md#s15-1,
 * docs/contract.md#model-entry.
 */
function modelEntry(snapshot: CatalogSnapshot, model: CatalogModel) {
  return {
    id: model.alias,
    object: "model",
    type: "model",
    created: Math.floor(model.createdAt.getTime() / 1_000),
    created_at: model.createdAt.toISOString().replace(/\.\d+Z$/, "Z"),
    owned_by: OWNED_BY,
    kind: model.kind,
    display_name: model.displayName || model.alias,
    max_input_tokens: model.contextWindow,
    max_tokens: model.maxOutputTokens,
    lifecycle: "active",
    line: null,
    deprecated_at: null,
    retires_at: null,
    capabilities: null,
    supports: knownCapabilities(snapshot, model),
    protocols: nativeProtocols(snapshot, model),
    pricing: pricingOf(model.price),
  };
}

/** The protocols that are served without conversion. */
export function nativeProtocols(snapshot: CatalogSnapshot, model: CatalogModel): ClientProtocol[] {
  const spoken = new Set<NodeProtocol>(routesOf(snapshot, model).map(({ node }) => node.protocol));
  return clientProtocols.filter((protocol) => spoken.has(protocol)).sort();
}

const capabilities = new WeakMap<CatalogModel, { snapshot: CatalogSnapshot; names: ModelCapability[] }>();

/**
 * The capabilities that every node of the model is known to have; an embedding model has none. Computed once for each
 * snapshot, because it takes half a millisecond. Source: docs/contract.md#capabilities.
 */
export function knownCapabilities(snapshot: CatalogSnapshot, model: CatalogModel): ModelCapability[] {
  const known = capabilities.get(model);
  if (known?.snapshot === snapshot) return known.names;
  const names = capabilitiesOfNodes(snapshot, model);
  capabilities.set(model, { snapshot, names });
  return names;
}

function capabilitiesOfNodes(snapshot: CatalogSnapshot, model: CatalogModel): ModelCapability[] {
  if (model.kind === "embedding") return [];
  const ofNodes = routesOf(snapshot, model)
    .filter(({ node }) => node.enabled)
    .map(({ route, node }) =>
      capabilitiesOf(knownOf(route.upstreamModel, node.protocol, model.profile, providerOf(node).facts)),
    );
  return modelCapabilities.filter((name) => ofNodes.every((of) => of.includes(name)));
}

/** Codex's names of efforts; it refuses a whole catalogue because of one unknown name. */
const codexEfforts: Readonly<Record<string, string>> = {
  minimal: "Answers at once",
  low: "Thinks a little",
  medium: "Thinks as long as most tasks need",
  high: "Thinks long",
  xhigh: "Thinks as long as it can",
};

/** Codex sends this as the system prompt of models that are not in its own catalogue. */
const CODEX_INSTRUCTIONS = `You are Codex, a coding agent that works in a terminal on the user's computer. You and the user share one workspace.
- Keep working until the request is done: look around, make the change, check it, then report.
- Read before you write. Follow the instructions that AGENTS.md files give for the folders you work in.
- Search with rg where it is there. Read several files at once with parallel calls. Edit files with apply_patch.
- Make the smallest change that solves the problem at its cause, in the style of the code around it.
- Do not undo changes that you did not make. Do not commit, reset or delete unless you were asked to.
- Run the tests and checks that the project has for what you changed, and say plainly what you could not check.
- Answer briefly in plain text: what was done, where (path:line), and what is left.`;

/**
 * The data that Codex needs about models outside its own catalogue: the answer to its model list, and the content of
 * its `model_catalog_json`. Source: docs/responses.md#s5-5.
 */
export function codexCatalogue(snapshot: CatalogSnapshot, models: readonly CatalogModel[]) {
  const generating = models.filter(({ kind }) => kind === "generation");
  return { models: generating.map((model, index) => codexModel(model, profileOf(snapshot, model), index)) };
}

const profiles = new WeakMap<CatalogModel, { snapshot: CatalogSnapshot; profile: Profile | null }>();

function profileOf(snapshot: CatalogSnapshot, model: CatalogModel): Profile | null {
  const known = profiles.get(model);
  if (known?.snapshot === snapshot) return known.profile;
  const profile = profileOfFirst(snapshot, model);
  profiles.set(model, { snapshot, profile });
  return profile;
}

function profileOfFirst(snapshot: CatalogSnapshot, model: CatalogModel): Profile | null {
  const [first] = routesOf(snapshot, model);
  if (first === undefined) return null;
  const { route, node } = first;
  return profileFor(route.upstreamModel, node.protocol, model.profile, providerOf(node).facts);
}

function codexModel(model: CatalogModel, profile: Profile | null, index: number) {
  const levels = (profile?.effortLevels ?? []).filter((word) => word in codexEfforts);
  return {
    slug: model.alias,
    display_name: model.displayName || model.alias,
    description: null,
    default_reasoning_level: levels.includes("medium") ? "medium" : (levels[0] ?? null),
    supported_reasoning_levels: levels.map((effort) => ({ effort, description: codexEfforts[effort] })),
    shell_type: "shell_command",
    visibility: "list",
    supported_in_api: true,
    priority: index,
    upgrade: null,
    base_instructions: CODEX_INSTRUCTIONS,
    supports_reasoning_summaries: profile !== null && mayReason(profile),
    support_verbosity: false,
    default_verbosity: null,
    apply_patch_tool_type: "freeform",
    truncation_policy: { mode: "tokens", limit: 10_000 },
    supports_parallel_tool_calls: true,
    context_window: model.contextWindow,
    effective_context_window_percent: 95,
    experimental_supported_tools: [],
    input_modalities: profile?.imagesIn === false ? ["text"] : ["text", "image"],
  };
}

const MAX_PAGE = 1_000;

/**
 * The part of the models that a query asks for; all of them when it asks for no page.
 * Throws: INVALID_REQUEST. Source: docs/protocols.md#s15-1, docs/contract.md#b12.
 */
export function pageOf<M extends { alias: string }>(
  all: readonly M[],
  query: URLSearchParams,
): { page: M[]; hasMore: boolean } {
  const afterId = query.get("after_id") ?? query.get("after");
  const beforeId = query.get("before_id");
  const isPaged = afterId !== null || beforeId !== null;
  const limit = readLimit(query.get("limit")) ?? (isPaged ? MAX_PAGE : all.length);
  const from = afterId === null ? 0 : all.findIndex((model) => model.alias === afterId) + 1;
  const to =
    beforeId === null
      ? all.length
      : Math.max(
          0,
          all.findIndex((model) => model.alias === beforeId),
        );
  if (beforeId !== null && afterId === null) {
    const start = Math.max(0, to - limit);
    return { page: all.slice(start, to), hasMore: start > 0 };
  }
  return { page: all.slice(from, Math.min(to, from + limit)), hasMore: from + limit < to };
}

function readLimit(text: string | null): number | null {
  if (text === null) return null;
  const limit = Number(text);
  if (!/^\d{1,4}$/.test(text) || limit < 1 || limit > MAX_PAGE)
    throw invalid("limit", `limit must be a whole number from 1 to ${MAX_PAGE}.`);
  return limit;
}
