import type { JsonObject } from "@/lib/kernel/json";
import type { ToolResultPart } from "../generation/parts";
import { noResult } from "../passes/notes";
import type { Rendering } from "../passes/rendering";
import { addPart } from "./render-content";

/** Results of tools as tool messages, and their media, which have to follow in a message of the user's. */
export class ToolMessages {
  readonly media: JsonObject[] = [];
  readonly #rendering: Rendering;

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
  }

  /** The result of the call that the node knows as `id`. Throws: INVALID_REQUEST. Source: docs/protocols.md#s5-3. */
  message(id: string, part: ToolResultPart): JsonObject {
    return { role: "tool", tool_call_id: id, content: this.content(part) };
  }

  /** What stands for a result that never came. */
  missing(id: string): JsonObject {
    return { role: "tool", tool_call_id: id, content: `Error: ${noResult}` };
  }

  /** Shape: a string, or parts where the node takes media in tool messages. */
  content({ content, isError }: ToolResultPart): string | JsonObject[] {
    if (typeof content === "string") return isError ? markedText(content) : content;
    const parts: JsonObject[] = [];
    for (const inner of content) {
      const start = parts.length;
      addPart(inner, parts, this.#rendering);
      if (inner.kind === "image" || inner.kind === "document") this.#moveMedia(parts, start);
    }
    if (isError) markError(parts);
    if (parts.some((part) => part.type !== "text")) return parts;
    return parts.map((part) => String(part.text)).join("\n");
  }

  // Most chat nodes take only text in a tool message.
  #moveMedia(parts: JsonObject[], start: number): void {
    if (this.#rendering.profile.imageInToolMsg) return;
    for (let at = start; at < parts.length; at += 1) {
      const part = parts[at];
      if (part === undefined || part.type === "text") continue;
      this.media.push(part);
      const kind = part.type === "file" ? "document" : "image";
      const ordinal = this.media.filter((other) => other.type === part.type).length;
      parts[at] = { type: "text", text: `[${kind} ${ordinal} attached in the next message]` };
    }
  }
}

function markedText(text: string): string {
  if (text === "") return "Error: the tool failed.";
  return /^\s*error/i.test(text) ? text : `Error: ${text}`;
}

function markError(parts: JsonObject[]): void {
  const text = parts.find((part) => part.type === "text");
  if (text === undefined) parts.unshift({ type: "text", text: markedText("") });
  else text.text = markedText(String(text.text));
}
