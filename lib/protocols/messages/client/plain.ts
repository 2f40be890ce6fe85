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
  "system",
  "temperature",
  "top_p",
  "stream",
]);

const plainRoles: ReadonlySet<unknown> = new Set(["user", "assistant"]);

/** True for a messages request of texts and numbers that certainly passes `messagesRequest`. */
export function isPlainMessages(body: JsonObject): boolean {
  return (
    hasOnlyFields(body, plainFields) &&
    body.model !== "" &&
    isPlainText(body.model) &&
    body.max_tokens !== undefined &&
    isPlainLimit(body.max_tokens) &&
    (body.system === undefined || isPlainText(body.system)) &&
    isPlainShare(body.temperature, 1) &&
    isPlainShare(body.top_p, 1) &&
    isPlainFlag(body.stream) &&
    arePlainTurns(body.messages, plainRoles)
  );
}
