import { invalid } from "@/lib/kernel/errors";
import type { HostedTool, Tool } from "@/lib/protocols/generation/parts";
import type { ToolChoice } from "@/lib/protocols/generation/request";
import { jsonSchema } from "./json-schema";
import type { GeminiRequest, GeminiTool } from "./schema";

/** The tools of a request, of all entries together. Source: docs/gemini.md#tools. */
export function parseTools(entries: readonly GeminiTool[]): Tool[] {
  const tools: Tool[] = [];
  for (const [index, entry] of entries.entries()) {
    const source = `tools[${index}]`;
    for (const [at, declared] of (entry.functionDeclarations ?? []).entries()) {
      const schema = declared.parametersJsonSchema ?? declared.parameters;
      tools.push({
        kind: "function",
        source: `${source}.functionDeclarations[${at}]`,
        name: declared.name,
        description: declared.description ?? null,
        parameters: schema == null ? null : jsonSchema(schema),
        strict: false,
        cache: undefined,
      });
    }
    for (const [type, value] of Object.entries(entry)) {
      if (type !== "functionDeclarations" && value != null && value !== false)
        tools.push(hostedTool(type, `${source}.${type}`));
    }
  }
  return tools;
}

/** A tool that runs at the vendor's own servers. */
function hostedTool(type: string, source: string): HostedTool {
  return {
    kind: "hosted",
    source,
    name: null,
    type,
    runs: "on the server",
    location: null,
    contextSize: null,
    missing: "refused",
  };
}

const path = "toolConfig.functionCallingConfig";

/** The model's choice among the tools. Throws: INVALID_REQUEST. Source: docs/gemini.md#tools. */
export function parseToolChoice({ toolConfig }: GeminiRequest): ToolChoice | null {
  const config = toolConfig?.functionCallingConfig;
  if (config == null) return null;
  const names = config.allowedFunctionNames ?? [];
  const [first = ""] = names;
  switch (config.mode?.toUpperCase() ?? "MODE_UNSPECIFIED") {
    case "NONE":
      return { kind: "none" };
    case "ANY":
      if (names.length > 1) return { kind: "allowed", names, required: true };
      return names.length === 0
        ? { kind: "required" }
        : { kind: "one", name: first, source: `${path}.allowedFunctionNames[0]` };
    case "AUTO":
    case "VALIDATED":
    case "MODE_UNSPECIFIED":
      return names.length === 0 ? { kind: "auto" } : { kind: "allowed", names, required: false };
    default:
      throw invalid(`${path}.mode`, `${path}.mode must be one of AUTO, ANY, NONE, VALIDATED.`);
  }
}

/** Calls whose arguments come in pieces exist in this protocol only. */
export function choiceLosses({ toolConfig }: GeminiRequest): string[] {
  return toolConfig?.functionCallingConfig?.streamFunctionCallArguments === true
    ? [`dropped:${path}.streamFunctionCallArguments`]
    : [];
}
