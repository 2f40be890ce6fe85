import type { JsonObject } from "@/lib/kernel/json-object";
import type { Part, ToolResultPart, Turn } from "@/lib/protocols/generation/parts";
import { refusal } from "@/lib/protocols/generation/problems";
import { noResult, orphanNote, type Rendering, systemMarker } from "@/lib/protocols/passes/rendering";
import {
  type HistoryWalk,
  type HistoryWriter,
  type PairedCall,
  walkHistory,
} from "@/lib/protocols/passes/tool-pairing";
import { addPart, assistantMessage, contentParts } from "./render-assistant";

/**
 * Instructions and turns as chat messages: results in order of arrival, their media in the user's next message. Throws:
 * INVALID_REQUEST naming the place. Source: docs/protocols.md#s5-2, #s5-3, #d4, #d8.
 */
export function renderHistory(rendering: Rendering): JsonObject[] {
  const writer = new MessageWriter(rendering);
  for (const turn of rendering.request.instructions) {
    for (const part of writer.systemContent(turn)) writer.system.push(part);
  }
  walkHistory(rendering, writer);
  return writer.finish();
}

class MessageWriter implements HistoryWriter {
  readonly system: JsonObject[] = [];
  readonly #rendering: Rendering;
  readonly #messages: JsonObject[] = [];
  #userParts: JsonObject[] = [];
  #tools: ToolMessages;

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
    this.#tools = new ToolMessages(rendering);
  }

  systemContent(turn: Turn): JsonObject[] {
    return contentParts(turn.parts, this.#rendering);
  }

  userContent(parts: readonly Part[]): JsonObject[] {
    return contentParts(parts, this.#rendering);
  }

  assistant(turn: Turn, calls: HistoryWalk): void {
    const message = assistantMessage(turn, calls, this.#rendering);
    if (message === null) return;
    this.#flushUser();
    this.#messages.push(message);
  }

  result(id: string, part: ToolResultPart): JsonObject {
    return this.#tools.message(id, part);
  }

  missingResult(id: string): JsonObject {
    return this.#tools.missing(id);
  }

  results(_calls: readonly PairedCall[], inOrderOfArrival: readonly PairedCall[]): void {
    for (const { result } of inOrderOfArrival) if (result !== null) this.#messages.push(result);
    if (this.#tools.media.length === 0) return;
    this.#userParts.push(...this.#tools.media);
    this.#tools = new ToolMessages(this.#rendering);
  }

  orphanContent(part: ToolResultPart): JsonObject[] {
    const loose = new ToolMessages(this.#rendering);
    const content = loose.content(part);
    const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return [{ type: "text", text: orphanNote }, ...parts, ...loose.media];
  }

  add(role: "system" | "user", content: JsonObject[]): void {
    if (role === "user") {
      for (const part of content) this.#userParts.push(part);
      return;
    }
    switch (this.#rendering.profile.midSystem) {
      case "merge":
        this.system.push(...content);
        return;
      case "user":
        for (const part of content) {
          part.text = `${systemMarker}\n${String(part.text)}`;
          this.#userParts.push(part);
        }
        return;
      case "native": {
        this.#flushUser();
        const message = this.#systemMessage(content);
        if (message !== null) this.#messages.push(message);
      }
    }
  }

  finish(): JsonObject[] {
    this.#flushUser();
    this.#markPrefill();
    if (this.#messages.length === 0) throw refusal(this.#rendering.words.emptyHistory());
    const first = this.#systemMessage(this.system);
    if (first !== null) this.#messages.unshift(first);
    return this.#messages;
  }

  #systemMessage(parts: JsonObject[]): JsonObject | null {
    if (parts.length === 0) return null;
    const role = this.#rendering.profile.systemRole;
    if (parts.some((part) => part.prompt_cache_breakpoint !== undefined)) return { role, content: parts };
    return { role, content: parts.map((part) => part.text).join("\n\n") };
  }

  #flushUser(): void {
    if (this.#userParts.length === 0) return;
    this.#messages.push({ role: "user", content: this.#userMessage(this.#userParts) });
    this.#userParts = [];
  }

  #userMessage(parts: JsonObject[]): string | JsonObject[] {
    if (parts.length > 1 && !this.#rendering.profile.stringContent) return parts;
    const onlyText = parts.every(
      (part) => part.type === "text" && part.prompt_cache_breakpoint === undefined,
    );
    return onlyText ? parts.map((part) => String(part.text)).join("\n") : parts;
  }

  #markPrefill(): void {
    const last = this.#messages.at(-1);
    if (last?.role !== "assistant") return;
    const { prefill, prefillField } = this.#rendering.profile;
    if (!prefill) throw refusal(this.#rendering.words.prefill());
    if (prefillField !== null) last[prefillField] = true;
  }
}

/** The results of tools as tool messages, and their media, which must follow in a user message. */
class ToolMessages {
  readonly media: JsonObject[] = [];
  readonly #rendering: Rendering;

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
  }

  /** The result of the call with the node's id `id`. Throws: INVALID_REQUEST. Source: docs/protocols.md#s5-3. */
  message(id: string, part: ToolResultPart): JsonObject {
    return { role: "tool", tool_call_id: id, content: this.content(part) };
  }

  /** Replaces a result that is missing. */
  missing(id: string): JsonObject {
    return { role: "tool", tool_call_id: id, content: `Error: ${noResult}` };
  }

  /** Shape: a string, or parts if the node accepts media in tool messages. */
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

  // Most chat nodes accept only text in a tool message.
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
