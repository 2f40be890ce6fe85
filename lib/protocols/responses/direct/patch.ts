import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { type OfferedCalls, offerCalls } from "@/lib/kernel/usage";
import type { Rendered, Target } from "@/lib/protocols/adapters/rendered";
import { Losses } from "@/lib/protocols/generation/losses";
import { type Problem, refusal } from "@/lib/protocols/generation/problems";
import { extrasOf } from "@/lib/protocols/passes/extra-costs";
import { ToolExtras, unusableTool } from "@/lib/protocols/passes/extras";
import { isGatewayTag } from "@/lib/protocols/passes/reasoning-seal";
import { outputLimit } from "@/lib/protocols/passes/rendering";
import { withoutCallers } from "@/lib/protocols/passes/tool-callers";
import { mayReason } from "@/lib/protocols/profiles/profile";
import { responsesWords } from "@/lib/protocols/responses/client/parse";
import type { ResponsesRequest } from "@/lib/protocols/responses/client/schema";
import { takenLimit } from "@/lib/protocols/responses/node/render";
import { declaredTools, hostedName, objectsOf, runsInContainer } from "@/lib/protocols/responses/tools";
import { moveSystemItems } from "./move-system";

const rules = extrasOf("responses");

const nothingRenamed: ReadonlyMap<string, string> = new Map();

const nothingWrapped: ReadonlySet<string> = new Set();

const roomy = { choices: 1, longAnswers: true };

const sealedReasoning = "reasoning.encrypted_content";

/**
 * A Responses request for a Responses node: the client's own body with the changes that this node needs.
 * Source: docs/responses.md#s3-3.
 */
export function patchResponses(received: JsonObject, target: Target): Rendered {
  const request = received as ResponsesRequest; // the body has passed the schema
  const losses = new Losses();
  refuseState(request);
  const body: JsonObject = { ...request, model: target.upstreamModel };
  const offeredCalls = keepPricedTools(body, request, target, losses);
  const maxTokens = setOutputLimit(body, request, target, losses);
  keepNothing(body, request, target);
  for (const field of socketFields) delete body[field];
  dropFallbackModels(body, target, losses);
  dropSampling(body, request, target, losses);
  moveSystemItems(body, target.profile.midSystem);
  const input = patchItems(body.input, target, losses);
  if (input !== request.input) body.input = input;
  const stream = request.stream === true;
  const rendered: Rendered = {
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
  if (offeredCalls !== null) rendered.offeredCalls = offeredCalls;
  return rendered;
}

/** Refuses state at the node, which all callers of this gateway would share. Throws: INVALID_REQUEST. */
function refuseState(request: ResponsesRequest): void {
  for (const field of ["conversation", "prompt"] as const)
    if (request[field] != null) throw refusal(responsesWords.serverState(field));
  if (request.background === true) throw refusal(responsesWords.serverState("background"));
}

/**
 * Removes tools that the node would run and bill beside tokens and that have no price on the alias, and bounds the
 * calls of the remaining ones; returns these calls. Throws: INVALID_REQUEST when the model must call a removed tool,
 * and under the strict setting. Source: docs/responses.md#s3-6.
 */
function keepPricedTools(
  body: JsonObject,
  request: ResponsesRequest,
  target: Target,
  losses: Losses,
): OfferedCalls | null {
  const extras = new ToolExtras(rules, target);
  const { dropped } = extras;
  const keep: Keep = (tool, at) => {
    if (!isObject(tool)) return true;
    const type = String(tool.type);
    if (!runsInContainer(tool)) return extras.keeps(type, at);
    extras.drop(type, at);
    return false;
  };
  const tools = request.tools == null ? null : keptTools(request.tools, "tools", keep);
  const input = Array.isArray(request.input)
    ? request.input.map((item, index) => withTools(item, `input[${index}].tools`, keep))
    : null;
  if (dropped.size > 0) {
    if (tools !== null) body.tools = tools;
    if (input !== null) body.input = input;
    const { own, foreign } = declaredTools(body);
    const kept = [...own, ...foreign].map(({ definition }) => String(definition.type));
    const noneLeft = kept.length === 0;
    dropCallers(body, dropped, kept);
    refuseForced(request.tool_choice, dropped, noneLeft);
    extras.tell(losses);
    if (tools?.length === 0) delete body.tools;
    if (noneLeft) delete body.tool_choice;
    else if (body.tool_choice !== undefined) body.tool_choice = withoutDropped(request.tool_choice, dropped);
  }
  if (extras.priced.size === 0) return null;
  const calls = offerCalls([...extras.priced], request.max_tool_calls, target.perCall);
  if (calls.told !== null) {
    body.max_tool_calls = calls.told;
    losses.add(`added:max_tool_calls:${calls.told}`);
  }
  return calls.offered;
}

/**
 * Deletes the removed tools from the allowed callers of others, in all lists of tools of the request. Changes `body`.
 */
function dropCallers(body: JsonObject, dropped: Dropped, kept: readonly string[]): void {
  const change = (tools: unknown[]) => withoutCallers(objectsOf(tools), dropped.keys(), kept);
  if (Array.isArray(body.tools)) body.tools = change(body.tools);
  if (!Array.isArray(body.input)) return;
  body.input = body.input.map((item: unknown) =>
    isObject(item) && declaresTools(item) ? { ...item, tools: change(item.tools) } : item,
  );
}

/** Decides for each tool, with its path, whether it remains. */
type Keep = (tool: unknown, at: string) => boolean;

/** The types of the removed tools, with the path of the first of each. */
type Dropped = ReadonlyMap<string, string>;

/** The 400 for a removed tool. `wanted`: the type of a choice; absent: the first of all. */
function cannotUse(dropped: Dropped, wanted?: unknown): Problem {
  const [type = "", at = ""] =
    [...dropped].find(([type]) => wanted === undefined || isType(type, wanted)) ?? [];
  return unusableTool(type, at);
}

function isType(type: string, wanted: unknown): boolean {
  return typeof wanted === "string" && hostedName(type) === hostedName(wanted);
}

function isDropped(dropped: Dropped, wanted: unknown): boolean {
  return [...dropped.keys()].some((type) => isType(type, wanted));
}

/** Throws: INVALID_REQUEST when the model must call a removed tool. */
function refuseForced(choice: unknown, dropped: Dropped, noneLeft: boolean): void {
  if (choice === "required" && noneLeft) throw refusal(cannotUse(dropped));
  if (!isObject(choice)) return;
  if (isDropped(dropped, choice.type)) throw refusal(cannotUse(dropped, choice.type));
  if (noneLeft && (choice.type === "function" || choice.type === "custom"))
    throw invalid("tool_choice.name", "tool_choice.name must be the name of one of the tools.");
  const isAllOfThem = choice.type === "allowed_tools" && Array.isArray(choice.tools);
  if (!isAllOfThem || choice.mode !== "required") return;
  if (allowedOf(choice, dropped).length === 0) throw refusal(cannotUse(dropped));
}

function allowedOf({ tools }: JsonObject, dropped: Dropped): JsonObject[] {
  return objectsOf(tools).filter((tool) => !isDropped(dropped, tool.type));
}

/** A choice among some tools, without removed ones; without any tool it becomes "none". */
function withoutDropped(choice: unknown, dropped: Dropped): unknown {
  if (!isObject(choice) || choice.type !== "allowed_tools") return choice;
  const tools = allowedOf(choice, dropped);
  return tools.length === 0 ? "none" : { ...choice, tools };
}

function declaresTools(item: JsonObject): item is JsonObject & { tools: unknown[] } {
  return (
    (item.type === "additional_tools" || item.type === "tool_search_output") && Array.isArray(item.tools)
  );
}

/** Returns the same item if all its tools remain. */
function withTools(item: JsonObject, at: string, keep: Keep): JsonObject {
  if (!declaresTools(item)) return item;
  const tools = keptTools(item.tools, at, keep);
  return tools === item.tools ? item : { ...item, tools };
}

/** The remaining tools, including members of namespaces; the same list if all remain. */
function keptTools(tools: readonly unknown[], list: string, keep: Keep): readonly unknown[] {
  const kept = tools.flatMap((tool, index) => {
    const at = `${list}[${index}]`;
    if (!keep(tool, at)) return [];
    if (!isObject(tool) || tool.type !== "namespace" || !Array.isArray(tool.tools)) return [tool];
    const members = keptTools(tool.tools, `${at}.tools`, keep);
    return [members === tool.tools ? tool : { ...tool, tools: members }];
  });
  return kept.length === tools.length && kept.every((tool, index) => tool === tools[index]) ? tools : kept;
}

/** Fields of WebSocket frames; a node refuses them. */
const socketFields = ["type", "generate"] as const;

function setOutputLimit(body: JsonObject, request: ResponsesRequest, target: Target, losses: Losses): number {
  const limit = takenLimit(outputLimit(request.max_output_tokens, target, losses, roomy), losses);
  body.max_output_tokens = limit;
  return limit;
}

/**
 * The node stores nothing, even if the client wants it: its ids do not survive a failover. The request asks for sealed
 * reasoning instead of stored reasoning.
 */
function keepNothing(body: JsonObject, request: ResponsesRequest, { profile }: Target): void {
  delete body.previous_response_id;
  if (request.store === false) return;
  body.store = false;
  const include = request.include ?? [];
  if (mayReason(profile) && !include.includes(sealedReasoning)) body.include = [...include, sealedReasoning];
}

// Price and permission are checked for the alias only: a request must not contain a list of other models.
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

/** Returns the same list when nothing changes. */
function patchItems(input: unknown, target: Target, losses: Losses): unknown {
  if (!Array.isArray(input)) return input;
  const patched = input.flatMap((received: unknown) => {
    const item = received as JsonObject; // the list has passed the schema
    const kept = item.type === "reasoning" ? patchReasoning(item, target) : item;
    if (kept === null) losses.dropped("reasoning");
    return kept === null ? [] : [withoutForeignId(kept)];
  });
  const changed = patched.length !== input.length || patched.some((item, index) => item !== input[index]);
  return changed ? withoutOrphans(patched, losses) : input;
}

/**
 * Reasoning that this node can read; null for reasoning that it would refuse: that of other nodes, and that without
 * sealed data or readable text. Source: docs/responses.md#s3-3.
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

/** Ids that a client has made; nodes search for them among their own ids. */
const madeByClient = /^[a-z]+_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function withoutForeignId(item: JsonObject): JsonObject {
  if (typeof item.id !== "string" || !madeByClient.test(item.id)) return item;
  const { id: _id, ...kept } = item;
  return kept;
}

/** The items without reasoning that no item of the model follows: a node refuses it. */
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
