import { isObject, type JsonObject } from "@/lib/kernel/json";
import { flattenContent } from "./content";
import { failedFinishReasons, fromFinishReason, spokenFinishReason, toFinishReason } from "./finish";
import { ToolCallAssembler } from "./tool-call-assembler";

/** How a choice ended. Shape: `word` is the chat word for clients, `native` the upstream's own. */
export interface ChoiceEnding {
  word: string;
  native: string;
  failed: boolean;
  unknown: boolean;
}

/**
 * Repairs the deltas of one choice in place, so that no client's accumulator breaks on them.
 * Source: docs/protocols.md#s12-2.
 */
export class ChoiceNormalizer {
  readonly tools: ToolCallAssembler;
  /** True when the last delta had to be changed. */
  edited = false;
  /** The choice that carried nothing but the finish, kept for its unknown fields. */
  finishChoice: JsonObject | null = null;
  native: string | null = null;
  #said = false;
  #legacyCall = false;
  #otherCall = false;
  #roleSent = false;

  /** `fallbackId` names the calls that the upstream gave no id. */
  constructor(fallbackId: (slot: number) => string) {
    this.tools = new ToolCallAssembler(fallbackId);
  }

  /** True once the choice has said or called anything. */
  get hasContent(): boolean {
    return this.#said || this.tools.slots.length > 0;
  }

  /** Returns the choice to pass on, or null when nothing of it is left. */
  repair(choice: JsonObject): JsonObject | null {
    this.edited = false;
    this.#drop(choice, "content_filter_results");
    this.#drop(choice, "content_filter_offsets");
    const reason = spokenFinishReason(choice.finish_reason);
    if (reason !== null) this.#finish(choice, reason);
    if (choice.finish_reason !== null && choice.finish_reason !== undefined) {
      choice.finish_reason = null;
      this.edited = true;
    }
    const delta = choice.delta;
    if (!isObject(delta)) return null;
    const isFirst = !this.#roleSent;
    this.#role(delta);
    if (flattenContent(delta)) this.edited = true;
    this.#blank(delta, "content", isFirst);
    this.#blank(delta, "refusal", isFirst);
    this.#blank(delta, "reasoning_content", false);
    if (typeof delta.reasoning_content === "string" && "reasoning" in delta) this.#drop(delta, "reasoning");
    this.#toolCalls(delta);
    this.#functionCall(delta);
    const left = hasKeys(delta);
    if (left && !isFirst) this.#said = true;
    if (isFirst && saysSomething(delta)) this.#said = true;
    if (left && this.finishChoice === choice) this.finishChoice = null;
    return left ? choice : null;
  }

  /** Calls that came another way than as deltas. */
  noteCalls(calls: number): void {
    if (calls > 0) this.#otherCall = true;
  }

  /** How the choice ended, as far as its finish reason and its calls tell; null when it told nothing. */
  ending(): ChoiceEnding | null {
    if (this.native === null) return null;
    const native = this.native;
    const reason = fromFinishReason[native.toLowerCase()];
    const called = this.tools.slots.length > 0 || this.#otherCall;
    let word = toFinishReason[reason ?? "end"];
    if (word === "stop" && called) word = "tool_calls";
    else if (word === "stop" && this.#legacyCall) word = "function_call";
    else if (word === "tool_calls" && !called) word = this.#legacyCall ? "function_call" : "stop";
    return { word, native, failed: failedFinishReasons.has(native), unknown: reason === undefined };
  }

  /** The ending of a choice whose server never says why it stopped. Source: docs/protocols.md#f3. */
  impliedEnding(): ChoiceEnding {
    this.native = "stop";
    const ending = this.ending();
    return ending ?? { word: "stop", native: "stop", failed: false, unknown: false };
  }

  #finish(choice: JsonObject, reason: string): void {
    const second = this.native !== null;
    if (second && reason !== "tool_calls") return;
    this.native = reason;
    this.finishChoice = choice;
  }

  #role(delta: JsonObject): void {
    if (!this.#roleSent) {
      this.#roleSent = true;
      if (delta.role === "assistant") return;
      delta.role = "assistant";
      this.edited = true;
    } else this.#drop(delta, "role");
  }

  #blank(delta: JsonObject, key: string, keep: boolean): void {
    if (keep || (delta[key] !== "" && delta[key] !== null)) return;
    this.#drop(delta, key);
  }

  #toolCalls(delta: JsonObject): void {
    if (delta.tool_calls === undefined) return;
    const entries = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isObject) : [];
    const kept = entries.filter((entry) => this.#toolCall(entry));
    if (kept.length === 0) this.#drop(delta, "tool_calls");
    else if (!Array.isArray(delta.tool_calls) || kept.length !== delta.tool_calls.length) {
      delta.tool_calls = kept;
      this.edited = true;
    }
  }

  #toolCall(entry: JsonObject): boolean {
    const kept = this.tools.repair(entry);
    if (this.tools.edited) this.edited = true;
    return kept;
  }

  #functionCall(delta: JsonObject): void {
    const call = delta.function_call;
    if (call === undefined) return;
    const says = isObject(call) && Boolean(call.name || call.arguments);
    if (says) this.#legacyCall = true;
    else this.#drop(delta, "function_call");
  }

  #drop(target: JsonObject, key: string): void {
    if (!(key in target)) return;
    delete target[key];
    this.edited = true;
  }
}

function hasKeys(object: JsonObject): boolean {
  for (const key in object) if (object[key] !== undefined) return true;
  return false;
}

function saysSomething(delta: JsonObject): boolean {
  for (const key in delta) if (key !== "role" && delta[key] !== "" && delta[key] !== null) return true;
  return false;
}
