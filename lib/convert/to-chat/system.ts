import type { Conversion } from "@/lib/convert/conversion";
import { systemMarker } from "@/lib/convert/system-marker";
import { textParts } from "@/lib/convert/to-chat/parts";
import type { JsonObject } from "@/lib/kernel/json";
import type { MessagesRequest, MessagesTurn } from "@/lib/protocols/messages/schema";

const billingHeader = "x-anthropic-billing-header:";

/**
 * The system prompt's text parts, without the billing line of one well-known client: it changes with every
 * request and would defeat the upstream's prefix cache. Source: docs/protocols.md#s5-2, #ec-22.
 */
export function systemParts(system: MessagesRequest["system"], conversion: Conversion): JsonObject[] {
  if (system === null || system === undefined) return [];
  const blocks = typeof system === "string" ? [{ type: "text", text: system }] : system;
  return textParts(blocks, "system", conversion).flatMap(withoutBillingLine);
}

/** One system message from parts; null when there is nothing to say. Source: docs/protocols.md#s5-2. */
export function systemMessage(parts: JsonObject[], conversion: Conversion): JsonObject | null {
  if (parts.length === 0) return null;
  const role = conversion.profile.systemRole;
  const marked = parts.some((part) => part.prompt_cache_breakpoint !== undefined);
  if (marked) return { role, content: parts };
  return { role, content: parts.map((part) => part.text).join("\n\n") };
}

/**
 * The text of a system turn inside the history, as the user's words with a marker. Source: docs/protocols.md#s5-2
 * (`midSystem`).
 */
export function markedSystemText(parts: JsonObject[]): JsonObject[] {
  return parts.map((part) => ({ ...part, text: `${systemMarker}\n${String(part.text)}` }));
}

/** The text parts of a system turn inside the history. */
export function systemTurnParts(turn: MessagesTurn, at: string, conversion: Conversion): JsonObject[] {
  const blocks = typeof turn.content === "string" ? [{ type: "text", text: turn.content }] : turn.content;
  const texts = blocks.filter((block) => block.type !== "tool_addition" && block.type !== "tool_removal");
  return textParts(texts, `${at}.content`, conversion).flatMap(withoutBillingLine);
}

function withoutBillingLine(part: JsonObject): JsonObject[] {
  const text = String(part.text);
  if (!text.startsWith(billingHeader)) return [part];
  const end = text.indexOf("\n");
  const rest = end < 0 ? "" : text.slice(end + 1);
  return rest.trim() === "" ? [] : [{ ...part, text: rest }];
}
