import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { Losses } from "../generation/losses";
import type { Profile } from "../profiles/profile";
import type { ChatMessage } from "./schema";

const fields = ["reasoning_content", "reasoning", "reasoning_details"] as const;

/**
 * An assistant message with its reasoning under the one name that the chat node reads back, or without any. What has
 * no place there is reported as dropped. The very same message where nothing has to change.
 * Source: docs/contract.md#b13, docs/protocols.md#s8-1, #s8-4.
 */
export function echoReasoning(
  message: ChatMessage,
  wanted: Profile["reasoningEcho"],
  losses: Losses,
): ChatMessage {
  if (message.role !== "assistant") return message;
  const others = fields.filter((field) => field !== wanted && message[field] !== undefined);
  if (others.length === 0) return message;
  const echoed = wanted === "none" ? undefined : valueFor(wanted, message);
  const sent: ChatMessage = { ...message };
  for (const field of others) {
    delete sent[field];
    if (saysMore(message[field], echoed)) losses.dropped(field);
  }
  if (wanted !== "none" && echoed !== undefined) sent[wanted] = echoed;
  return sent;
}

/** What goes out under the wanted name: the client's own value, else the text that it has under another name. */
function valueFor(wanted: "reasoning_content" | "reasoning_details", message: ChatMessage): unknown {
  const own = message[wanted];
  if (!isEmpty(own)) return own;
  const text = fields.map((field) => textOf(message[field])).find((found) => found !== "");
  if (text === undefined) return own;
  return wanted === "reasoning_content" ? text : [{ type: "reasoning.text", text, index: 0 }];
}

/** True when a value holds something that the echoed one does not. */
function saysMore(value: unknown, echoed: unknown): boolean {
  if (isEmpty(value)) return false;
  return isSealed(value) || textOf(value) === "" || textOf(value) !== textOf(echoed);
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return detailsOf(value)
    .map((detail) => (detail.type === "reasoning.summary" ? detail.summary : detail.text))
    .filter((text) => typeof text === "string")
    .join("");
}

/** Signatures and encrypted entries exist in `reasoning_details` only. */
function isSealed(value: unknown): boolean {
  return detailsOf(value).some(({ signature, data }) => !isEmpty(signature) || !isEmpty(data));
}

function detailsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
