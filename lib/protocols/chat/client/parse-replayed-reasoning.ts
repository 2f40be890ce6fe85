import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { Part } from "@/lib/protocols/generation/parts";
import type { ChatMessage } from "./schema";

/**
 * Adds the reasoning that a client replays in `reasoning_details`, in order; plain text is used only without details.
 * Streamed details are fragments: a signature ends the text before it.
 * Source: docs/protocols.md#s8-4.
 */
export function parseReplayedReasoning(message: ChatMessage, source: string, found: Part[]): void {
  const before = found.length;
  if (Array.isArray(message.reasoning_details)) {
    const reader = new DetailsReader(`${source}.reasoning_details`, found);
    for (const detail of message.reasoning_details) if (isObject(detail)) reader.read(detail);
    reader.close();
  }
  if (found.length > before) return;
  for (const field of ["reasoning_content", "reasoning"]) {
    const text = message[field];
    if (typeof text !== "string" || text === "") continue;
    const at = `${source}.${field}`;
    found.push({ kind: "reasoning", source: at, text, signature: null, sealed: null, format: null });
    return;
  }
}

class DetailsReader {
  readonly #source: string;
  readonly #found: Part[];
  #pending: { text: string; index: unknown } | null = null;

  constructor(source: string, found: Part[]) {
    this.#source = source;
    this.#found = found;
  }

  read(detail: JsonObject): void {
    const format = typeof detail.format === "string" ? detail.format : null;
    if (format !== null && !format.startsWith("anthropic")) this.#readForeign(detail, format);
    else if (detail.type === "reasoning.text") this.#readText(detail, format);
    else if (detail.type === "reasoning.encrypted" && typeof detail.data === "string") {
      this.close();
      this.#add(null, null, detail.data, format);
    } else this.#add(null, null, null, format);
  }

  close(): void {
    if (this.#pending !== null && this.#pending.text !== "") this.#add(this.#pending.text, null, null, null);
    this.#pending = null;
  }

  #readForeign(detail: JsonObject, format: string): void {
    const text = typeof detail.text === "string" ? detail.text : null;
    const signature = typeof detail.signature === "string" ? detail.signature : null;
    this.#add(text, signature, typeof detail.data === "string" ? detail.data : null, format);
  }

  #readText(detail: JsonObject, format: string | null): void {
    if (this.#pending !== null && this.#pending.index !== detail.index) this.close();
    this.#pending ??= { text: "", index: detail.index };
    if (typeof detail.text === "string") this.#pending.text += detail.text;
    if (typeof detail.signature !== "string" || detail.signature === "") return;
    this.#add(this.#pending.text, detail.signature, null, format);
    this.#pending = null;
  }

  #add(text: string | null, signature: string | null, sealed: string | null, format: string | null): void {
    this.#found.push({ kind: "reasoning", source: this.#source, text, signature, sealed, format });
  }
}
