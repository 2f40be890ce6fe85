import type { JsonObject } from "@/lib/kernel/json-object";
import type { CustomTool, FunctionTool, Part, Tool, Turn } from "@/lib/protocols/generation/parts";
import type { GenerationRequest } from "@/lib/protocols/generation/request";

/**
 * Converts a request for a node without custom tools: each becomes a function whose only argument is the text, also in
 * the history. Source: docs/responses.md#s1-6.
 */
export function wrapCustomTools(request: GenerationRequest): GenerationRequest {
  const tools = request.tools.map((tool) => (tool.kind === "custom" ? asFunction(tool) : tool));
  return { ...request, tools, turns: request.turns.map(wrapCalls) };
}

/** The client's names of its custom tools. */
export function customToolNames(tools: readonly Tool[]): string[] {
  return tools.flatMap((tool) => (tool.kind === "custom" ? [tool.name] : []));
}

function asFunction({ source, name, description, grammar }: CustomTool): FunctionTool {
  const format = grammar === null ? null : `Input format (${grammar.syntax}):\n${grammar.definition}`;
  const lines = [description, format].filter((line) => line !== null && line !== "");
  return {
    kind: "function",
    source,
    name,
    description: lines.length === 0 ? null : lines.join("\n\n"),
    parameters: {
      type: "object",
      properties: { input: { type: "string", description: "raw text, not JSON" } },
      required: ["input"],
      additionalProperties: false,
    },
    strict: false,
    cache: undefined,
  };
}

function hasCustomCall({ parts }: Turn): boolean {
  return parts.some((part) => part.kind === "tool_call" && part.custom);
}

function wrapCalls(turn: Turn): Turn {
  return hasCustomCall(turn) ? { ...turn, parts: turn.parts.map(wrapCall) } : turn;
}

function wrapCall(part: Part): Part {
  if (part.kind !== "tool_call" || !part.custom) return part;
  const input: JsonObject = { input: String(part.input ?? "") };
  return { ...part, input: JSON.stringify(input), inputIsText: true, custom: false };
}
