import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { Part } from "@/lib/protocols/generation/parts";
import { effortWords, type Reasoning, type ReasoningWish } from "@/lib/protocols/generation/request";
import type { ChatMessage, ChatRequest } from "./schema";

/** True when the client does not want to see reasoning. Source: docs/protocols.md#s4-2. */
export function excludesReasoning(request: ChatRequest): boolean {
  return request.include_reasoning === false || request.reasoning?.exclude === true;
}

/**
 * Reads `thinking`, `reasoning_effort` and `reasoning`, in this order of precedence.
 * Throws: INVALID_REQUEST for unknown words. Source: docs/protocols.md#s4-2, #s4-7.
 */
export function parseReasoning(request: ChatRequest): Reasoning {
  const wish = wishOf(request);
  const overridden: string[] = [];
  if (wish === null && request.thinking != null) overridden.push("thinking");
  if (wish?.source === "thinking" && request.reasoning_effort != null) overridden.push("reasoning_effort");
  return { wish, hidden: excludesReasoning(request), overridden };
}

function wishOf(request: ChatRequest): ReasoningWish | null {
  const { thinking, reasoning } = request;
  if (isObject(thinking) && thinking.type != null) return thinkingWish(thinking.type, thinking.budget_tokens);
  if (request.reasoning_effort != null) return effortOf(request.reasoning_effort, "reasoning_effort");
  if (!isObject(reasoning)) return null;
  const source = "reasoning";
  if (reasoning.enabled === false) return { kind: "effort", effort: "none", source };
  if (reasoning.effort != null) return effortOf(reasoning.effort, "reasoning.effort");
  if (reasoning.max_tokens != null) {
    const budget = wholeTokens(reasoning.max_tokens, "reasoning.max_tokens");
    return { kind: "budget", budget, explicit: false, source };
  }
  return reasoning.enabled === true ? { kind: "effort", effort: "medium", source } : null;
}

function thinkingWish(type: unknown, budget: unknown): ReasoningWish {
  const source = "thinking";
  switch (type) {
    case "enabled": {
      const tokens = budget == null ? null : wholeTokens(budget, "thinking.budget_tokens");
      return { kind: "budget", budget: tokens, explicit: true, source };
    }
    case "adaptive":
    case "between_tools":
      return { kind: "mode", mode: type, source };
    case "disabled":
      return { kind: "effort", effort: "none", source };
    default:
      throw invalid(
        "thinking.type",
        "thinking.type must be one of enabled, adaptive, disabled, between_tools.",
      );
  }
}

function effortOf(word: unknown, source: string): ReasoningWish {
  const effort = effortWords.find((known) => known === word);
  if (effort === undefined) throw invalid(source, `${source} must be one of ${effortWords.join(", ")}.`);
  return { kind: "effort", effort, source };
}

function wholeTokens(value: unknown, param: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalid(param, `${param} must be a whole number of tokens.`);
}

/**
 * Adds the reasoning that a client replays in `reasoning_details`, in order; plain text only where there is nothing
 * else. Streamed details arrive as fragments: a signature closes the text that came before it.
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
