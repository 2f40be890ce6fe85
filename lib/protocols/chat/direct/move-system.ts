import type { ChatMessage } from "@/lib/protocols/chat/client/schema";
import { systemMarker } from "@/lib/protocols/passes/rendering";
import type { Profile } from "@/lib/protocols/profiles/profile";

/**
 * Moves the system messages of a client's own history for a node whose prompt template allows one, at the start: those
 * at the start become one message; a later one joins it, or becomes a user message after the results of tools. Returns
 * the same array when nothing changes. Source: docs/protocols.md#s6-1.
 */
export function moveSystemMessages(messages: ChatMessage[], midSystem: Profile["midSystem"]): ChatMessage[] {
  if (midSystem === "native") return messages;
  const rest = messages.findIndex((message) => !isSystem(message));
  const leading = rest === -1 ? messages : messages.slice(0, rest);
  const others = messages.slice(leading.length);
  const later = others.filter(isSystem);
  if (leading.length < 2 && later.length === 0) return messages;
  if (midSystem === "merge") {
    const first = joinSystems([...leading, ...later]);
    return [...first, ...others.filter((message) => !isSystem(message))];
  }
  return [...joinSystems(leading), ...asUserMessages(others)];
}

function isSystem({ role }: ChatMessage): boolean {
  return role === "system" || role === "developer";
}

/** Joins several system messages into one; its content is a string if all contents are. */
function joinSystems(systems: readonly ChatMessage[]): ChatMessage[] {
  const [first, ...more] = systems;
  if (first === undefined || more.length === 0) return [...systems];
  const contents = systems.map(({ content }) => content ?? "");
  if (contents.every((content) => typeof content === "string"))
    return [{ ...first, content: contents.filter((text) => text !== "").join("\n\n") }];
  return [{ ...first, content: contents.flatMap(partsOf) }];
}

type Parts = Exclude<ChatMessage["content"], string | null | undefined>;

function partsOf(content: string | Parts): Parts {
  if (typeof content !== "string") return content;
  return content === "" ? [] : [{ type: "text", text: content }];
}

function asUserMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  const placed: ChatMessage[] = [];
  let waiting: ChatMessage[] = [];
  for (const message of messages) {
    if (isSystem(message)) {
      waiting.push(asUserMessage(message));
      continue;
    }
    if (message.role !== "tool" && message.role !== "function") {
      placed.push(...waiting);
      waiting = [];
    }
    placed.push(message);
  }
  return [...placed, ...waiting];
}

function asUserMessage({ content, cache_control }: ChatMessage): ChatMessage {
  const marked =
    typeof content === "string"
      ? `${systemMarker}\n${content}`
      : [{ type: "text", text: systemMarker }, ...partsOf(content ?? "")];
  return cache_control === undefined
    ? { role: "user", content: marked }
    : { role: "user", content: marked, cache_control };
}
