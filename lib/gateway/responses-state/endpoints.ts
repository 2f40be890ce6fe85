import { authenticate } from "@/lib/gateway/authorize";
import { BulkTurn } from "@/lib/gateway/bulk-turn";
import { countInput } from "@/lib/gateway/count-tokens";
import {
  errorReply,
  type GatewayRequest,
  jsonReply,
  jsonTextReply,
  parseRequest,
  type Reply,
  refuse,
} from "@/lib/gateway/exchange";
import { compact } from "@/lib/gateway/generate";
import type { Gateway } from "@/lib/gateway/runtime";
import { GatewayError, invalid } from "@/lib/kernel/errors";
import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject, parseJson } from "@/lib/kernel/json";
import { Losses, readVersion } from "@/lib/protocols/generation/problems";
import { givenFields } from "@/lib/protocols/passes/rendering";
import { protocols } from "@/lib/protocols/registry";
import { validateRequest } from "@/lib/protocols/validation/validate";
import { compactionItem } from "./caller-seal";
import { ownerOf, refuseForeignState, requestIdOf } from "./history";
import { readItemPage } from "./item-page";
import type { StateOwner } from "./store";

/** The response that a call is about, and whose it is. */
interface NamedResponse {
  id: string;
  /** Null: no response has this id. */
  requestId: string | null;
  owner: StateOwner;
  turn: BulkTurn;
}

/**
 * GET /v1/responses/{id}. Not billed, 60 calls a minute per key.
 * Throws: INVALID_API_KEY, RATE_LIMITED, NOT_FOUND, INVALID_REQUEST, NO_AVAILABLE_NODE. Source: docs/responses.md#s5-1.
 */
export async function showResponse(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const { requestId, owner, turn } = await namedResponse(gateway, call);
  const isStream = call.query.get("stream") === "true";
  try {
    if (requestId === null) throw notThere();
    if (isStream && (await gateway.responses.has(owner, requestId, () => turn.take()))) throw noStream();
    const text = await gateway.responses.show(owner, requestId, () => turn.take());
    if (text === null) throw notThere();
    return jsonTextReply(200, text);
  } finally {
    turn.end();
  }
}

/** GET /v1/responses/{id}/input_items. Throws: as `showResponse`. Source: docs/responses.md#s5-1. */
export async function showInputItems(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const { id, requestId, owner, turn } = await namedResponse(gateway, call);
  try {
    if (requestId === null) throw notThere();
    const asked = { requestId, responseId: id, page: readItemPage(call.query) };
    const text = await gateway.responses.inputItems(owner, asked, () => turn.take());
    if (text === null) throw notThere();
    if (text === "no_such_item") throw invalid("after", "after must be the id of an item of this response.");
    return jsonTextReply(200, text);
  } finally {
    turn.end();
  }
}

/** DELETE /v1/responses/{id}. Throws: as `showResponse`. Source: docs/responses.md#s5-1. */
export async function deleteResponse(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const { id, requestId, owner, turn } = await namedResponse(gateway, call);
  try {
    if (requestId === null || !(await gateway.responses.remove(owner, requestId, () => turn.take())))
      throw notThere();
    return jsonReply(200, { id, object: "response", deleted: true });
  } finally {
    turn.end();
  }
}

/**
 * POST /v1/responses/{id}/cancel: always refused, because no response runs in the background.
 * Throws: INVALID_REQUEST; as `showResponse`. Source: docs/responses.md#s5-1.
 */
export async function cancelResponse(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const { requestId, owner, turn } = await namedResponse(gateway, call);
  try {
    if (requestId === null || !(await gateway.responses.has(owner, requestId, () => turn.take())))
      throw notThere();
  } finally {
    turn.end();
  }
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
    requestId,
    protocol,
    method,
    headers,
    query,
    clientIp,
    signal,
    receivedAtMs,
    receivedAt,
    replyHeaders,
    permit,
    path: protocols[protocol].clientPath,
    readBody: async (open, accountId) => {
      const { body } = parseRequest(await call.readBody(open, accountId));
      checkCompaction(gateway, call, body);
      for (const { name, rule } of givenFields(body, protocols[protocol].fields, false)) {
        if (!COMPACT_FIELDS.includes(name) && rule?.fate !== "ignored") losses.dropped(name);
      }
      return Buffer.from(printJson(summaryRequest(body)));
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
  return { ...reply, body: printJson(answer) };
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

async function namedResponse(gateway: Gateway, call: GatewayRequest): Promise<NamedResponse> {
  const key = await authenticate(gateway, call);
  refuse(gateway.admission.ofFreeCall(key.keyId, "stored", "60 calls a minute are allowed here."));
  const [id = ""] = call.path.slice(protocols[call.protocol].clientPath.length + 1).split("/");
  const turn = new BulkTurn(gateway.bulkWork, key.userId);
  return { id, requestId: requestIdOf(id), owner: ownerOf({ call, key }), turn };
}

function notThere(): GatewayError {
  return new GatewayError(
    "NOT_FOUND",
    "There is no such response for this key: it was not stored, or it has expired.",
  );
}

function noStream(): GatewayError {
  return invalid(
    "stream",
    "Only responses that run in the background can be streamed again; there are none here.",
  );
}
