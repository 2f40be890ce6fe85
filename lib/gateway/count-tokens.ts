import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { countPromptTokens } from "@/lib/billing/prompt-tokens";
import { printJson } from "@/lib/kernel/exact-json";
import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { withTrueHint } from "@/lib/protocols/generation/compatibility";
import { readVersion } from "@/lib/protocols/generation/version";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { clientAdapters } from "@/lib/protocols/registry";
import { validateRequest } from "@/lib/protocols/validation/validate";
import { callNode } from "@/lib/upstream/call-node";
import { CredentialError } from "@/lib/upstream/credentials/credential-error";
import { DialError } from "@/lib/upstream/upstream-answer";
import { authenticate } from "./authorize";
import { BULK_BODY_BYTES, BulkTurn } from "./bulk-turn";
import { callableNode } from "./callable-node";
import { refuse } from "./error-reply";
import { type GatewayRequest, readBody } from "./gateway-request";
import { generation } from "./operation";
import { LARGE_BODY_BYTES, parseLargeRequest, parseRequest } from "./parse-request";
import { type GenerationPlan, type PlannedAttempt, planAttempts } from "./plan";
import { PLAIN_TERMS } from "./price-terms";
import { jsonReply, type Reply } from "./reply";
import { requireKind, requireNode } from "./require-kind";
import { requireAllowed, resolveModel } from "./resolve-model";
import { resolveHistory } from "./responses-state/history";
import type { Gateway } from "./runtime";

const HEADERS_WITHIN_MS = 5_000;
const MAX_ANSWER_BYTES = 16 * 1024;

/**
 * POST /v1/messages/count_tokens and Gemini's countTokens: the node's own count if it speaks the protocol, else that of
 * a tokenizer, for system, tools and messages together. Not billed, 60 a minute per key.
 * Throws: INVALID_API_KEY, RATE_LIMITED, INVALID_REQUEST, MODEL_NOT_FOUND, FORBIDDEN, NO_AVAILABLE_NODE.
 * Source: docs/protocols.md#s15-2.
 */
export async function countTokens(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const tokens = await countInput(gateway, call);
  return jsonReply(200, clientAdapters[call.protocol].countAnswer?.(tokens) ?? { input_tokens: tokens });
}

/**
 * The tokens of a request's input, with what it refers to; a node's own count, or a tokenizer's. Not billed, 60 a minute
 * per key. Throws: as `countTokens`.
 */
export async function countInput(gateway: Gateway, call: GatewayRequest): Promise<number> {
  const { admission } = gateway;
  refuse(admission.ofDeclaredSize(call.headers["content-length"]));
  const key = await authenticate(gateway, call);
  refuse(admission.ofFreeCall(key.keyId, "count", "60 token counts a minute are allowed."));
  const turn = new BulkTurn(gateway.bulkWork, key.userId);
  try {
    return await countInTurn(gateway, call, key, turn);
  } finally {
    turn.end();
  }
}

async function countInTurn(
  gateway: Gateway,
  call: GatewayRequest,
  key: GatewayKey,
  turn: BulkTurn,
): Promise<number> {
  const bytes = await readBody(call, key.userId);
  if (bytes.length > BULK_BODY_BYTES) await turn.take();
  const client = clientAdapters[call.protocol];
  const named = client.readPath?.(call.path)?.fields;
  const isLarge = bytes.length > LARGE_BODY_BYTES;
  const received = isLarge
    ? await parseLargeRequest(bytes, undefined, named)
    : parseRequest(bytes, undefined, named);
  const raw = { ...received, body: client.ownForm?.(received.body)?.body ?? received.body };
  const isStateful = client.stateful === true;
  const beforeLarge = () => turn.take();
  const request = isStateful ? (await resolveHistory({ gateway, call, key }, raw, beforeLarge)).request : raw;
  const version = readVersion(call.headers);
  const model = resolveModel(gateway, key, request.model);
  requireAllowed(gateway, key, model);
  requireKind(model, generation);
  requireNode(gateway, model);
  const { body, planned } = withTrueHint(gateway.settings.compatibility, (compatibility) => {
    const options = { compatibility, version, countTokens: true };
    const body = validateRequest(request.body, client, options);
    const asked = {
      operation: generation,
      gateway,
      call,
      key,
      model,
      body,
      source: null,
      version,
      compatibility,
      inputEstimate: 0,
      terms: PLAIN_TERMS,
    };
    const plan = planAttempts(asked);
    return { body, planned: firstOwnNode(plan, call.protocol) };
  });
  turn.end(); // the node's count needs none of this process's time
  const native = planned === null ? null : await askNode(gateway, call, planned);
  const { promptFields } = client;
  return native ?? (await countPromptTokens(body, promptFields, gateway.tokens));
}

function firstOwnNode(plan: GenerationPlan, protocol: ClientProtocol): PlannedAttempt | null {
  return plan.planned.find(({ candidate }) => candidate.node.protocol === protocol) ?? null;
}

/** The node's count; null when it gives none, and the estimate is used. */
async function askNode(
  gateway: Gateway,
  call: GatewayRequest,
  planned: PlannedAttempt,
): Promise<number | null> {
  const { candidate, prepared, upstream } = planned;
  const { tokenCount } = upstream.api;
  if (tokenCount === undefined) return null;
  const { upstreamModel } = candidate.route;
  try {
    const answer = await callNode(gateway.pools, callableNode(gateway, candidate.node), {
      path: tokenCount.path(upstreamModel),
      body: printJson(tokenCount.body(prepared.body, upstreamModel)),
      headers: prepared.headers,
      stream: false,
      signal: call.signal,
      headersWithinMs: HEADERS_WITHIN_MS,
    });
    const text = await answer.text(MAX_ANSWER_BYTES);
    const value = answer.status === 200 ? parseJson(text) : null;
    return isObject(value) ? (tokenCount.read(value) ?? null) : null;
  } catch (error) {
    if (error instanceof DialError || error instanceof CredentialError) return null;
    throw error;
  }
}
