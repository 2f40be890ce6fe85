import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { OwnForm } from "@/lib/protocols/adapters/client-request";

/**
 * Converts a body with parts in another protocol's form, as some editors send it to this path: a list `input` of
 * Responses items in place of `messages`, with the fields of Responses; tools in the form of Responses or Messages.
 * Null when nothing changes.
 * Throws: INVALID_REQUEST for references to earlier answers, and for entries of `input` that are no items. Source:
 * docs/protocols.md#s16-1.
 */
export function chatForm(body: JsonObject): OwnForm | null {
  const asItems =
    body.messages === undefined && (Array.isArray(body.input) || typeof body.input === "string");
  const tools = toolsOf(body.tools);
  const choice = choiceOf(body.tool_choice);
  if (!asItems && tools === body.tools && choice === body.tool_choice) return null;
  const own: JsonObject = asItems ? fromResponses(body) : { ...body };
  if (tools !== undefined) own.tools = tools;
  if (choice !== undefined) own.tool_choice = choice;
  if (isObject(body.tool_choice) && body.tool_choice.disable_parallel_tool_use === true)
    own.parallel_tool_calls ??= false;
  return { body: own, losses: asItems ? lossesOf(body.input) : [] };
}

/** The item types that a chat history has. */
const known: ReadonlySet<unknown> = new Set([
  undefined,
  "message",
  "function_call",
  "custom_tool_call",
  "function_call_output",
  "custom_tool_call_output",
]);

function lossesOf(input: unknown): string[] {
  const items = Array.isArray(input) ? input.filter(isObject) : [];
  const lost = items.filter(({ type }) => !known.has(type)).map(({ type }) => `dropped:${String(type)}`);
  return [...new Set(lost)];
}

/** Fields of Responses without effect on a chat answer, or that the gateway sets itself. */
const withoutMeaning = ["store", "include", "truncation", "prompt_cache_retention"] as const;

function fromResponses(body: JsonObject): JsonObject {
  const { input, instructions, max_output_tokens: limit, reasoning, text, ...own } = body;
  for (const field of ["previous_response_id", "conversation"])
    if (own[field] != null) throw invalid(field, `${field} is known at /v1/responses only.`);
  for (const field of withoutMeaning) delete own[field];
  const lead = typeof instructions === "string" && instructions !== "" ? [systemOf(instructions)] : [];
  own.messages = [...lead, ...messagesOf(input)];
  if (limit !== undefined) own.max_completion_tokens ??= limit;
  if (own.top_logprobs != null) own.logprobs ??= true;
  if (isObject(reasoning) && reasoning.effort != null) own.reasoning_effort ??= reasoning.effort;
  if (isObject(text)) {
    if (text.verbosity != null) own.verbosity ??= text.verbosity;
    if (isObject(text.format) && text.format.type !== "text") own.response_format ??= formatOf(text.format);
  }
  return own;
}

function systemOf(content: string): JsonObject {
  return { role: "system", content };
}

function formatOf({ type, ...schema }: JsonObject): JsonObject {
  return type === "json_schema" ? { type, json_schema: schema } : { type };
}

function messagesOf(input: unknown): JsonObject[] {
  if (!Array.isArray(input)) return [{ role: "user", content: input }];
  const messages: JsonObject[] = [];
  for (const [at, item] of input.entries()) {
    if (!isObject(item)) throw invalid(`input.${at}`, `input.${at} must be an item, such as a message.`);
    addItem(messages, item);
  }
  return messages;
}

/** Leaves out items that no chat history has, such as reasoning that only its vendor reads. */
function addItem(messages: JsonObject[], item: JsonObject): void {
  switch (item.type) {
    case undefined:
    case "message":
      messages.push({ role: item.role, content: contentOf(item.content) });
      return;
    case "function_call":
      addCall(messages, {
        id: item.call_id,
        type: "function",
        function: { name: item.name, arguments: item.arguments },
      });
      return;
    case "custom_tool_call":
      addCall(messages, { id: item.call_id, type: "custom", custom: { name: item.name, input: item.input } });
      return;
    case "function_call_output":
    case "custom_tool_call_output":
      messages.push({ role: "tool", tool_call_id: item.call_id, content: contentOf(item.output) });
  }
}

/** Calls of one turn become one message, with the text before them. */
function addCall(messages: JsonObject[], call: JsonObject): void {
  const last = messages.at(-1);
  if (last?.role !== "assistant") messages.push({ role: "assistant", content: null, tool_calls: [call] });
  else if (Array.isArray(last.tool_calls)) last.tool_calls.push(call);
  else last.tool_calls = [call];
}

function contentOf(content: unknown): unknown {
  return Array.isArray(content) ? content.map((part) => (isObject(part) ? partOf(part) : part)) : content;
}

function partOf(part: JsonObject): JsonObject {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return { type: "text", text: part.text };
    case "input_image": {
      const image_url: JsonObject = isObject(part.image_url) ? part.image_url : { url: part.image_url };
      return {
        type: "image_url",
        image_url: part.detail == null ? image_url : { ...image_url, detail: part.detail },
      };
    }
    case "input_file": {
      const { type: _type, ...file } = part;
      return { type: "file", file };
    }
    default:
      return part;
  }
}

/** Returns the same list if all tools have the form of this protocol, or an unknown one. */
function toolsOf(tools: unknown): unknown {
  if (!Array.isArray(tools)) return tools;
  const own = tools.map((tool) => (isObject(tool) ? toolOf(tool) : tool));
  return own.some((tool, at) => tool !== tools[at]) ? own : tools;
}

function toolOf(tool: JsonObject): JsonObject {
  const { type, name, description, parameters, input_schema: schema, strict, format } = tool;
  if (typeof name !== "string" || isObject(tool.function) || isObject(tool.custom)) return tool;
  if (type === "custom" && schema === undefined)
    return { type, custom: withoutNulls({ name, description, format: grammarOf(format) }) };
  if (type !== "function" && !(isObject(schema) && (type === undefined || type === "custom"))) return tool;
  return {
    type: "function",
    function: withoutNulls({ name, description, parameters: parameters ?? schema, strict }),
  };
}

function grammarOf(format: unknown): unknown {
  if (!isObject(format) || format.type !== "grammar" || isObject(format.grammar)) return format;
  const { type, ...grammar } = format;
  return { type, grammar };
}

/** The members that are not null. */
function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));
}

function choiceOf(choice: unknown): unknown {
  if (!isObject(choice)) return choice;
  const { type, name, mode, tools } = choice;
  if (type === "any") return "required";
  if (type === "allowed_tools" && Array.isArray(tools))
    return { type, allowed_tools: { mode, tools: tools.map((tool) => choiceOf(tool)) } };
  if (type === "auto" || type === "none") return type;
  if (typeof name !== "string") return choice;
  if (type === "function" || type === "tool") return { type: "function", function: { name } };
  return type === "custom" ? { type, custom: { name } } : choice;
}
