import type { Conversion } from "@/lib/convert/conversion";
import { schemaInstruction } from "@/lib/convert/to-messages/output-format";
import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { MessagesRequest } from "@/lib/protocols/messages/schema";
import { isFullyRequired } from "@/lib/protocols/passes/schema-clean";

/** Chat's response_format, and the instruction a node without schemas needs beside it. */
interface ChatOutputFormat {
  responseFormat: JsonObject | null;
  instruction: string | null;
}

/** output_config.format, or the older output_format. Throws: INVALID_REQUEST. Source: docs/protocols.md#s5-7. */
export function convertOutputFormat(request: MessagesRequest, conversion: Conversion): ChatOutputFormat {
  const current = request.output_config?.format;
  const wanted = current ?? request.output_format;
  const param = current == null ? "output_format" : "output_config.format";
  if (wanted === null || wanted === undefined) return { responseFormat: null, instruction: null };
  if (!isObject(wanted) || wanted.type !== "json_schema" || !isObject(wanted.schema)) {
    throw invalid(param, `${param} must be {"type": "json_schema", "schema": …}.`);
  }
  const schema = wanted.schema;
  if (conversion.profile.structuredOutput) {
    const strict = isFullyRequired(schema);
    return {
      responseFormat: { type: "json_schema", json_schema: { name: "response", schema, strict } },
      instruction: null,
    };
  }
  conversion.warnings.add(`changed:${param}`);
  return { responseFormat: { type: "json_object" }, instruction: schemaInstruction(schema) };
}
