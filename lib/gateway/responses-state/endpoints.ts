import { countInput } from "@/lib/gateway/count-tokens";
import { errorReply } from "@/lib/gateway/error-reply";
import type { GatewayRequest } from "@/lib/gateway/gateway-request";
import { jsonReply, type Reply } from "@/lib/gateway/reply";
import type { Gateway } from "@/lib/gateway/runtime";
import { GatewayError } from "@/lib/kernel/errors";

/**
 * GET /v1/responses: refuses a client that requests a WebSocket, at once, so that it continues over HTTP.
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
