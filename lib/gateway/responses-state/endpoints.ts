import { authenticate } from "@/lib/gateway/authorize";
import { countInput } from "@/lib/gateway/count-tokens";
import {
  errorReply,
  type GatewayRequest,
  jsonReply,
  parseRequest,
  type Reply,
  readBody,
  refuse,
} from "@/lib/gateway/exchange";
import { compact } from "@/lib/gateway/generate";
import type { Gateway } from "@/lib/gateway/runtime";
import { GatewayError, invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject, parseJson, rowOf } from "@/lib/kernel/json";
import { protocols } from "@/lib/protocols/registry";
import { compactionItem } from "./caller-seal";
import { ownerOf, requestIdOf } from "./history";
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

/** The fields of a compaction request that a generation has too. */
const COMPACT_FIELDS = [
  "model",
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
  refuse(gateway.admission.ofDeclaredSize(call.headers["content-length"]));
  const key = await authenticate(gateway, call);
  const { body } = parseRequest(await readBody(call));
  const asked = Buffer.from(JSON.stringify(summaryRequest(body)));
  const { requestId, protocol, method, headers, query, clientIp, signal } = call;
  const { receivedAtMs, receivedAt, replyHeaders, permit } = call;
  const reply = await compact(gateway, {
    ...{ requestId, protocol, method, headers, query, clientIp, signal },
    ...{ receivedAtMs, receivedAt, replyHeaders, permit },
    path: protocols[protocol].clientPath,
    readBody: async () => asked,
  });
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

function summaryRequest(body: JsonObject): JsonObject {
  const { input } = body;
  const items =
    typeof input === "string" ? [{ type: "message", role: "user", content: input }] : (input ?? []);
  const ask = { type: "message", role: "user", content: [{ type: "input_text", text: SUMMARY_REQUEST }] };
  const request: JsonObject = { store: false, input: Array.isArray(items) ? [...items, ask] : items };
  for (const name of COMPACT_FIELDS) if (body[name] !== undefined) request[name] = body[name];
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
  const named = items.map((item, index) => withId(item, responseId, index));
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

/** An item as clients read it: with a type, and with an id that is the same each time. */
function withId(item: JsonObject, responseId: string, index: number): JsonObject {
  const type = typeof item.type === "string" ? item.type : "message";
  const made = `${rowOf(idPrefixes, type) ?? "item"}_${responseId.slice("resp_".length)}i${index}`;
  const id = typeof item.id === "string" && item.id !== "" ? item.id : made;
  return { ...item, id, type };
}
