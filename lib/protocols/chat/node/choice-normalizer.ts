import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import {
  failedFinishReasons,
  fromFinishReason,
  givenFinishReason,
  toFinishReason,
} from "@/lib/protocols/chat/finish-reasons";
import { type Edits, ToolCallAssembler } from "@/lib/protocols/chat/tool-call-assembler";

/** The end of a choice. Shape: `word` is the chat word for clients, `native` the upstream's own. */
export interface ChoiceEnding {
  word: string;
  native: string;
  failed: boolean;
  unknown: boolean;
}

/**
 * Normalises one choice for the accumulators of all clients, in place: the deltas of a stream, or a whole message.
 * Source: docs/protocols.md#s12-2, #s9-2, #s10.
 */
export class ChoiceNormalizer {
  readonly tools: ToolCallAssembler;
  readonly #edits: Edits;
  /** The choice that contained only the finish reason; it is stored for its unknown fields. */
  finishChoice: JsonObject | null = null;
  /** The node's own finish reason; null until it arrives. */
  native: string | null = null;
  #hasContent = false;
  #legacyCall = false;
  #wholeCalls = false;
  #roleSent = false;

  /** `fallbackId` makes the ids of calls without one. */
  constructor(edits: Edits, fallbackId: (slot: number) => string) {
    this.#edits = edits;
    this.tools = new ToolCallAssembler(edits, fallbackId);
  }

  /** True once the choice has any text or call. */
  get hasContent(): boolean {
    return this.#hasContent || this.#called;
  }

  /** Normalises a choice of a chunk. Returns false when nothing of it remains to be sent. */
  normaliseDelta(choice: JsonObject): boolean {
    this.#edits.drop(choice, "content_filter_results");
    this.#edits.drop(choice, "content_filter_offsets");
    const reason = givenFinishReason(choice.finish_reason);
    if (reason !== null) this.#finish(choice, reason);
    if (choice.finish_reason !== null && choice.finish_reason !== undefined)
      this.#edits.set(choice, "finish_reason", null);
    const delta = choice.delta;
    if (!isObject(delta)) return false;
    const isFirst = !this.#roleSent;
    this.#role(delta);
    if (flattenContent(delta)) this.#edits.made = true;
    this.#blank(delta, "content", isFirst);
    this.#blank(delta, "refusal", isFirst);
    this.#blank(delta, "reasoning_content", false);
    if (typeof delta.reasoning_content === "string") this.#edits.drop(delta, "reasoning");
    if (delta.tool_calls !== undefined)
      this.#keepCalls(
        delta,
        objectsIn(delta.tool_calls).filter((entry) => this.tools.normalise(entry)),
      );
    this.#functionCall(delta);
    const left = hasKeys(delta);
    if (isFirst ? hasContent(delta) : left) this.#hasContent = true;
    if (left && this.finishChoice === choice) this.finishChoice = null;
    return left;
  }

  /** Normalises a choice of a whole answer. */
  normaliseMessage(choice: JsonObject): void {
    this.#edits.drop(choice, "content_filter_results");
    const message = isObject(choice.message) ? choice.message : {};
    this.#edits.set(choice, "message", message);
    this.#edits.set(message, "role", "assistant");
    if (flattenContent(message)) this.#edits.made = true;
    if (message.content === undefined) this.#edits.set(message, "content", null);
    if (message.refusal === "") this.#edits.set(message, "refusal", null);
    if ("tool_calls" in message) {
      const calls = objectsIn(message.tool_calls);
      this.#keepCalls(message, calls);
      this.tools.normaliseWhole(calls);
      this.#wholeCalls = calls.length > 0;
    }
    this.#functionCall(message);
    const reason = givenFinishReason(choice.finish_reason);
    if (reason !== null) this.native = reason;
    this.#edits.set(choice, "finish_reason", (this.ending() ?? this.impliedEnding()).word);
  }

  /** The end of the choice, by its finish reason and its calls; null while it has no finish reason. */
  ending(): ChoiceEnding | null {
    if (this.native === null) return null;
    const native = this.native;
    const reason = rowOf(fromFinishReason, native.toLowerCase());
    const called = this.#called;
    let word = toFinishReason[reason ?? "end"];
    if (word === "stop" && called) word = "tool_calls";
    else if (word === "stop" && this.#legacyCall) word = "function_call";
    else if (word === "tool_calls" && !called) word = this.#legacyCall ? "function_call" : "stop";
    return { word, native, failed: failedFinishReasons.has(native), unknown: reason === undefined };
  }

  /** The end of a choice for a node that never sends a finish reason. Source: docs/protocols.md#f3. */
  impliedEnding(): ChoiceEnding {
    this.native = "stop";
    const ending = this.ending();
    return ending ?? { word: "stop", native: "stop", failed: false, unknown: false };
  }

  get #called(): boolean {
    return this.#wholeCalls || this.tools.calls.length > 0;
  }

  #finish(choice: JsonObject, reason: string): void {
    const second = this.native !== null;
    if (second && reason !== "tool_calls") return;
    this.native = reason;
    this.finishChoice = choice;
  }

  #role(delta: JsonObject): void {
    if (this.#roleSent) this.#edits.drop(delta, "role");
    else this.#edits.set(delta, "role", "assistant");
    this.#roleSent = true;
  }

  #blank(delta: JsonObject, key: string, keep: boolean): void {
    if (keep || (delta[key] !== "" && delta[key] !== null)) return;
    this.#edits.drop(delta, key);
  }

  #keepCalls(message: JsonObject, kept: JsonObject[]): void {
    const { tool_calls: given } = message;
    if (kept.length === 0) this.#edits.drop(message, "tool_calls");
    else if (!Array.isArray(given) || kept.length !== given.length)
      this.#edits.set(message, "tool_calls", kept);
  }

  #functionCall(message: JsonObject): void {
    const call = message.function_call;
    if (call === undefined) return;
    if (isObject(call) && (call.name || call.arguments)) this.#legacyCall = true;
    else this.#edits.drop(message, "function_call");
  }
}

function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function hasKeys(object: JsonObject): boolean {
  for (const key in object) if (object[key] !== undefined) return true;
  return false;
}

function hasContent(delta: JsonObject): boolean {
  for (const key in delta) if (key !== "role" && delta[key] !== "" && delta[key] !== null) return true;
  return false;
}

/**
 * The answer text and the reasoning text in an array of content parts (Mistral style). Source: docs/protocols.md#s9-2.
 */
function readParts(parts: unknown[]): { text: string; thinking: string } {
  let text = "";
  let thinking = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    if (!isObject(part)) continue;
    if (part.type === "thinking") thinking += thinkingOf(part.thinking);
    else if (typeof part.text === "string") text += part.text;
  }
  return { text, thinking };
}

function thinkingOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? readParts(value).text : "";
}

/** Converts array content of a delta or message into a string, reasoning into `reasoning_content`. */
function flattenContent(message: JsonObject): boolean {
  if (!Array.isArray(message.content)) return false;
  const { text, thinking } = readParts(message.content);
  message.content = text;
  if (thinking !== "" && typeof message.reasoning_content !== "string") message.reasoning_content = thinking;
  return true;
}
