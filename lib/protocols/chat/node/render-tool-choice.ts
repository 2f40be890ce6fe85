import type { JsonObject } from "@/lib/kernel/json-object";
import type { Tool } from "@/lib/protocols/generation/parts";
import { refusal } from "@/lib/protocols/generation/problems";
import type { ToolChoice } from "@/lib/protocols/generation/request";
import type { Rendering } from "@/lib/protocols/passes/rendering";
import type { ChatToolChoice } from "./render-tools";

/** The fields of a tool choice. Throws: INVALID_REQUEST. Source: docs/protocols.md#s5-5. */
export function renderToolChoice(tools: readonly JsonObject[], rendering: Rendering): ChatToolChoice {
  const { request, profile, losses } = rendering;
  if (tools.length === 0) return { fields: {}, singleToolCall: false };
  const choice = request.toolChoice;
  const fields: JsonObject = choice === null ? {} : { tool_choice: choiceOf(choice, rendering) };
  if (request.parallelToolCalls !== false || choice?.kind === "none")
    return { fields, singleToolCall: false };
  if (profile.parallelFlag) {
    fields.parallel_tool_calls = false;
    return { fields, singleToolCall: false };
  }
  losses.add("changed:disable_parallel_tool_use");
  return { fields, singleToolCall: true };
}

function choiceOf(choice: ToolChoice, rendering: Rendering): unknown {
  const { profile } = rendering;
  switch (choice.kind) {
    case "auto":
    case "none":
      return choice.kind;
    case "required":
      return profile.forcedTool ? "required" : downgraded(rendering);
    case "one":
      return profile.forcedTool ? choiceOfOneTool(choice, rendering) : downgraded(rendering);
    case "allowed": {
      const mode = choice.required && profile.forcedTool ? "required" : "auto";
      if (!profile.allowedTools) return mode;
      const tools = choice.names.map((name) => namedTool(name, rendering));
      return { type: "allowed_tools", allowed_tools: { mode, tools } };
    }
  }
}

function choiceOfOneTool(
  { name, source }: Extract<ToolChoice, { kind: "one" }>,
  rendering: Rendering,
): JsonObject {
  const { request, words } = rendering;
  const tool = name === null ? undefined : request.tools.find((offered) => offered.name === name);
  if (name === null || tool === undefined || isRefused(tool)) throw refusal(words.unknownChoice(source));
  return namedTool(name, rendering);
}

function isRefused(tool: Tool): boolean {
  return tool.kind === "hosted" && tool.missing === "refused";
}

function namedTool(name: string, { request, names }: Rendering): JsonObject {
  const isCustom = request.tools.some((tool) => tool.kind === "custom" && tool.name === name);
  const sent = { name: names.send(name) };
  return isCustom ? { type: "custom", custom: sent } : { type: "function", function: sent };
}

function downgraded({ losses }: Rendering): string {
  losses.add("changed:tool_choice");
  return "auto";
}
