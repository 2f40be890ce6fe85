import { isObject } from "@/lib/kernel/json-object";

/**
 * The characters that are read of the system text, and as many of the first user turn; both stay the same while the
 * conversation grows.
 */
const MAX_TEXT = 2_048;

/**
 * A text that all requests of one conversation share: the caller's own mark, else the system text and the first user
 * turn. Shape: "" when there is neither. Source: docs/protocols.md#s4 (`prompt_cache_key`).
 */
export function conversationOpening(mark: unknown, system: unknown, messages: unknown): string {
  if (typeof mark === "string" && mark !== "") return mark;
  let text = textOf(system);
  for (const message of Array.isArray(messages) ? messages : []) {
    if (!isObject(message)) break;
    if (message.role === "user") return `${text}\n${textOf(message.content)}`.trim();
    if (text.length < MAX_TEXT) text += textOf(message.content);
  }
  return text.trim();
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content.slice(0, MAX_TEXT);
  if (!Array.isArray(content)) return "";
  let text = "";
  for (const part of content) {
    if (text.length >= MAX_TEXT) break;
    if (isObject(part) && typeof part.text === "string") text += part.text.slice(0, MAX_TEXT);
  }
  return text;
}
