import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { invalid } from "@/lib/kernel/errors";
import type { CatalogModel, CatalogSnapshot } from "@/lib/router/catalog";
import { authenticate } from "./authorize";
import { BulkTurn } from "./bulk-turn";
import type { GatewayRequest } from "./gateway-request";
import { jsonReply, type Reply } from "./reply";
import { usableModels } from "./resolve-model";
import type { Gateway } from "./runtime";
import { knownCapabilities, MANY_MODELS, modelOf, showLimits } from "./show-models";

const MAX_PAGE = 1_000;
const USUAL_PAGE = 50;
const PREFIX = "/v1beta/models/";

/**
 * GET /v1beta/models: the models in Google's form, in pages.
 * Throws: INVALID_API_KEY, INVALID_REQUEST, NO_AVAILABLE_NODE. Source: docs/gemini.md#paths.
 */
export async function listGoogleModels(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const key = await authenticate(gateway, call);
  await showLimits(gateway, call, key);
  const snapshot = gateway.catalog.current;
  const turn = new BulkTurn(gateway.bulkWork, key.userId);
  if (snapshot.models.size > MANY_MODELS) await turn.take();
  try {
    return pageOf(snapshot, key, call.query);
  } finally {
    turn.end();
  }
}

/** GET /v1beta/models/{model}. Throws: INVALID_API_KEY, MODEL_NOT_FOUND, NO_AVAILABLE_NODE. */
export async function showGoogleModel(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const key = await authenticate(gateway, call);
  await showLimits(gateway, call, key);
  const id = call.path.slice(PREFIX.length);
  const model = modelOf(gateway, key, id);
  return jsonReply(200, { ...entryOf(gateway.catalog.current, model), name: `models/${id}` });
}

function pageOf(snapshot: CatalogSnapshot, key: GatewayKey, query: URLSearchParams): Reply {
  const all = usableModels(snapshot, key);
  const size = pageSize(query.get("pageSize") ?? query.get("page_size"));
  const from = firstAfter(all, query.get("pageToken") ?? query.get("page_token"));
  const page = all.slice(from, from + size);
  const last = page.at(-1);
  const hasMore = last !== undefined && from + size < all.length;
  return jsonReply(200, {
    models: page.map((model) => entryOf(snapshot, model)),
    ...(hasMore ? { nextPageToken: Buffer.from(last.alias).toString("base64url") } : {}),
  });
}

/** Larger pages are cut, as at Google. Throws: INVALID_REQUEST. */
function pageSize(text: string | null): number {
  if (text === null || text === "") return USUAL_PAGE;
  const size = Number(text);
  if (!/^\d{1,9}$/.test(text)) throw invalid("pageSize", "pageSize must be a whole number of at least 0.");
  return size === 0 ? USUAL_PAGE : Math.min(size, MAX_PAGE);
}

/** Throws: INVALID_REQUEST for a token that names no model of the list. */
function firstAfter(all: readonly CatalogModel[], token: string | null): number {
  if (token === null || token === "") return 0;
  const alias = Buffer.from(token, "base64url").toString();
  const at = all.findIndex((model) => model.alias === alias);
  if (at < 0) throw invalid("pageToken", "pageToken is not one of this list; begin again without it.");
  return at + 1;
}

const generating = ["generateContent", "streamGenerateContent", "countTokens"];
const embedding = ["embedContent", "batchEmbedContents"];

function entryOf(snapshot: CatalogSnapshot, model: CatalogModel) {
  const name = model.displayName || model.alias;
  const { contextWindow, maxOutputTokens } = model;
  return {
    name: `models/${model.alias}`,
    version: "1",
    displayName: name,
    description: name,
    ...(contextWindow === null ? {} : { inputTokenLimit: contextWindow }),
    ...(maxOutputTokens === null ? {} : { outputTokenLimit: maxOutputTokens }),
    supportedGenerationMethods: model.kind === "embedding" ? embedding : generating,
    ...(knownCapabilities(snapshot, model).includes("reasoning") ? { thinking: true } : {}),
  };
}
