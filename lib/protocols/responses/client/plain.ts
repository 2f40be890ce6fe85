import { hasOnlyFields, type JsonObject } from "@/lib/kernel/json-object";
import {
  arePlainTurns,
  isPlainFlag,
  isPlainLimit,
  isPlainShare,
  isPlainText,
} from "@/lib/protocols/validation/validate";

const plainFields: ReadonlySet<string> = new Set(
  "model input instructions max_output_tokens temperature top_p store stream".split(" "),
);

const plainRoles: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "developer"]);

/** True for a Responses request of texts and numbers that certainly passes `responsesRequest`. */
export function isPlainResponses(body: JsonObject): boolean {
  return (
    hasOnlyFields(body, plainFields) &&
    body.model !== "" &&
    isPlainText(body.model) &&
    (isPlainText(body.input) || arePlainTurns(body.input, plainRoles)) &&
    (body.instructions === undefined || isPlainText(body.instructions)) &&
    isPlainLimit(body.max_output_tokens) &&
    isPlainShare(body.temperature, 2) &&
    isPlainShare(body.top_p, 1) &&
    isPlainFlag(body.store) &&
    isPlainFlag(body.stream)
  );
}
