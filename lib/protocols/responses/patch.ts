import { isObject, type JsonObject } from "@/lib/kernel/json";
import { Losses } from "@/lib/protocols/generation/problems";
import { isGatewayTag } from "@/lib/protocols/passes/reasoning-seal";
import { outputLimit } from "@/lib/protocols/passes/rendering";
import { mayReason } from "@/lib/protocols/profiles/profile";
import type { Rendered, Target } from "@/lib/protocols/request-adapter";
import { LEAST_OUTPUT } from "./render";
import type { ResponsesRequest } from "./schema";

const nothingRenamed: ReadonlyMap<string, string> = new Map();
const nothingWrapped: ReadonlySet<string> = new Set();
const roomy = { choices: 1, longAnswers: true };
const sealedReasoning = "reasoning.encrypted_content";

/**
 * A Responses request for a Responses node: the client's own body with the few edits that this node needs.
 * Source: docs/responses.md#s3-3.
 */
export function patchResponses(came: JsonObject, target: Target): Rendered {
  const request = came as ResponsesRequest; // it has passed the schema
  const losses = new Losses();
  const body: JsonObject = { ...request, model: target.upstreamModel };
  const maxTokens = setOutputLimit(body, request, target, losses);
  keepNothing(body, request, target);
  for (const field of socketFields) delete body[field];
  dropFallbackModels(body, target, losses);
  dropSampling(body, request, target, losses);
  const input = patchItems(request.input, target, losses);
  if (input !== request.input) body.input = input;
  const stream = request.stream === true;
  return {
    body,
    headers: forwardedHeaders(target),
    losses: losses.list(),
    stream,
    clientStream: stream,
    choices: 1,
    maxTokens,
    limitChosen: request.max_output_tokens == null,
    toolNames: nothingRenamed,
    wrappedTools: nothingWrapped,
    hideReasoning: false,
    singleToolCall: false,
  };
}

/** Fields of WebSocket frames; a node refuses them. */
const socketFields = ["type", "generate"] as const;

function setOutputLimit(body: JsonObject, request: ResponsesRequest, target: Target, losses: Losses): number {
  const limit = Math.max(LEAST_OUTPUT, outputLimit(request.max_output_tokens, target, losses, roomy));
  body.max_output_tokens = limit;
  return limit;
}

/**
 * The node stores nothing, whatever the client wants: its ids do not survive a failover. What it would have kept of
 * its reasoning comes sealed instead.
 */
function keepNothing(body: JsonObject, request: ResponsesRequest, { profile }: Target): void {
  delete body.previous_response_id;
  if (request.store === false) return;
  body.store = false;
  const include = request.include ?? [];
  if (mayReason(profile) && !include.includes(sealedReasoning)) body.include = [...include, sealedReasoning];
}

// Price and permission are checked for the alias only, so a request must not bring its own list of models.
function dropFallbackModels(body: JsonObject, { profile }: Target, losses: Losses): void {
  if (profile.modelFallbacks) return;
  for (const field of ["models", "route", "fallbacks", "provider"]) {
    if (body[field] === undefined) continue;
    delete body[field];
    losses.dropped(field);
  }
}

function dropSampling(
  body: JsonObject,
  request: ResponsesRequest,
  { profile }: Target,
  losses: Losses,
): void {
  const { sampling, samplingAtEffortNone } = profile;
  if (sampling === "full" || (samplingAtEffortNone && request.reasoning?.effort === "none")) return;
  for (const field of ["temperature", "top_p"]) {
    if (body[field] == null) continue;
    if (body[field] !== 1) losses.dropped(field);
    delete body[field];
  }
}

function forwardedHeaders({ headers }: Target): Record<string, string> {
  const beta = headers["openai-beta"];
  return beta === undefined ? {} : { "openai-beta": beta };
}

/** See `RequestAdapter.withoutReasoning`. */
export function withoutReasoning(body: JsonObject): JsonObject | null {
  const { input } = body;
  if (!Array.isArray(input)) return null;
  const kept = input.filter((item: unknown) => !isObject(item) || item.type !== "reasoning");
  return kept.length === input.length ? null : { ...body, input: kept };
}

/** The very same list where nothing has to change. */
function patchItems(input: ResponsesRequest["input"], target: Target, losses: Losses): unknown {
  if (!Array.isArray(input)) return input;
  const patched = input.flatMap((item: JsonObject) => {
    const kept = item.type === "reasoning" ? patchReasoning(item, target) : item;
    if (kept === null) losses.dropped("reasoning");
    return kept === null ? [] : [withoutForeignId(kept)];
  });
  const changed = patched.length !== input.length || patched.some((item, index) => item !== input[index]);
  return changed ? withoutOrphans(patched, losses) : input;
}

/**
 * Reasoning as this node reads it; null for what it would refuse: that of other nodes, and that of which it has kept
 * nothing. Source: docs/responses.md#s3-3.
 */
function patchReasoning(item: JsonObject, target: Target): JsonObject | null {
  const { profile } = target;
  const sealed = sealedFor(item.encrypted_content, target);
  const hasContent = Array.isArray(item.content) && item.content.length > 0;
  const readsContent = hasContent && profile.reasoningContentIn;
  if (sealed === null && !readsContent) return null;
  if (sealed === (item.encrypted_content ?? null) && (readsContent || !hasContent)) return item;
  const { content, encrypted_content: _sealed, ...kept } = item;
  if (readsContent) kept.content = content;
  return sealed === null ? kept : { ...kept, encrypted_content: sealed };
}

function sealedFor(sealed: unknown, target: Target): string | null {
  if (typeof sealed !== "string" || sealed === "") return null;
  return isGatewayTag(sealed) ? (target.openReasoning(sealed)?.opaque ?? null) : sealed;
}

/** Ids that a client has made up; nodes look for ids of their own. */
const madeByClient = /^[a-z]+_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function withoutForeignId(item: JsonObject): JsonObject {
  if (typeof item.id !== "string" || !madeByClient.test(item.id)) return item;
  const { id: _id, ...kept } = item;
  return kept;
}

/** Items without the reasoning that nothing of the model follows, which a node refuses. */
function withoutOrphans(items: readonly JsonObject[], losses: Losses): JsonObject[] {
  return items.filter((item, index) => {
    if (item.type !== "reasoning") return true;
    const next = items.slice(index + 1).find(({ type }) => type !== "reasoning");
    const isKept =
      next !== undefined && (!isObject(next) || next.role === undefined || next.role === "assistant");
    if (!isKept) losses.dropped("reasoning");
    return isKept;
  });
}
