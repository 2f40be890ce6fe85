import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { authenticate } from "@/lib/gateway/authorize";
import { BULK_BODY_BYTES, BulkTurn } from "@/lib/gateway/bulk-turn";
import { refuse } from "@/lib/gateway/error-reply";
import { type GatewayRequest, readBody } from "@/lib/gateway/gateway-request";
import { limitHeaders } from "@/lib/gateway/limit-headers";
import { generation } from "@/lib/gateway/operation";
import {
  LARGE_BODY_BYTES,
  parseLargeRequest,
  parseRequest,
  type RawRequest,
} from "@/lib/gateway/parse-request";
import type { Reply } from "@/lib/gateway/reply";
import { requireKind } from "@/lib/gateway/require-kind";
import { requireAllowed, resolveModel } from "@/lib/gateway/resolve-model";
import { resolveHistory } from "@/lib/gateway/responses-state/history";
import type { Gateway } from "@/lib/gateway/runtime";
import { requirePricedTier } from "@/lib/gateway/service-tier";
import type { JsonObject } from "@/lib/kernel/json-object";
import { withTrueHint } from "@/lib/protocols/generation/compatibility";
import { readVersion } from "@/lib/protocols/generation/version";
import { clientAdapters } from "@/lib/protocols/registry";
import { validateRequest } from "@/lib/protocols/validation/validate";

/**
 * A request with `generate: false`: checked and counted as one request without tokens, kept as a response without
 * output, and not sent to any node, not billed and not logged. Throws: INVALID_API_KEY, RATE_LIMITED, INVALID_REQUEST,
 * MODEL_NOT_FOUND, FORBIDDEN, NO_AVAILABLE_NODE. Source: docs/websocket.md#prepared.
 */
export async function prepareTurns(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const key = await authenticate(gateway, call);
  refuse(gateway.admission.ofKey(key, call.permit, call.receivedAtMs));
  const turn = new BulkTurn(gateway.bulkWork, key.userId);
  try {
    const bytes = await readBody(call, key.userId);
    if (bytes.length > BULK_BODY_BYTES) await turn.take();
    const raw = bytes.length > LARGE_BODY_BYTES ? await parseLargeRequest(bytes) : parseRequest(bytes);
    const model = resolveModel(gateway, key, raw.model);
    requireAllowed(gateway, key, model);
    requireKind(model, generation);
    requirePricedTier(model, raw.body);
    await countRequest(gateway, call, key);
    const { request, keeper } = await resolveHistory({ gateway, call, key }, raw, () => turn.take());
    const wire = emptyAnswer(gateway, call, checked(gateway, call, request));
    const kept = keeper === null ? wire : await keeper.keep(wire, null);
    const body: Reply["body"] = async (sink) => {
      await sink.write(kept);
    };
    return { status: 200, headers: {}, body };
  } finally {
    turn.end();
  }
}

/** Throws: RATE_LIMITED. */
async function countRequest(gateway: Gateway, call: GatewayRequest, key: GatewayKey): Promise<void> {
  const { keyId, limits, account } = key;
  const verdict = await gateway.limiter.admit({
    keyId,
    limits,
    account,
    tokens: 0,
    nowMs: call.receivedAtMs,
  });
  const { state, accountState } = verdict;
  Object.assign(call.replyHeaders, limitHeaders(gateway, call, key, state, accountState));
  if (!verdict.allowed) throw gateway.admission.ofLimits(verdict, key.planName);
  if (verdict.ticket.place !== null) call.permit.hold(verdict.ticket.place);
}

/** Throws: INVALID_REQUEST. */
function checked({ settings }: Gateway, call: GatewayRequest, { body }: RawRequest): JsonObject {
  const client = generation.clients[call.protocol];
  const version = readVersion(call.headers);
  return withTrueHint(settings.compatibility, (compatibility) =>
    validateRequest(body, client, { compatibility, version }),
  );
}

/** The stream of an answer without output. */
function emptyAnswer({ clock, settings }: Gateway, call: GatewayRequest, request: JsonObject): string {
  const client = clientAdapters[call.protocol];
  const { emptyAnswer: write } = client;
  if (write === undefined) throw new Error(`answers of ${client.id} cannot be empty`);
  return write({
    id: client.answerId(call.requestId),
    alias: String(request.model),
    created: Math.floor(call.receivedAt.getTime() / 1_000),
    request,
    hideReasoning: false,
    singleToolCall: false,
    toolNames: new Map(),
    echoInstructions: settings.responsesEchoInstructions,
    clock,
    inputEstimate: 0,
    seal: null,
  });
}
