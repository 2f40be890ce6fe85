import type { Conversion } from "@/lib/convert/conversion";
import { searchResultText, userParts } from "@/lib/convert/to-chat/parts";
import { isObject, type JsonObject } from "@/lib/kernel/json";

/** What one user turn's tool results become: tool messages, and media that has to follow in the user message. */
export class ToolMessages {
  readonly messages: JsonObject[] = [];
  readonly media: JsonObject[] = [];

  constructor(private readonly conversion: Conversion) {}

  /**
   * Adds the result of the call that the upstream knows as `id`. Throws: INVALID_REQUEST.
   * Source: docs/protocols.md#s5-3.
   */
  add(id: string, block: JsonObject, at: string): void {
    const parts = contentParts(block.content).flatMap((inner, index) =>
      this.part(inner, `${at}.content[${index}]`),
    );
    const marked = block.is_error === true ? withErrorMark(parts) : parts;
    this.messages.push({ role: "tool", tool_call_id: id, content: joined(marked) });
  }

  private part(block: JsonObject, at: string): JsonObject[] {
    switch (block.type) {
      case "image":
      case "document":
        return this.mediaPart(block, at);
      case "search_result":
        return [{ type: "text", text: searchResultText(block) }];
      case "tool_reference":
        return [
          {
            type: "text",
            text: `Tool available: ${this.conversion.names.send(String(block.tool_name ?? block.name))}`,
          },
        ];
      case "browser_state":
        return [{ type: "text", text: JSON.stringify(block) }];
      default:
        return userParts(block, at, this.conversion);
    }
  }

  // Most chat upstreams take only text in a tool message.
  private mediaPart(block: JsonObject, at: string): JsonObject[] {
    const parts = userParts(block, at, this.conversion);
    return parts.map((part) => {
      if (part.type === "text" || this.conversion.profile.imageInToolMsg) return part;
      this.media.push(part);
      const kind = part.type === "file" ? "document" : "image";
      const ordinal = this.media.filter((other) => other.type === part.type).length;
      return { type: "text", text: `[${kind} ${ordinal} attached in the next message]` };
    });
  }
}

function contentParts(content: unknown): JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function withErrorMark(parts: JsonObject[]): JsonObject[] {
  const text = parts.find((part) => part.type === "text");
  if (text !== undefined && /^\s*error/i.test(String(text.text))) return parts;
  if (text === undefined) return [{ type: "text", text: "Error: the tool failed." }, ...parts];
  return parts.map((part) => (part === text ? { ...part, text: `Error: ${String(part.text)}` } : part));
}

function joined(parts: JsonObject[]): string | JsonObject[] {
  if (parts.some((part) => part.type !== "text")) return parts;
  return parts.map((part) => String(part.text)).join("\n");
}
