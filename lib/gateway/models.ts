import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { GatewayError, invalid } from "@/lib/kernel/errors";
import { type CatalogModel, resolveAlias } from "@/lib/router/catalog";
import { authenticate, mayUse, requireNode } from "./authorize";
import { type GatewayRequest, jsonReply, limitHeaders, type Reply } from "./exchange";
import type { Gateway } from "./runtime";

const OWNED_BY = "tollgate";

/**
 * GET /v1/models: one body that both SDKs page through; everything at once where the query asks for no page.
 * Throws: INVALID_API_KEY, INVALID_REQUEST. Source: docs/spec.md#s4-3, docs/protocols.md#s15-1, docs/contract.md#b12.
 */
export async function listModels(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const key = await authenticate(gateway, call);
  await showLimits(gateway, call, key);
  const snapshot = gateway.catalog.current;
  const all = [...snapshot.models.values()].filter((model) => mayUse(snapshot, key, model));
  const { page, hasMore } = pageOf(all, call.query);
  return jsonReply(200, {
    object: "list",
    data: page.map(modelEntry),
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
  const model = resolveAlias(gateway.catalog.current, id);
  if (model === null || !mayUse(gateway.catalog.current, key, model)) {
    throw new GatewayError("MODEL_NOT_FOUND", "There is no such model for this key.", { param: "model" });
  }
  requireNode(gateway, model);
  return jsonReply(200, { ...modelEntry(model), id });
}

async function showLimits(gateway: Gateway, call: GatewayRequest, key: GatewayKey): Promise<void> {
  const state = await gateway.limiter.peek(key.keyId, key.limits);
  Object.assign(call.replyHeaders, limitHeaders(gateway, call, key, state));
}

function modelEntry(model: CatalogModel) {
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
