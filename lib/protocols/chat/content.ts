import { isObject, type JsonObject } from "@/lib/kernel/json";

/**
 * The answer text and the thinking text of an array of content parts (Mistral style). Source: docs/protocols.md#s9-2.
 */
function readParts(parts: unknown[]): { text: string; thinking: string } {
  let text = "";
  let thinking = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    if (!isObject(part)) continue;
    if (part.type === "thinking") thinking += thinkingOf(part.thinking);
    else if (typeof part.text === "string") text += part.text;
  }
  return { text, thinking };
}

function thinkingOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? readParts(value).text : "";
}

/** Turns array content of a delta or message into a string, thinking into `reasoning_content`. */
export function flattenContent(message: JsonObject): boolean {
  if (!Array.isArray(message.content)) return false;
  const { text, thinking } = readParts(message.content);
  message.content = text;
  if (thinking !== "" && typeof message.reasoning_content !== "string") message.reasoning_content = thinking;
  return true;
}

/** The reasoning text of a delta or message under any of its three names. Source: docs/protocols.md#s8-1, #s12-2. */
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
