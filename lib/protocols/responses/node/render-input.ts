import { printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Part, ReasoningPart, ToolResultPart, Turn } from "@/lib/protocols/generation/parts";
import { refusal } from "@/lib/protocols/generation/problems";
import { noResult, orphanNote, type Rendering, systemMarker } from "@/lib/protocols/passes/rendering";
import {
  type HistoryWalk,
  type HistoryWriter,
  type PairedCall,
  walkHistory,
} from "@/lib/protocols/passes/tool-pairing";
import { contentParts } from "./render-content";

/**
 * Instructions and turns as input items, in their order: the prefix of a conversation is constant while it grows.
 * Throws: INVALID_REQUEST naming the place. Source: docs/responses.md#s3-7.
 */
export function renderInput(rendering: Rendering): JsonObject[] {
  const writer = new ItemList(rendering);
  for (const turn of rendering.request.instructions) writer.addInstructions(writer.systemContent(turn));
  walkHistory(rendering, writer);
  return writer.finish();
}

class ItemList implements HistoryWriter {
  readonly #rendering: Rendering;
  readonly #items: JsonObject[] = [];
  readonly #instructions: JsonObject[] = [];
  /** The user's parts, until another item follows. */
  #userParts: JsonObject[] = [];
  /** The items so far include a part of the conversation. */
  #begun = false;

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
  }

  addInstructions(content: JsonObject[]): void {
    if (content.length > 0)
      this.#instructions.push(this.#message(this.#rendering.profile.systemRole, content));
  }

  systemContent(turn: Turn): JsonObject[] {
    return contentParts(turn.parts, this.#rendering);
  }

  userContent(parts: readonly Part[]): JsonObject[] {
    return contentParts(parts, this.#rendering);
  }

  /** Writes the parts of a turn in their order; adjacent texts are one message. */
  assistant(turn: Turn, calls: HistoryWalk): void {
    this.#flushUser();
    let text = "";
    const flushText = () => {
      if (text.trim() !== "") this.#push({ type: "message", role: "assistant", content: text });
      text = "";
    };
    for (const part of withSealsFirst(turn.parts)) {
      if (part.kind === "tool_call" || part.kind === "reasoning") {
        flushText();
        if (part.kind === "reasoning") this.#reasoning(part);
        else this.#push(this.#call(part, calls.open(part)));
      } else text += this.#wordsOf(part);
    }
    flushText();
    this.#dropOrphanReasoning();
  }

  result(id: string, part: ToolResultPart): JsonObject {
    return { type: "function_call_output", call_id: id, output: this.#output(part) };
  }

  missingResult(id: string): JsonObject {
    return { type: "function_call_output", call_id: id, output: `Error: ${noResult}` };
  }

  results(_calls: readonly PairedCall[], inOrderOfArrival: readonly PairedCall[]): void {
    for (const { part, result } of inOrderOfArrival) {
      if (result === null) continue;
      if (part.custom) result.type = "custom_tool_call_output";
      this.#push(result);
    }
  }

  orphanContent(part: ToolResultPart): JsonObject[] {
    const output = this.#output(part);
    const parts = typeof output === "string" ? [textPart(output)] : output;
    return [textPart(orphanNote), ...parts];
  }

  add(role: "system" | "user", content: JsonObject[]): void {
    if (content.length === 0) return;
    if (role === "user") {
      for (const part of content) this.#userParts.push(part);
      return;
    }
    const { midSystem, systemRole } = this.#rendering.profile;
    if (midSystem === "merge" || (!this.#begun && this.#userParts.length === 0))
      this.addInstructions(content);
    else if (midSystem === "native") {
      this.#flushUser();
      this.#push(this.#message(systemRole, content));
    } else {
      for (const part of content) this.#userParts.push(textPart(`${systemMarker}\n${String(part.text)}`));
    }
  }

  finish(): JsonObject[] {
    this.#flushUser();
    const { words, profile } = this.#rendering;
    const last = this.#items.at(-1);
    if (last === undefined) throw refusal(words.emptyHistory());
    if (last.role === "assistant" && !profile.prefill) throw refusal(words.prefill());
    return [...this.#instructions, ...this.#items];
  }

  #push(item: JsonObject): void {
    this.#begun = true;
    this.#items.push(item);
  }

  #flushUser(): void {
    const parts = this.#userParts;
    this.#userParts = [];
    if (parts.length > 0) this.#push(this.#message("user", parts));
  }

  /** A single text without a cache mark becomes a string. */
  #message(role: string, parts: JsonObject[]): JsonObject {
    const [first] = parts;
    const isPlain = parts.length === 1 && first?.type === "input_text" && Object.keys(first).length === 2;
    return { type: "message", role, content: isPlain ? first.text : parts };
  }

  #call(part: Extract<Part, { kind: "tool_call" }>, id: string): JsonObject {
    const name = this.#rendering.names.send(part.name);
    const text = part.inputIsText ? String(part.input) : printJson(part.input ?? {});
    if (part.custom) return { type: "custom_tool_call", call_id: id, name, input: text };
    return { type: "function_call", call_id: id, name, arguments: text };
  }

  /** Writes reasoning in the original form of the node; other text only if the node accepts it. */
  #reasoning({ text, signature, sealed }: ReasoningPart): void {
    const { target, profile, losses } = this.#rendering;
    const ours = sealed ?? signature;
    const opened = ours === null ? null : target.openReasoning(ours);
    if (opened?.opaque != null) {
      const id = opened.id === undefined || opened.id === "" ? {} : { id: opened.id };
      this.#push({ type: "reasoning", ...id, summary: [], encrypted_content: opened.opaque });
    } else if (profile.reasoningContentIn && text !== null && text !== "")
      this.#push({ type: "reasoning", summary: [], content: [{ type: "reasoning_text", text }] });
    else losses.dropped("reasoning_content");
  }

  /** A node refuses reasoning that no item of the model follows. */
  #dropOrphanReasoning(): void {
    while (this.#items.at(-1)?.type === "reasoning") this.#items.pop();
  }

  #wordsOf(part: Part): string {
    const { losses, words } = this.#rendering;
    switch (part.kind) {
      case "text":
      case "refusal":
        return part.text;
      case "server_step":
        losses.add(`changed:${part.type}`);
        return `${part.text}\n`;
      case "native":
        if (part.text === null) losses.dropped(part.type);
        return part.text ?? "";
      case "image":
      case "document":
        losses.dropped(part.kind);
        return "";
      case "audio":
        throw refusal(words.audio(part));
      case "reasoning":
      case "tool_call":
      case "tool_result":
      case "tool_reference":
        return "";
    }
  }

  #output({ content, isError }: ToolResultPart): string | JsonObject[] {
    if (typeof content === "string") return isError ? errorText(content) : content;
    const parts = contentParts(content, this.#rendering);
    const text = parts.find((part) => part.type === "input_text");
    if (isError && text === undefined) parts.unshift(textPart(errorText("")));
    else if (isError && text !== undefined) text.text = errorText(String(text.text));
    return parts.every(isPlainText) ? parts.map((part) => String(part.text)).join("\n") : parts;
  }
}

/**
 * A sealed part without text at the end of a turn arrived at the end of its answer; it belongs to the reasoning before
 * the turn and is moved there.
 */
function withSealsFirst(parts: readonly Part[]): readonly Part[] {
  let end = parts.length;
  while (end > 0 && isBareSeal(parts[end - 1])) end -= 1;
  return end === parts.length || end === 0 ? parts : [...parts.slice(end), ...parts.slice(0, end)];
}

function isBareSeal(part: Part | undefined): boolean {
  return part?.kind === "reasoning" && (part.text ?? "") === "" && (part.sealed ?? part.signature) !== null;
}

function isPlainText(part: JsonObject): boolean {
  return part.type === "input_text" && part.prompt_cache_breakpoint === undefined;
}

function textPart(text: string): JsonObject {
  return { type: "input_text", text };
}

function errorText(text: string): string {
  if (text === "") return "Error: the tool failed.";
  return /^\s*error/i.test(text) ? text : `Error: ${text}`;
}
