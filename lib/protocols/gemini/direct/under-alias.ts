import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { writeGeminiUsage } from "@/lib/protocols/gemini/client/write-usage";
import type { PartialUsage } from "@/lib/protocols/generation/events";

/**
 * The JSON text of an answer, or of a chunk, with the client's model name; the rest of the text stays as it is where the
 * place of the name is certain. `usage` replaces the node's counts. Changes `body`.
 */
export function underAlias(json: string, body: JsonObject, alias: string, usage?: PartialUsage): string {
  const { modelVersion } = body;
  if (usage !== undefined) {
    const told = isObject(body.usageMetadata) ? body.usageMetadata : {};
    body.usageMetadata = { ...told, ...writeGeminiUsage(usage) };
  } else if (typeof modelVersion !== "string") return json;
  else {
    for (const space of ["", " "]) {
      const member = `"modelVersion":${space}${JSON.stringify(modelVersion)}`;
      const at = json.indexOf(member);
      if (at === -1 || json.includes(member, at + 1)) continue;
      return `${json.slice(0, at)}"modelVersion":${space}${JSON.stringify(alias)}${json.slice(at + member.length)}`;
    }
  }
  body.modelVersion = alias;
  return printJson(body);
}
