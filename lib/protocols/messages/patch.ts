import type { JsonObject } from "@/lib/kernel/json";
import { Losses } from "../generation/losses";
import { isUnknownVersion } from "../generation/version";
import { outputLimit } from "../passes/output-limit";
import type { Rendered, Target } from "../request-adapter";
import { limitCacheControl } from "./cache-control";
import { cleanSystem, cleanTurns } from "./patch-turns";
import type { MessagesRequest } from "./schema";

const sameNames: ReadonlyMap<string, string> = new Map();

/**
 * A messages request for a messages node: the client's own body with the few edits that this node needs.
 * Source: docs/protocols.md#s6-2.
 */
export function patchMessages(came: JsonObject, target: Target): Rendered {
  const request = came as MessagesRequest; // it has passed the schema
  const losses = new Losses();
  if (isUnknownVersion(target.version)) losses.add("version:unknown");
  const body: JsonObject = { ...request, model: target.upstreamModel };
  const cleaned = cleanTurns(request.messages, losses);
  if (cleaned.messages !== request.messages) body.messages = cleaned.messages;
  const system = cleanSystem(request.system);
  if (system !== request.system) body.system = system;
  const maxTokens = setOutputLimit(body, request, target, losses);
  if (cleaned.loopLostThinking) turnThinkingOff(body, losses);
  dropFallbackModels(body, target, losses);
  const kept = limitCacheControl(body, losses);
  const stream = request.stream === true;
  return {
    body: kept,
    headers: forwardedHeaders(target),
    losses: losses.list(),
    stream,
    clientStream: stream,
    choices: 1,
    maxTokens,
    limitChosen: false,
    toolNames: sameNames,
    hideReasoning: false,
    singleToolCall: false,
  };
}

// Counting tokens has no output; the field stays absent.
function setOutputLimit(body: JsonObject, request: MessagesRequest, target: Target, losses: Losses): number {
  const requested: number | null | undefined = request.max_tokens;
  if (requested == null) return 0;
  const limit = outputLimit(requested, target, losses);
  body.max_tokens = limit;
  const budget = request.thinking?.budget_tokens;
  if (limit < requested && budget != null && budget >= limit) shrinkBudget(body, request, limit, losses);
  return limit;
}

function shrinkBudget(body: JsonObject, request: MessagesRequest, limit: number, losses: Losses): void {
  if (limit > 1024) {
    body.thinking = { ...request.thinking, budget_tokens: limit - 1 };
    losses.add("clamped:thinking.budget_tokens");
  } else {
    delete body.thinking;
    losses.dropped("thinking");
  }
}

// The upstream would refuse a tool loop whose thinking had to be taken out.
function turnThinkingOff(body: JsonObject, losses: Losses): void {
  const thinking = body.thinking;
  if (
    typeof thinking !== "object" ||
    thinking === null ||
    !("type" in thinking) ||
    thinking.type !== "enabled"
  )
    return;
  delete body.thinking;
  losses.dropped("thinking");
}

function dropFallbackModels(body: JsonObject, { profile }: Target, losses: Losses): void {
  if (profile.modelFallbacks || body.fallbacks === undefined) return;
  delete body.fallbacks;
  losses.dropped("fallbacks");
}

function forwardedHeaders(target: Target): Record<string, string> {
  const { version, headers } = target;
  const latest = target.profile.latestVersion;
  const sent = latest !== null && version > latest ? latest : version;
  const beta = headers["anthropic-beta"];
  const forwarded: Record<string, string> = { "anthropic-version": sent };
  if (beta !== undefined) forwarded["anthropic-beta"] = beta;
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && vendorHeader.test(name) && target.profile.vendorHeaders)
      forwarded[name] = value;
  }
  return forwarded;
}

// What the vendor's own programs tell about themselves is nobody else's business. Source: docs/protocols.md#s14.
const vendorHeader = /^x-(?:app$|claude-code-|stainless-helper)/;
