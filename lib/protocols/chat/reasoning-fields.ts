import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/** The reasoning text of a delta or message in any of its three fields. Source: docs/protocols.md#s8-1, #s12-2. */
export function reasoningText(message: JsonObject): string {
  if (typeof message.reasoning_content === "string") return message.reasoning_content;
  if (typeof message.reasoning === "string" && message.reasoning !== "") return message.reasoning;
  let text = "";
  for (const detail of reasoningDetails(message)) {
    const piece = detail.type === "reasoning.summary" ? detail.summary : detail.text;
    if (typeof piece === "string") text += piece;
  }
  return text;
}

/** The `reasoning_details` entries of a delta or message. */
export function reasoningDetails(message: JsonObject): JsonObject[] {
  return Array.isArray(message.reasoning_details) ? message.reasoning_details.filter(isObject) : [];
}
