import { invalid } from "@/lib/kernel/errors";
import type { OutputFormat } from "@/lib/protocols/generation/request";
import { jsonSchema } from "./json-schema";
import type { GenerationConfig } from "./schema";

/** The form of the answer; without a schema any JSON. */
export function parseOutputFormat(config: GenerationConfig): OutputFormat | null {
  const { responseMimeType: type, responseSchema, responseJsonSchema } = config;
  const wanted = responseJsonSchema ?? responseSchema;
  if (wanted != null) {
    const field = responseJsonSchema == null ? "responseSchema" : "responseJsonSchema";
    const source = `generationConfig.${field}`;
    const schema = jsonSchema(wanted);
    return { kind: "json_schema", schema, name: null, description: null, strict: true, source };
  }
  const source = "generationConfig.responseMimeType";
  if (type === "application/json") return { kind: "json", source };
  if (type == null || type === "" || type === "text/plain") return null;
  const forms = "text/plain or application/json; text/x.enum needs a responseSchema";
  throw invalid(source, `${source} must be ${forms}.`);
}
