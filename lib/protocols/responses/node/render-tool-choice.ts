import type { JsonObject } from "@/lib/kernel/json-object";
import { refusal } from "@/lib/protocols/generation/problems";
import type { ToolChoice } from "@/lib/protocols/generation/request";
import type { Rendering } from "@/lib/protocols/passes/rendering";

/** The fields of a tool choice. Throws: INVALID_REQUEST. Source: docs/responses.md#s3-6. */
export function renderToolChoice(tools: readonly JsonObject[], rendering: Rendering): JsonObject {
  const { toolChoice, parallelToolCalls } = rendering.request;
  if (tools.length === 0) return {};
  const fields: JsonObject = toolChoice === null ? {} : { tool_choice: choiceOf(toolChoice, rendering) };
  if (parallelToolCalls === false && toolChoice?.kind !== "none") fields.parallel_tool_calls = false;
  return fields;
}

function choiceOf(choice: ToolChoice, rendering: Rendering): unknown {
  const { profile, request, words, losses } = rendering;
  const isForced = choice.kind === "required" || choice.kind === "one";
  if (isForced && !profile.forcedTool) {
    losses.add("changed:tool_choice");
    return "auto";
  }
  switch (choice.kind) {
    case "auto":
    case "none":
    case "required":
      return choice.kind;
    case "one": {
      const { name } = choice;
      if (name === null || !request.tools.some((tool) => tool.name === name))
        throw refusal(words.unknownChoice(choice.source));
      return namedTool(name, rendering);
    }
    case "allowed": {
      const mode = choice.required && profile.forcedTool ? "required" : "auto";
      return { type: "allowed_tools", mode, tools: choice.names.map((name) => namedTool(name, rendering)) };
    }
  }
}

function namedTool(name: string, { request, profile, names }: Rendering): JsonObject {
  const tool = request.tools.find((offered) => offered.name === name);
  if (tool?.kind === "hosted") return { type: profile.webSearch };
  return { type: tool?.kind ?? "function", name: names.send(name) };
}
