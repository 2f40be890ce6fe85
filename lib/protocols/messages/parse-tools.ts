import { invalid } from "@/lib/kernel/errors";
import { isObject } from "@/lib/kernel/json";
import type { HostedTool, Tool } from "../generation/parts";
import type { MessagesRequest, MessagesTool } from "./schema";

const modelDefined = /^(?:bash|text_editor|memory|computer|browser)_/;
const serverSide = /^(?:web_fetch|code_execution|tool_search|advisor|mcp_toolset)/;

/**
 * The tools of a messages request. One that is taken away in the course of the history and not given back is left out.
 * Throws: INVALID_REQUEST naming the tool. Source: docs/protocols.md#s5-4.
 */
export function parseTools(request: MessagesRequest): Tool[] {
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
  return {
    kind: "hosted",
    source,
    name: tool.name ?? null,
    type,
    runs: runsOf(type),
    location: Object.keys(place).length === 0 ? null : place,
    contextSize: null,
  };
}

function runsOf(type: string): HostedTool["runs"] {
  if (type.startsWith("web_search")) return "web search";
  if (serverSide.test(type)) return "on the server";
  return modelDefined.test(type) ? "as its maker defined" : "unknown";
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
