import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { ParseContext } from "@/lib/protocols/adapters/client-request";
import type { HostedTool, Tool } from "@/lib/protocols/generation/parts";
import {
  type Effort,
  effortWords,
  type GenerationRequest,
  type GivenField,
  type OutputFormat,
  type ReasoningWish,
  type ToolChoice,
} from "@/lib/protocols/generation/request";
import { tierOf } from "@/lib/protocols/generation/service-tier";
import { isUnknownVersion } from "@/lib/protocols/generation/version";
import { messagesFields } from "@/lib/protocols/messages/fields";
import { givenFields } from "@/lib/protocols/passes/rendering";
import { parseSystem, parseTurns } from "./parse-blocks";
import type { MessagesRequest, MessagesTool } from "./schema";
import { messagesWords } from "./words";

/** The neutral request of a checked messages body. Throws: INVALID_REQUEST naming the field. Source: docs/protocols.md#s5. */
export function parseMessagesRequest(body: JsonObject, context: ParseContext): GenerationRequest {
  const request = body as MessagesRequest; // the body has passed the schema
  const tools: Tool[] = parseTools(request);
  const wish = reasoningWish(request, context);
  const outputFormat = parseOutputFormat(request);
  const caller = request.metadata?.user_id ?? null;
  const choice = request.tool_choice;
  return {
    fields: fieldsOf(request),
    words: messagesWords,
    notes: isUnknownVersion(context.version) ? ["version:unknown"] : [],
    instructions: parseSystem(request.system),
    turns: parseTurns(request.messages),
    answersFollowCalls: true,
    tools,
    customTools: false,
    toolChoice: choice == null || tools.length === 0 ? null : toolChoice(choice),
    parallelToolCalls: choice?.disable_parallel_tool_use === true ? false : null,
    sampling: {
      temperature: request.temperature ?? null,
      topP: request.top_p ?? null,
      topK: request.top_k ?? null,
      seed: null,
      frequencyPenalty: null,
      presencePenalty: null,
    },
    outputLimit: request.max_tokens ?? null, // absent in requests to count tokens
    longAnswers: false,
    stop: request.stop_sequences ?? [],
    reasoning: { wish, hidden: false, overridden: [] },
    outputFormat,
    verbosity: null,
    choices: 1,
    logProbabilities: null,
    caller,
    session: context.headers["x-claude-code-session-id"] ?? sessionOf(caller),
    serviceTier: request.service_tier == null ? null : tierOf(request.service_tier),
    stream: request.stream === true,
    audioOutput: false,
    otherModalities: false,
    blockingModeration: false,
  };
}

function fieldsOf(request: MessagesRequest): GivenField[] {
  const fields = givenFields(request, messagesFields, false);
  if (request.output_config?.task_budget != null)
    fields.push({ name: "output_config.task_budget", rule: undefined });
  return fields;
}

function toolChoice(choice: NonNullable<MessagesRequest["tool_choice"]>): ToolChoice {
  switch (choice.type) {
    case "auto":
    case "none":
      return { kind: choice.type };
    case "any":
      return { kind: "required" };
    case "tool":
      return { kind: "one", name: choice.name ?? null, source: "tool_choice.name" };
  }
}

/** output_config.effort takes precedence over thinking. Throws: INVALID_REQUEST. Source: docs/protocols.md#s5-6. */
function reasoningWish(request: MessagesRequest, context: ParseContext): ReasoningWish | null {
  const { thinking } = request;
  if (thinking?.type === "enabled") checkBudget(thinking.budget_tokens, request, context);
  const word = request.output_config?.effort;
  if (word != null) return { kind: "effort", effort: effortOf(word), source: "output_config.effort" };
  if (thinking == null) return null;
  const source = "thinking";
  switch (thinking.type) {
    case "disabled":
      return { kind: "effort", effort: "none", source };
    case "between_tools":
    case "adaptive":
      return { kind: "mode", mode: thinking.type, source };
    case "enabled":
      return { kind: "budget", budget: thinking.budget_tokens ?? null, explicit: true, source };
    default:
      throw invalid(
        "thinking.type",
        "thinking.type must be one of enabled, adaptive, disabled, between_tools.",
      );
  }
}

// The vendor's servers make the same checks; here they apply to every alias.
function checkBudget(
  budget: number | null | undefined,
  request: MessagesRequest,
  { headers }: ParseContext,
): void {
  const param = "thinking.budget_tokens";
  if (budget == null || budget < 1024) throw invalid(param, `${param} must be at least 1024.`);
  const interleaved = headers["anthropic-beta"]?.includes("interleaved-thinking") === true;
  if (budget >= request.max_tokens && !interleaved)
    throw invalid(param, `${param} must be less than max_tokens.`);
}

function effortOf(word: string): Effort {
  const effort = effortWords.find((known) => known === word);
  if (effort !== undefined) return effort;
  throw invalid("output_config.effort", "output_config.effort must be one of low, medium, high, xhigh, max.");
}

/** Parses output_config.format, or the older output_format. Throws: INVALID_REQUEST. Source: docs/protocols.md#s5-7. */
function parseOutputFormat(request: MessagesRequest): OutputFormat | null {
  const current = request.output_config?.format;
  const wanted = current ?? request.output_format;
  const source = current == null ? "output_format" : "output_config.format";
  if (wanted === null || wanted === undefined) return null;
  if (!isObject(wanted) || wanted.type !== "json_schema" || !isObject(wanted.schema)) {
    throw invalid(source, `${source} must be {"type": "json_schema", "schema": …}.`);
  }
  const { schema } = wanted;
  return { kind: "json_schema", schema, name: null, description: null, strict: null, source };
}

function sessionOf(userId: string | null): string | null {
  if (userId === null) return null;
  const inJson = userId.startsWith("{") ? jsonSession(userId) : null;
  return inJson ?? /_session_([0-9a-f-]{8,})/i.exec(userId)?.[1] ?? null;
}

function jsonSession(text: string): string | null {
  const parsed = parseJson(text);
  return isObject(parsed) && typeof parsed.session_id === "string" ? parsed.session_id : null;
}

const modelDefined = /^(?:bash|text_editor|memory|computer|browser)_/;
const serverSide = /^(?:web_fetch|code_execution|tool_search|advisor|mcp_toolset)/;

/**
 * The tools of a messages request, without those that the history removes and does not add again.
 * Throws: INVALID_REQUEST naming the tool. Source: docs/protocols.md#s5-4.
 */
function parseTools(request: MessagesRequest): Tool[] {
  const tools = request.tools ?? [];
  if (tools.length === 0) return [];
  const removed = removedTools(request);
  const parsed: Tool[] = [];
  for (let index = 0; index < tools.length; index += 1) {
    const tool = tools[index];
    if (tool === undefined || (tool.name != null && removed.has(tool.name))) continue;
    parsed.push(parseTool(tool, `tools[${index}]`));
  }
  return parsed;
}

function parseTool(tool: MessagesTool, source: string): Tool {
  const type = tool.type ?? "custom";
  if (type !== "custom") return hostedTool(tool, type, source);
  if (tool.name == null) throw invalid(`${source}.name`, `${source}.name must be a string.`);
  return {
    kind: "function",
    source,
    name: tool.name,
    description: tool.description ?? null,
    parameters: tool.input_schema ?? null,
    strict: tool.strict === true,
    cache: isObject(tool.cache_control) ? tool.cache_control : undefined,
  };
}

function hostedTool(tool: MessagesTool, type: string, source: string): HostedTool {
  const { type: _type, ...place } = isObject(tool.user_location) ? tool.user_location : {};
  const runs = runsOf(type);
  const hosted: HostedTool = {
    kind: "hosted",
    source,
    name: tool.name ?? null,
    type,
    runs,
    location: Object.keys(place).length === 0 ? null : place,
    contextSize: null,
    missing: missing(runs),
  };
  if (runs === "web search" && tool.max_uses != null) hosted.maxUses = tool.max_uses;
  return hosted;
}

function runsOf(type: string): HostedTool["runs"] {
  if (type.startsWith("web_search")) return "web search";
  if (serverSide.test(type)) return "on the server";
  return modelDefined.test(type) ? "as its maker defined" : "unknown";
}

function missing(runs: HostedTool["runs"]): HostedTool["missing"] {
  return runs === "web search" || runs === "on the server" ? "left out beside others" : "refused";
}

function removedTools({ messages }: MessagesRequest): ReadonlySet<unknown> {
  const removed = new Set<unknown>();
  for (const { role, content } of messages) {
    if (role !== "system" || typeof content === "string") continue;
    for (const block of content) {
      const name = isObject(block.tool) ? (block.tool.name ?? block.tool.tool_name) : undefined;
      if (block.type === "tool_removal") removed.add(name);
      if (block.type === "tool_addition") removed.delete(name);
    }
  }
  return removed;
}
