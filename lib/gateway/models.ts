import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { runtime } from "@/lib/gateway/runtime";
import { GatewayError } from "@/lib/kernel/errors";
import { type CatalogModel, resolveAlias } from "@/lib/router/catalog";
import { limitHeaders } from "./admit";
import { authenticate } from "./authenticate";
import type { Call } from "./call";
import { pageOf } from "./model-page";
import { jsonReply, type Reply } from "./reply";
import { mayUse, requireNode } from "./resolve-model";

const OWNED_BY = "tollgate";

/**
 * GET /v1/models: one body that both SDKs page through; everything at once where the query asks for no page.
 * Throws: INVALID_API_KEY, INVALID_REQUEST. Source: docs/spec.md#s4-3, docs/protocols.md#s15-1, docs/contract.md#b12.
 */
export async function listModels(call: Call): Promise<Reply> {
  const key = await authenticate(call);
  await showLimits(call, key);
  const all = [...runtime().catalog.current.models.values()].filter((model) => mayUse(key, model));
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
export async function showModel(call: Call): Promise<Reply> {
  const key = await authenticate(call);
  await showLimits(call, key);
  const id = call.path.slice("/v1/models/".length);
  const model = resolveAlias(runtime().catalog.current, id);
  if (model === null || !mayUse(key, model)) {
    throw new GatewayError("MODEL_NOT_FOUND", "There is no such model for this key.", { param: "model" });
  }
  requireNode(model);
  return jsonReply(200, { ...modelEntry(model), id });
}

async function showLimits(call: Call, key: GatewayKey): Promise<void> {
  Object.assign(call.replyHeaders, limitHeaders(call, await runtime().limiter.peek(key.keyId, key.limits)));
}

function modelEntry(model: CatalogModel) {
  return {
    id: model.alias,
    object: "model",
    type: "model",
    created: Math.floor(model.createdAt.getTime() / 1_000),
    created_at: model.createdAt.toISOString().replace(/\.\d+Z$/, "Z"),
    owned_by: OWNED_BY,
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
