import { invalid } from "@/lib/kernel/errors";
import type { ToolChoice } from "@/lib/protocols/generation/request";
import type { GeminiRequest } from "./schema";

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
