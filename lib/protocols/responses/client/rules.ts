import { invalid } from "@/lib/kernel/errors";
import type { JsonObject } from "@/lib/kernel/json-object";

/**
 * Checks rules that a schema cannot express. Throws: INVALID_REQUEST naming the field. Source: docs/responses.md#s1-2.
 */
export function checkResponses(body: JsonObject): void {
  if (body.previous_response_id != null && body.conversation != null) {
    const param = "previous_response_id";
    throw invalid(param, `${param} must not be sent together with conversation.`);
  }
  const { input } = body;
  const isEmpty = input == null || input === "" || (Array.isArray(input) && input.length === 0);
  const hasOther = [body.previous_response_id, body.conversation, body.prompt].some((field) => field != null);
  if (isEmpty && !hasOther) throw invalid("input", "input must hold at least one item.");
}
