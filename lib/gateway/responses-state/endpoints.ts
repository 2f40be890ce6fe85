import { authenticate } from "@/lib/gateway/authorize";
import { countInput } from "@/lib/gateway/count-tokens";
import {
  errorReply,
  type GatewayRequest,
  jsonReply,
  parseRequest,
  type Reply,
  refuse,
} from "@/lib/gateway/exchange";
import { compact } from "@/lib/gateway/generate";
import type { Gateway } from "@/lib/gateway/runtime";
import { GatewayError, invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject, parseJson, rowOf } from "@/lib/kernel/json";
import { Losses, readVersion } from "@/lib/protocols/generation/problems";
import { givenFields } from "@/lib/protocols/passes/rendering";
import { protocols } from "@/lib/protocols/registry";
import { validateRequest } from "@/lib/protocols/validation/validate";
import { compactionItem } from "./caller-seal";
import { ownerOf, refuseForeignState, requestIdOf } from "./history";
import type { StateOwner, StoredResponse } from "./store";

/** A response that is there, and whose it is. */
interface OwnResponse {
  id: string;
  requestId: string;
  owner: StateOwner;
  stored: StoredResponse;
}

/**
 * GET /v1/responses/{id}. Not billed, 60 calls a minute per key.
 * Throws: INVALID_API_KEY, RATE_LIMITED, NOT_FOUND, INVALID_REQUEST. Source: docs/responses.md#s5-1.
 */
export async function showResponse(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const { stored } = await ownResponse(gateway, call);
  if (call.query.get("stream") === "true")
    throw invalid(
      "stream",
      "Only responses that run in the background can be streamed again; there are none here.",
    );
  return jsonReply(200, { ...stored.envelope, output: stored.items.output });
}

/** GET /v1/responses/{id}/input_items. Throws: as `showResponse`. Source: docs/responses.md#s5-1. */
export async function showInputItems(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const { id, stored } = await ownResponse(gateway, call);
  return jsonReply(200, itemPage(id, stored.items.input, call.query));
}

/** DELETE /v1/responses/{id}. Throws: as `showResponse`. Source: docs/responses.md#s5-1. */
export async function deleteResponse(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const { id, requestId, owner } = await ownResponse(gateway, call);
  await gateway.responses.remove(owner, requestId);
  return jsonReply(200, { id, object: "response", deleted: true });
}

/**
 * POST /v1/responses/{id}/cancel: always refused, because no response runs in the background.
 * Throws: INVALID_REQUEST; as `showResponse`. Source: docs/responses.md#s5-1.
 */
export async function cancelResponse(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  await ownResponse(gateway, call);
  throw invalid(
    "background",
    "Only responses that run in the background can be cancelled; there are none here.",
  );
}

/**
 * GET /v1/responses: what a client gets that asks for a WebSocket, at once, so that it goes on over HTTP.
 * Throws: METHOD_NOT_ALLOWED for any other GET. Source: docs/responses.md#s5-4.
 */
export async function refuseWebSocket(_gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const { headers, protocol, requestId, path } = call;
  const isUpgrade = headers.upgrade?.toLowerCase().includes("websocket") === true;
  const message = isUpgrade
    ? "WebSockets are not served here; send the request with POST. Codex: supports_websockets = false."
    : `GET is not allowed on ${path}.`;
  const error = new GatewayError("METHOD_NOT_ALLOWED", message, { allow: ["POST"] });
  if (!isUpgrade) throw error;
  return { ...errorReply(error, protocol, requestId), status: 426 };
}

/** POST /v1/responses/input_tokens. Throws: as `countTokens`. Source: docs/responses.md#s5-2. */
export async function countResponseInput(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const tokens = await countInput(gateway, call);
  return jsonReply(200, { object: "response.input_tokens", input_tokens: tokens });
}

/** What the model is asked for a summary with; it comes after the conversation. */
const SUMMARY_REQUEST = `The conversation above is about to be cut off. Write the notes from which another assistant can go on with it without having seen it.
State what the user wants and any rules the user has set; what was done and decided, and why; what was found out, with exact names, paths, values and error messages; what is unfinished, and the next step.
Write the notes only, in the language of the conversation. Do not call tools, and do not answer the user.`;

/** The fields of a compaction request; a generation has them too. */
const COMPACT_FIELDS = [
  "model",
  "input",
  "stream",
  "instructions",
  "previous_response_id",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "service_tier",
];

/**
 * POST /v1/responses/compact: the conversation as one sealed item, which a later request restores. The model itself
 * writes the summary; it is billed as a request. Throws: what a generation throws. Source: docs/responses.md#s5-3.
 */
export async function compactConversation(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const key = await authenticate(gateway, call);
  const losses = new Losses();
  const { requestId, protocol, method, headers, query, clientIp, signal } = call;
  const { receivedAtMs, receivedAt, replyHeaders, permit } = call;
  const asked: GatewayRequest = {
    ...{ requestId, protocol, method, headers, query, clientIp, signal },
    ...{ receivedAtMs, receivedAt, replyHeaders, permit },
    path: protocols[protocol].clientPath,
    readBody: async (open) => {
      const { body } = parseRequest(await call.readBody(open));
      checkCompaction(gateway, call, body);
      for (const { name, rule } of givenFields(body, protocols[protocol].fields, false)) {
        if (!COMPACT_FIELDS.includes(name) && rule?.fate !== "ignored") losses.dropped(name);
      }
      return Buffer.from(JSON.stringify(summaryRequest(body)));
    },
  };
  const reply = await compact(gateway, asked, losses);
  const response = typeof reply.body === "string" ? parseJson(reply.body) : null;
  if (!isObject(response) || response.object !== "response") return reply;
  const summary = textOf(response.output);
  if (summary === "")
    throw new GatewayError("UPSTREAM_ERROR", "The model wrote no summary of the conversation.");
  const { id, created_at, usage } = response;
  const item = compactionItem(String(id).replace(/^resp_/, "cmp_"), summary, ownerOf({ call, key }).seal);
  const answer = { id, object: "response.compaction", created_at, output: [item], usage };
  return { ...reply, body: JSON.stringify(answer) };
}

/** Checks a compaction as the generation that it would be. Throws: INVALID_REQUEST. Source: docs/responses.md#s5-3. */
function checkCompaction(
  { settings }: Gateway,
  { headers, protocol }: GatewayRequest,
  body: JsonObject,
): void {
  refuseForeignState(body);
  const version = readVersion(headers);
  validateRequest(body, protocols[protocol], { compatibility: settings.compatibility, version });
  if (body.stream === true) throw invalid("stream", "stream must be false: a compaction comes as a whole.");
}

/** Shape: `body` has passed `checkCompaction`. */
function summaryRequest(body: JsonObject): JsonObject {
  const { input } = body;
  const items = Array.isArray(input) ? input : [];
  const text = { type: "message", role: "user", content: input };
  const ask = { type: "message", role: "user", content: [{ type: "input_text", text: SUMMARY_REQUEST }] };
  const request: JsonObject = {};
  for (const name of COMPACT_FIELDS) if (body[name] !== undefined) request[name] = body[name];
  request.store = false;
  request.input = typeof input === "string" && input !== "" ? [text, ask] : [...items, ask];
  return request;
}

/** All text of the messages of an answer. */
function textOf(output: unknown): string {
  const texts: string[] = [];
  for (const item of Array.isArray(output) ? output : []) {
    if (!isObject(item) || !Array.isArray(item.content) || item.role !== "assistant") continue;
    for (const part of item.content)
      if (isObject(part) && typeof part.text === "string") texts.push(part.text);
  }
  return texts.join("\n\n").trim();
}

async function ownResponse(gateway: Gateway, call: GatewayRequest): Promise<OwnResponse> {
  const key = await authenticate(gateway, call);
  refuse(gateway.admission.ofFreeCall(key.keyId, "stored", "60 calls a minute are allowed here."));
  const [id = ""] = call.path.slice(protocols[call.protocol].clientPath.length + 1).split("/");
  const owner = ownerOf({ call, key });
  const requestId = requestIdOf(id);
  const stored = requestId === null ? null : await gateway.responses.find(owner, requestId);
  if (requestId === null || stored === null)
    throw new GatewayError(
      "NOT_FOUND",
      "There is no such response for this key: it was not stored, or it has expired.",
    );
  return { id, requestId, owner, stored };
}

const USUAL_PAGE = 20;
const MAX_PAGE = 100;

/** One page of items, the newest first unless the query says otherwise. Throws: INVALID_REQUEST. */
function itemPage(responseId: string, items: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const limit = query.get("limit") ?? String(USUAL_PAGE);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_PAGE)
    throw invalid("limit", `limit must be a whole number from 1 to ${MAX_PAGE}.`);
  const order = query.get("order") ?? "desc";
  if (order !== "asc" && order !== "desc") throw invalid("order", "order must be asc or desc.");
  const named = withIds(items, responseId);
  if (order === "desc") named.reverse();
  const after = query.get("after");
  const at = after === null ? -1 : named.findIndex(({ id }) => id === after);
  if (after !== null && at === -1)
    throw invalid("after", "after must be the id of an item of this response.");
  const data = named.slice(at + 1, at + 1 + Number(limit));
  const [first_id, last_id] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
  return { object: "list", data, first_id, last_id, has_more: at + 1 + data.length < named.length };
}

const idPrefixes: Readonly<Record<string, string>> = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  function_call_output: "fco",
  custom_tool_call: "ctc",
  custom_tool_call_output: "ctco",
};

/**
 * Items as clients read them: with a type, and with ids that are the same each time. Of items with one id the first
 * keeps it: paging goes on behind an id, so each stands once.
 */
function withIds(items: readonly JsonObject[], responseId: string): JsonObject[] {
  const taken = new Set<unknown>(items.map(({ id }) => id));
  const seen = new Set<string>();
  return items.map((item, index) => {
    const type = typeof item.type === "string" ? item.type : "message";
    if (typeof item.id === "string" && item.id !== "" && !seen.has(item.id)) {
      seen.add(item.id);
      return { ...item, type };
    }
    let id = `${rowOf(idPrefixes, type) ?? "item"}_${responseId.slice("resp_".length)}i${index}`;
    while (taken.has(id)) id += "x";
    taken.add(id);
    return { ...item, id, type };
  });
}
