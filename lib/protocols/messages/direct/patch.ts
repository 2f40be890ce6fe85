import type { JsonObject } from "@/lib/kernel/json-object";
import type { Rendered, Target } from "@/lib/protocols/adapters/rendered";
import { Losses } from "@/lib/protocols/generation/losses";
import { isUnknownVersion } from "@/lib/protocols/generation/version";
import { withoutMade } from "@/lib/protocols/messages/client/made-search";
import type { MessagesBlock, MessagesRequest, MessagesTurn } from "@/lib/protocols/messages/client/schema";
import { limitCacheControl } from "@/lib/protocols/messages/node/cache-control";
import { toolIdPrefix } from "@/lib/protocols/messages/tool-ids";
import { isGatewayTag } from "@/lib/protocols/passes/reasoning-seal";
import { outputLimit, portableId } from "@/lib/protocols/passes/rendering";
import { moveSystemTurns } from "./move-system";
import { keepMessagesTools } from "./patch-tools";
import { withInstructions } from "./with-instructions";

const sameNames: ReadonlyMap<string, string> = new Map();
const noTools: ReadonlySet<string> = new Set();

/**
 * A messages request for a messages node: the client's own body with the changes that this node needs.
 * Source: docs/protocols.md#s6-2.
 */
export function patchMessages(received: JsonObject, target: Target): Rendered {
  const request = received as MessagesRequest; // the body has passed the schema
  const losses = new Losses();
  if (isUnknownVersion(target.version)) losses.add("version:unknown");
  const body: JsonObject = { ...request, model: target.upstreamModel };
  const placed = moveSystemTurns(request.messages, target.profile.midSystem);
  const cleaned = cleanTurns(placed.messages, losses);
  if (cleaned.messages !== request.messages) body.messages = cleaned.messages;
  const system = cleanSystem(withInstructions(request.system, placed.instructions));
  if (system !== request.system) body.system = system;
  const maxTokens = setOutputLimit(body, request, target, losses);
  if (cleaned.loopLostThinking) turnThinkingOff(body, losses);
  dropFallbackModels(body, target, losses);
  const offeredCalls = keepMessagesTools(body, request, target, losses);
  const kept = limitCacheControl(body, losses);
  const stream = request.stream === true;
  const rendered: Rendered = {
    body: kept,
    headers: forwardedHeaders(target),
    losses: losses.list(),
    stream,
    clientStream: stream,
    choices: 1,
    maxTokens,
    limitChosen: false,
    toolNames: sameNames,
    wrappedTools: noTools,
    hideReasoning: false,
    singleToolCall: false,
  };
  if (offeredCalls !== undefined) rendered.offeredCalls = offeredCalls;
  return rendered;
}

// A request to count tokens has no output limit and gets none.
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

// The upstream would refuse a tool loop whose thinking was removed.
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

// Headers in which the vendor's programs describe themselves are sent to the vendor only. Source:
// docs/protocols.md#s14.
const vendorHeader = /^x-(?:app$|claude-code-|stainless-helper)/;

/** The turns for a messages node, and whether the current tool loop has lost its thinking. */
interface CleanedTurns {
  /** The same array when nothing changes. */
  messages: MessagesTurn[];
  loopLostThinking: boolean;
}

/**
 * Removes parts that a messages upstream refuses although its own API returns them: empty texts, thinking that the
 * gateway signed for another upstream, ids of other origin. Source: docs/protocols.md#s6-2, #s8-4, #ec-7, #ec-84.
 */
function cleanTurns(messages: MessagesTurn[], losses: Losses): CleanedTurns {
  const cleaned = messages.map((turn) => cleanTurn(turn, losses));
  const changed = cleaned.some((turn, index) => turn !== messages[index]);
  const kept = changed
    ? cleaned.filter((turn, index) => turn === messages[index] || turn.content.length > 0)
    : messages;
  return { messages: kept, loopLostThinking: changed && loopLostThinking(messages) };
}

/** The system prompt without empty text blocks; the same value if there are none. */
function cleanSystem(system: MessagesRequest["system"]): MessagesRequest["system"] {
  if (!Array.isArray(system) || !system.some(isEmptyText)) return system;
  const kept = system.filter((block) => !isEmptyText(block));
  return kept.length > 0 ? kept : undefined;
}

function cleanTurn(turn: MessagesTurn, losses: Losses): MessagesTurn {
  if (typeof turn.content === "string") return turn;
  let blocks = turn.content;
  if (blocks.some(isForeignThinking)) {
    blocks = blocks.filter((block) => !isForeignThinking(block));
    losses.dropped("thinking");
  }
  if (blocks.some(isEmptyText) && !blocks.some(isThinking) && !blocks.every(isEmptyText)) {
    blocks = blocks.filter((block) => !isEmptyText(block));
  }
  const own = blocks.map(withoutMade);
  if (own.some((block, at) => block.type !== blocks[at]?.type)) losses.add("changed:web_search_tool_result");
  if (own.some((block, at) => block !== blocks[at])) blocks = own;
  if (blocks.some(hasForeignId)) blocks = blocks.map(withPortableId);
  return blocks === turn.content ? turn : { ...turn, content: blocks };
}

function isThinking(block: MessagesBlock): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

function isForeignThinking(block: MessagesBlock): boolean {
  return isThinking(block) && isGatewayTag(block.type === "thinking" ? block.signature : block.data);
}

function isEmptyText(block: MessagesBlock): boolean {
  return block.type === "text" && typeof block.text === "string" && block.text.trim() === "";
}

const legalId = /^[A-Za-z0-9_-]+$/;

function idField(block: MessagesBlock): "id" | "tool_use_id" | null {
  if (block.type === "tool_use") return "id";
  return block.type === "tool_result" ? "tool_use_id" : null;
}

function hasForeignId(block: MessagesBlock): boolean {
  const field = idField(block);
  if (field === null) return false;
  const id = block[field];
  return typeof id === "string" && !legalId.test(id);
}

function withPortableId(block: MessagesBlock): MessagesBlock {
  const field = idField(block);
  if (field === null || !hasForeignId(block)) return block;
  return { ...block, [field]: portableId(String(block[field]), toolIdPrefix) };
}

function loopLostThinking(messages: MessagesTurn[]): boolean {
  const last = messages.at(-1);
  const isLoop = Array.isArray(last?.content) && last.content.some((block) => block.type === "tool_result");
  if (!isLoop) return false;
  const assistant = messages.findLast((turn) => turn.role === "assistant");
  return Array.isArray(assistant?.content) && assistant.content.some(isForeignThinking);
}
