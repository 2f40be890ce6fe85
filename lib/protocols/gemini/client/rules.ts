import { invalid } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { GeminiRequest } from "./schema";

/** Checks rules that a schema cannot express. Throws: INVALID_REQUEST naming the field. Source: docs/gemini.md#fields. */
export function checkGemini(body: JsonObject): void {
  const { generationConfig: config, tools } = body as GeminiRequest; // the body has passed the schema
  const thinking = config?.thinkingConfig;
  if (thinking?.thinkingLevel != null && thinking.thinkingBudget != null)
    refuseBoth("generationConfig.thinkingConfig", "thinkingBudget", "thinkingLevel");
  if (config?.responseSchema != null && config.responseJsonSchema != null)
    refuseBoth("generationConfig", "responseJsonSchema", "responseSchema");
  for (const [index, tool] of (tools ?? []).entries()) {
    for (const [at, { parameters, parametersJsonSchema }] of (tool.functionDeclarations ?? []).entries()) {
      if (parameters != null && parametersJsonSchema != null)
        refuseBoth(`tools[${index}].functionDeclarations[${at}]`, "parametersJsonSchema", "parameters");
    }
  }
}

function refuseBoth(path: string, field: string, other: string): never {
  throw invalid(`${path}.${field}`, `${path}.${field} must not be sent together with ${other}.`);
}
