import { authenticate } from "@/lib/gateway/authorize";
import { BulkTurn } from "@/lib/gateway/bulk-turn";
import { refuse } from "@/lib/gateway/error-reply";
import type { GatewayRequest } from "@/lib/gateway/gateway-request";
import { jsonReply, jsonTextReply, type Reply } from "@/lib/gateway/reply";
import type { Gateway } from "@/lib/gateway/runtime";
import { GatewayError, invalid } from "@/lib/kernel/errors";
import { clientAdapters } from "@/lib/protocols/registry";
import { ownerOf, requestIdOf } from "./history";
import { readItemPage } from "./item-page";
import type { StateOwner } from "./store";

/** The response that a call names, and its owner. */
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

async function namedResponse(gateway: Gateway, call: GatewayRequest): Promise<NamedResponse> {
  const key = await authenticate(gateway, call);
  refuse(gateway.admission.ofFreeCall(key.keyId, "stored", "60 calls a minute are allowed here."));
  const [id = ""] = call.path.slice(clientAdapters[call.protocol].clientPath.length + 1).split("/");
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
