import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { GatewayError, invalid } from "@/lib/errors";
import { type CatalogModel, resolveAlias } from "@/lib/router/catalog";
import { runtime } from "@/lib/runtime";
import { limitHeaders } from "./admit";
import { authenticate } from "./authenticate";
import type { Call } from "./call";
import { jsonReply, type Reply } from "./reply";
import { mayUse } from "./resolve-model";

const OWNED_BY = "tollgate";
const MAX_PAGE = 1_000;

/** GET /v1/models: one body that both SDKs page through. Throws: INVALID_API_KEY, INVALID_REQUEST. Source: spec 4.3, protocol 15.1. */
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

/** GET /v1/models/{id}; ids may hold `/`, `:` and `.`. Throws: INVALID_API_KEY, MODEL_NOT_FOUND. Source: contract 6. */
export async function showModel(call: Call): Promise<Reply> {
  const key = await authenticate(call);
  await showLimits(call, key);
  const id = call.path.slice("/v1/models/".length);
  const model = resolveAlias(runtime().catalog.current, id);
  if (model === null || !mayUse(key, model)) {
    throw new GatewayError("MODEL_NOT_FOUND", "There is no such model for this key.", { param: "model" });
  }
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

function pageOf(all: CatalogModel[], query: URLSearchParams): { page: CatalogModel[]; hasMore: boolean } {
  const limit = readLimit(query.get("limit"));
  const afterId = query.get("after_id") ?? query.get("after");
  const beforeId = query.get("before_id");
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

function readLimit(text: string | null): number {
  if (text === null) return MAX_PAGE;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1)
    throw invalid("limit", "limit must be a whole number from 1 to 1000.");
  return Math.min(limit, MAX_PAGE);
}
