import type { Conversion, PreparedRequest } from "@/lib/convert/conversion";
import { cleanSystem, cleanTurns } from "@/lib/convert/forward-turns";
import { outputLimit } from "@/lib/convert/output-limit";
import type { JsonObject } from "@/lib/kernel/json";
import { limitCacheControl } from "@/lib/protocols/messages/cache-control";
import type { MessagesRequest } from "@/lib/protocols/messages/schema";

/**
 * A messages request for a messages node: the client's own body with the few edits that this node needs.
 * Source: docs/protocols.md#s6-2.
 */
export function forwardMessages(request: MessagesRequest, conversion: Conversion): PreparedRequest {
  const { context, warnings, names } = conversion;
  const body: JsonObject = { ...request, model: context.upstreamModel };
  const cleaned = cleanTurns(request.messages, warnings);
  if (cleaned.messages !== request.messages) body.messages = cleaned.messages;
  const system = cleanSystem(request.system);
  if (system !== request.system) body.system = system;
  const maxTokens = setOutputLimit(body, request, conversion);
  if (cleaned.loopLostThinking) turnThinkingOff(body, conversion);
  dropFallbackModels(body, conversion);
  const stream = request.stream === true;
  return {
    body: limitCacheControl(body, warnings),
    headers: forwardedHeaders(conversion),
    warnings: warnings.list(),
    stream,
    upstreamStream: stream,
    includeUsage: false,
    legacyFunctions: false,
    excludeReasoning: false,
    singleToolCall: false,
    toolNames: names.aliases,
    choices: 1,
    maxTokens,
    limitChosen: false,
    stopSequences: request.stop_sequences ?? [],
  };
}

// Counting tokens has no output; the field stays absent.
function setOutputLimit(body: JsonObject, request: MessagesRequest, conversion: Conversion): number {
  const requested: number | null | undefined = request.max_tokens;
  if (requested == null) return 0;
  const limit = outputLimit(requested, conversion);
  body.max_tokens = limit;
  const budget = request.thinking?.budget_tokens;
  if (limit < requested && budget != null && budget >= limit) shrinkBudget(body, request, limit, conversion);
  return limit;
}

function shrinkBudget(
  body: JsonObject,
  request: MessagesRequest,
  limit: number,
  conversion: Conversion,
): void {
  if (limit > 1024) {
    body.thinking = { ...request.thinking, budget_tokens: limit - 1 };
    conversion.warnings.add("clamped:thinking.budget_tokens");
  } else {
    delete body.thinking;
    conversion.warnings.dropped("thinking");
  }
}

// The upstream would refuse a tool loop whose thinking had to be taken out.
function turnThinkingOff(body: JsonObject, conversion: Conversion): void {
  const thinking = body.thinking;
  if (
    typeof thinking !== "object" ||
    thinking === null ||
    !("type" in thinking) ||
    thinking.type !== "enabled"
  )
    return;
  delete body.thinking;
  conversion.warnings.dropped("thinking");
}

function dropFallbackModels(body: JsonObject, conversion: Conversion): void {
  if (conversion.profile.modelFallbacks || body.fallbacks === undefined) return;
  delete body.fallbacks;
  conversion.warnings.dropped("fallbacks");
}

function forwardedHeaders(conversion: Conversion): Record<string, string> {
  const { version, headers } = conversion.context;
  const latest = conversion.profile.latestVersion;
  const sent = latest !== null && version > latest ? latest : version;
  const beta = headers?.["anthropic-beta"];
  const forwarded: Record<string, string> = { "anthropic-version": sent };
  if (beta !== undefined) forwarded["anthropic-beta"] = beta;
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && vendorHeader.test(name) && conversion.profile.vendorHeaders)
      forwarded[name] = value;
  }
  return forwarded;
}

// What the vendor's own programs tell about themselves is nobody else's business. Source: docs/protocols.md#s14.
const vendorHeader = /^x-(?:app$|claude-code-|stainless-helper)/;
