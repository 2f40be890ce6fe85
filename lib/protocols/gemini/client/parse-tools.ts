import type { HostedTool, Tool } from "@/lib/protocols/generation/parts";
import { jsonSchema } from "./json-schema";
import type { GeminiTool } from "./schema";

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
