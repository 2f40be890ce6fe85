import { hasOnlyFields, type JsonObject } from "@/lib/kernel/json-object";
import {
  arePlainTurns,
  isPlainFlag,
  isPlainLimit,
  isPlainShare,
  isPlainText,
} from "@/lib/protocols/validation/validate";

const plainFields: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "stream",
]);

const plainRoles: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant"]);

/** True for a chat request of texts and numbers that certainly passes `chatRequest`. */
export function isPlainChat(body: JsonObject): boolean {
  return (
    hasOnlyFields(body, plainFields) &&
    body.model !== "" &&
    isPlainText(body.model) &&
    isPlainLimit(body.max_tokens) &&
    isPlainLimit(body.max_completion_tokens) &&
    isPlainShare(body.temperature, 2) &&
    isPlainShare(body.top_p, 1) &&
    isPlainFlag(body.stream) &&
    arePlainTurns(body.messages, plainRoles)
  );
}
