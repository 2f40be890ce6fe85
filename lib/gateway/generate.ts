import { estimateInputTokens } from "@/lib/billing/token-estimate";
import { nextTurn } from "@/lib/kernel/next-turn";
import { withTrueHint } from "@/lib/protocols/generation/compatibility";
import type { Losses } from "@/lib/protocols/generation/losses";
import { readVersion } from "@/lib/protocols/generation/version";
import { validateRequest } from "@/lib/protocols/validation/validate";
import type { CatalogModel } from "@/lib/router/catalog";
import { attemptNodes } from "./attempt";
import { authenticate, cachedKey } from "./authorize";
import { BULK_BODY_BYTES, BulkTurn } from "./bulk-turn";
import { Charge } from "./charge";
import { deliverStream, finishWhole, replyWhole } from "./deliver";
import { dryRun } from "./dry-run";
import { refuse } from "./error-reply";
import { type GatewayRequest, readBody } from "./gateway-request";
import { type GenerationContext, RequestLogBuilder } from "./generation-context";
import { compaction, embedding, generation, type Operation } from "./operation";
import { LARGE_BODY_BYTES, parseLargeRequest, parseRequest, type RawRequest } from "./parse-request";
import { type GenerationPlan, planAttempts } from "./plan";
import { holdTermsOf } from "./price-terms";
import type { Reply } from "./reply";
import { requireKind, requireNode } from "./require-kind";
import { requireAllowed, resolveModel } from "./resolve-model";
import { type ResolvedRequest, readsHistory, resolveHistory } from "./responses-state/history";
import { inOwnInput } from "./responses-state/in-own-input";
import type { BeforeLarge } from "./responses-state/store";
import type { Gateway } from "./runtime";
import { requirePricedTier } from "./service-tier";
import { refuseDrops, wantsDryRun, wantsStrict, withoutDrops } from "./strict";
import { bodyOfWhole } from "./whole-body";

/** POST of a generation, in the protocol of the path. Throws: as `serve`. */
export function generate(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  return serve(generation, gateway, call);
}

/**
 * A generation whose answer replaces the conversation. `losses`: fields that are left out while the body is read.
 * Throws: as `serve`. Source: docs/responses.md#s5-3.
 */
export function compact(gateway: Gateway, call: GatewayRequest, losses: Losses): Promise<Reply> {
  return serve(compaction, gateway, call, losses);
}

/** POST /v1/embeddings. Throws: as `serve`. Source: docs/embeddings.md#aliases */
export function embed(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  return serve(embedding, gateway, call);
}

/**
 * One operation, start to finish; the only place where the stages meet. `refuseAtArrival` has passed.
 *
 * Money:  one hold, then exactly one end of the charge, idempotent per request id.
 * Throws: GatewayError until the first event; later failures travel inside the stream.
 * Source: docs/spec.md#s1-3, #s1-4, #s1-5, #s7, #s8, docs/contract.md#s7-order.
 */
async function serve(
  operation: Operation,
  gateway: Gateway,
  call: GatewayRequest,
  losses?: Losses,
): Promise<Reply> {
  const { admission, clock } = gateway;
  refuse(admission.ofDeclaredSize(call.headers["content-length"])); //            PAYLOAD_TOO_LARGE
  const cached = cachedKey(gateway, call); //                                     INVALID_API_KEY
  const key = cached ?? (await authenticate(gateway, call));
  refuse(admission.ofKey(key, call.permit, call.receivedAtMs)); //                RATE_LIMITED, NO_AVAILABLE_NODE
  const log = new RequestLogBuilder(call.receivedAtMs, clock.nowMs);
  const context: GenerationContext = { operation, gateway, call, key, log, keeper: null };
  if (cached === null) log.mark("auth");
  else log.markLast("auth");
  const charge = wantsDryRun(call) ? null : new Charge(context);
  let turn: BulkTurn | null = null;
  try {
    const bytes = await readBody(call, key.userId); //                            INVALID_REQUEST
    if (bytes.length > BULK_BODY_BYTES && isCheap(call, charge)) {
      turn = new BulkTurn(gateway.bulkWork, key.userId);
      await turn.take(); //                                                       NO_AVAILABLE_NODE
    }
    const { maxValues } = operation;
    const client = operation.clients[call.protocol];
    const isLarge = bytes.length > LARGE_BODY_BYTES;
    const named = client.readPath?.(call.path)?.fields;
    const received = isLarge
      ? await parseLargeRequest(bytes, maxValues, named)
      : parseRequest(bytes, maxValues, named);
    const raw = inOwnForm(context, received); //                                      INVALID_REQUEST
    if (losses !== undefined) tellLosses(context, losses.list()); //              INVALID_REQUEST
    const model = resolveModel(gateway, key, raw.model); //                       MODEL_NOT_FOUND
    log.model = model;
    requireAllowed(gateway, key, model); //                                       FORBIDDEN
    requireKind(model, operation); //                                             INVALID_REQUEST
    requirePricedTier(model, raw.body); //                                        INVALID_REQUEST
    if (client.stateful && charge !== null && readsHistory(gateway, raw.body)) {
      await charge.count(estimateInputTokens(raw.body, client.promptFields)); //  RATE_LIMITED
    }
    let state: ResolvedRequest | null = null;
    if (client.stateful) {
      turn ??= new BulkTurn(gateway.bulkWork, key.userId);
      state = await resolveHistory(context, raw, beforeHistory(context, charge, turn, raw)); // INVALID_REQUEST
    }
    const plan = planGeneration(context, model, raw, state); //                   INVALID_REQUEST, NO_AVAILABLE_NODE
    turn?.end();
    if (charge === null) return await dryRun(context, plan);
    await charge.reserve(plan); //                                                RATE_LIMITED, QUOTA_EXCEEDED
    if (state !== null) context.keeper = state.keeper;
    if (isLarge) {
      await nextTurn();
      log.elapsedMs(); // the node's times begin after the wait
    }
    if (log.stream) return await deliverStream(context, plan, charge); //         UPSTREAM_ERROR, NO_AVAILABLE_NODE
    const open = await attemptNodes(context, plan, null); //                      UPSTREAM_ERROR, NO_AVAILABLE_NODE
    const counted = finishWhole(context, plan, charge, open);
    const metered = counted instanceof Promise ? await counted : counted;
    const body = bodyOfWhole(context, open, metered);
    const cost = await charge.complete(metered);
    return replyWhole(log, typeof body === "string" ? body : await body, metered, cost);
  } catch (error) {
    turn?.end();
    if (charge?.ended === false) await charge.fail(error);
    throw error;
  }
}

/** True when a large body costs its sender little: it was compressed, or it is neither billed nor limited. */
function isCheap(call: GatewayRequest, charge: Charge | null): boolean {
  return charge === null || call.headers["content-encoding"] !== undefined;
}

/**
 * The checks before a large stored conversation is read, when its tokens are known: the limits, the quota, a permit for
 * bulk work. Source: docs/responses.md#s4-5.
 */
function beforeHistory(
  { operation, call }: GenerationContext,
  charge: Charge | null,
  turn: BulkTurn,
  { body }: RawRequest,
): BeforeLarge {
  return async (tokens) => {
    const { promptFields } = operation.clients[call.protocol];
    if (charge !== null && tokens > 0) await charge.foresee(estimateInputTokens(body, promptFields) + tokens); // RATE_LIMITED, QUOTA_EXCEEDED
    await turn.take(); // NO_AVAILABLE_NODE
  };
}

/** The request in the form of its path. Throws: INVALID_REQUEST. Source: docs/protocols.md#s16-1. */
function inOwnForm(context: GenerationContext, received: RawRequest): RawRequest {
  const own = context.operation.clients[context.call.protocol].ownForm?.(received.body) ?? null;
  if (own === null) return received;
  tellLosses(context, own.losses);
  return { ...received, source: null, body: own.body };
}

/** Records the losses from before a node is chosen. Throws: INVALID_REQUEST when the caller allows no loss. */
function tellLosses({ call, log }: GenerationContext, losses: readonly string[]): void {
  if (wantsStrict(call)) refuseDrops(losses);
  log.warn(losses);
}

/** The plan: which nodes would get which request. Throws: INVALID_REQUEST, NO_AVAILABLE_NODE. */
function planGeneration(
  context: GenerationContext,
  model: CatalogModel,
  request: RawRequest,
  state: ResolvedRequest | null,
): GenerationPlan {
  if (state === null) return planRequest(context, model, request, null);
  try {
    return planRequest(context, model, state.request, state.nodeId);
  } catch (error) {
    throw inOwnInput(error, state.inherited);
  }
}

function planRequest(
  context: GenerationContext,
  model: CatalogModel,
  { body: raw, source }: RawRequest,
  servedBy: string | null,
): GenerationPlan {
  const { operation, gateway, call, key, log } = context;
  const { maxValues } = operation;
  const client = operation.clients[call.protocol];
  requireNode(gateway, model);
  log.stream = raw.stream === true;
  const version = readVersion(call.headers);
  const plan = withTrueHint(gateway.settings.compatibility, (compatibility): GenerationPlan => {
    const body = validateRequest(raw, client, { compatibility, version, maxValues });
    const inputEstimate = estimateInputTokens(body, client.promptFields);
    log.pricedAt = gateway.clock.date();
    log.terms = holdTermsOf(model.price, body, log.pricedAt);
    const input = {
      operation,
      gateway,
      call,
      key,
      model,
      body,
      source,
      version,
      compatibility,
      inputEstimate,
      terms: log.terms,
      servedBy,
    };
    const plan = planAttempts(input);
    return wantsStrict(call) ? withoutDrops(plan) : plan;
  });
  const first = plan.planned[0]?.prepared.losses;
  if (first !== undefined && first.length > 0) log.warn(first);
  log.mark("plan");
  return plan;
}
