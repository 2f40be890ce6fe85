import type { Conversion } from "@/lib/convert/conversion";
import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { ChatRequest } from "@/lib/protocols/chat/schema";
import { cleanSchema } from "@/lib/protocols/passes/schema-clean";

/** Structured output: natively as `format`, else as an instruction that ends the system prompt. */
export interface OutputFormat {
  format: JsonObject | null;
  instruction: string | null;
}

const free: OutputFormat = { format: null, instruction: null };

/** Chat's response_format. Throws: INVALID_REQUEST. Source: docs/protocols.md#s4-8, #d7. */
export function convertOutputFormat(request: ChatRequest, conversion: Conversion): OutputFormat {
  const wanted = request.response_format;
  if (wanted === null || wanted === undefined || wanted.type === "text") return free;
  if (wanted.type === "json_object") {
    conversion.warnings.add("changed:response_format");
    return { ...free, instruction: "Respond with a single JSON object and nothing else." };
  }
  if (wanted.type !== "json_schema") {
    throw invalid(
      "response_format.type",
      "response_format.type must be one of text, json_object, json_schema.",
    );
  }
  return schemaFormat(wanted.json_schema, conversion);
}

function schemaFormat(wanted: unknown, conversion: Conversion): OutputFormat {
  const param = "response_format.json_schema.schema";
  if (!isObject(wanted) || !isObject(wanted.schema)) throw invalid(param, `${param} must be a JSON schema.`);
  const schema = conversion.profile.structuredOutput ? cleanSchema(wanted.schema) : null;
  if (schema !== null) return { ...free, format: { type: "json_schema", schema } };
  conversion.warnings.add("changed:response_format");
  return { ...free, instruction: schemaInstruction(wanted.schema) };
}

/** The sentence that asks for JSON of a schema, for upstreams without structured output. */
export function schemaInstruction(schema: JsonObject): string {
  return `Respond with a single JSON value that conforms to this JSON schema, and nothing else:\n${JSON.stringify(schema)}`;
}
