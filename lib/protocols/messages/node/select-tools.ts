import type { JsonObject } from "@/lib/kernel/json-object";
import { refusal } from "@/lib/protocols/generation/problems";
import type { ToolChoice } from "@/lib/protocols/generation/request";
import type { Rendering } from "@/lib/protocols/passes/rendering";
import type { RenderedTurn } from "./render-history";

/** The tools for the node, and the model's choice among them. */
export interface ToolSelection {
  tools: JsonObject[];
  choice: JsonObject | null;
}

/**
 * Minimal definitions of the tools that a history calls, for nodes that require them; the model must not call any of
 * them, because the client offered none. Source: docs/protocols.md#s4-5-6, #ec-70.
 */
export function toolsOfHistory(turns: readonly RenderedTurn[]): JsonObject[] {
  const names = new Set<string>();
  for (const { content } of turns) {
    for (const block of content) if (block.type === "tool_use") names.add(String(block.name));
  }
  return [...names].map((name) => ({ name, input_schema: { type: "object" } }));
}

/** The tools and the tool choice for the node. Throws: INVALID_REQUEST. Source: docs/protocols.md#s4-6. */
export function selectTools(tools: JsonObject[], rendering: Rendering): ToolSelection {
  if (tools.length === 0) return { tools, choice: null };
  const { toolChoice, parallelToolCalls } = rendering.request;
  const selection = toolChoice === null ? { tools, choice: null } : applyChoice(toolChoice, tools, rendering);
  if (parallelToolCalls !== false) return selection;
  const choice = selection.choice ?? { type: "auto" };
  return choice.type === "none"
    ? selection
    : { ...selection, choice: { ...choice, disable_parallel_tool_use: true } };
}

/** True when the model must call a tool. */
export function isForced(choice: JsonObject | null): boolean {
  return choice?.type === "any" || choice?.type === "tool";
}

function applyChoice(choice: ToolChoice, tools: JsonObject[], rendering: Rendering): ToolSelection {
  const { names, words } = rendering;
  switch (choice.kind) {
    case "auto":
    case "none":
      return { tools, choice: { type: choice.kind } };
    case "required":
      return { tools, choice: { type: "any" } };
    case "one": {
      const name = choice.name === null ? null : names.send(choice.name);
      if (name === null || !tools.some((tool) => tool.name === name))
        throw refusal(words.unknownChoice(choice.source));
      return { tools, choice: { type: "tool", name } };
    }
    case "allowed": {
      const allowed = choice.names.map((name) => names.send(name));
      const kept = tools.filter((tool) => allowed.includes(String(tool.name)));
      return { tools: kept, choice: { type: choice.required ? "any" : "auto" } };
    }
  }
}
