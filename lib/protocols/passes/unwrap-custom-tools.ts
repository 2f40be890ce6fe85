import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { Decoder } from "@/lib/protocols/adapters/decoder";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

/**
 * A decoder that converts calls of wrapped tools back into calls of custom tools, with the plain text of their only
 * argument. `wrapped`: the node's names of these tools. Source: docs/responses.md#s1-6.
 */
export class UnwrappingDecoder implements Decoder {
  readonly #decoder: Decoder;
  readonly #unwrapping: Unwrapping;

  constructor(decoder: Decoder, wrapped: ReadonlySet<string>) {
    this.#decoder = decoder;
    this.#unwrapping = new Unwrapping(wrapped);
  }

  get finishSeen(): boolean {
    return this.#decoder.finishSeen;
  }

  push(frame: SseFrame): GenerationEvent[] {
    return this.#unwrapping.all(this.#decoder.push(frame));
  }

  end(): GenerationEvent[] {
    return this.#unwrapping.all(this.#decoder.end());
  }
}

/** The events of a whole answer with unwrapped custom calls. */
export function unwrapCustomCalls(
  events: GenerationEvent[],
  wrapped: ReadonlySet<string>,
): GenerationEvent[] {
  return wrapped.size === 0 ? events : new Unwrapping(wrapped).all(events);
}

class Unwrapping {
  readonly #wrapped: ReadonlySet<string>;
  /** The open calls of wrapped tools, by choice and slot. */
  readonly #inputs = new Map<string, WrappedInput>();
  #choice = 0;

  constructor(wrapped: ReadonlySet<string>) {
    this.#wrapped = wrapped;
  }

  all(events: GenerationEvent[]): GenerationEvent[] {
    const isIdle = this.#inputs.size === 0;
    if (isIdle && !events.some(({ type }) => type === "tool_open" || type === "choice")) return events;
    const unwrapped: GenerationEvent[] = [];
    for (const event of events) this.#add(event, unwrapped);
    return unwrapped;
  }

  #add(event: GenerationEvent, events: GenerationEvent[]): void {
    switch (event.type) {
      case "choice":
        this.#choice = event.index;
        break;
      case "tool_open":
        if (event.kind !== "function" || !this.#wrapped.has(event.name)) break;
        this.#inputs.set(this.#key(event.slot), new WrappedInput());
        events.push({ ...event, kind: "custom" });
        return;
      case "tool_args": {
        const input = this.#inputs.get(this.#key(event.slot));
        if (input === undefined) break;
        const text = input.push(event.text);
        if (text !== "") events.push({ ...event, text });
        return;
      }
      case "tool_close": {
        const key = this.#key(event.slot);
        const rest = this.#inputs.get(key)?.close() ?? "";
        this.#inputs.delete(key);
        if (rest !== "") events.push({ type: "tool_args", slot: event.slot, text: rest });
      }
    }
    events.push(event);
  }

  #key(slot: number): string {
    return `${this.#choice}:${slot}`;
  }
}

const opening = /^\s*\{\s*"input"\s*:\s*"/;

/** Matches every beginning of a match of `opening`. */
const openingSoFar = /^\s*(?:\{\s*(?:"(?:i(?:n(?:p(?:u(?:t(?:"\s*(?::\s*)?)?)?)?)?)?)?)?)?$/;

const MAX_OPENING = 256;

/** A run of plain characters, or one escape. */
const token = /([^"\\]+)|\\u([0-9a-fA-F]{4})|\\([^u])/y;

const halfEscape = /^\\(?:u[0-9a-fA-F]{0,3})?$/;

const simpleEscapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/**
 * Reads the text of `{"input": "…"}` while the JSON arrives in fragments. Arguments of any other form are returned
 * unchanged once they are complete.
 */
class WrappedInput {
  /** The received part that is not read yet. */
  #pending = "";
  /** The first half of a split surrogate pair. */
  #half = "";
  #state: "opening" | "text" | "other" | "over" = "opening";

  /** Handles a fragment and returns the text that it adds. */
  push(fragment: string): string {
    if (this.#state === "over") return "";
    this.#pending += fragment;
    if (this.#state === "opening") this.#open();
    return this.#state === "text" ? this.#read() : "";
  }

  /** The rest at the end of the arguments. */
  close(): string {
    if (this.#state === "opening" || this.#state === "other") return inputOf(this.#pending);
    if (this.#state === "over" || halfEscape.test(this.#pending)) return this.#half;
    return this.#half + this.#pending;
  }

  #open(): void {
    const [matched] = opening.exec(this.#pending) ?? [];
    if (matched !== undefined) {
      this.#pending = this.#pending.slice(matched.length);
      this.#state = "text";
    } else if (this.#pending.length > MAX_OPENING || !openingSoFar.test(this.#pending)) this.#state = "other";
  }

  #read(): string {
    let text = this.#half;
    let end = 0;
    token.lastIndex = 0;
    for (let match = token.exec(this.#pending); match !== null; match = token.exec(this.#pending)) {
      const [, plain, unit, letter = ""] = match;
      if (plain !== undefined) text += plain;
      else if (unit !== undefined) text += String.fromCharCode(Number.parseInt(unit, 16));
      else text += simpleEscapes[letter] ?? letter;
      end = token.lastIndex;
    }
    this.#pending = this.#pending.slice(end);
    if (this.#pending.startsWith('"')) this.#state = "over";
    const whole = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    this.#half = text.slice(whole);
    return text.slice(0, whole);
  }
}

/** The input in complete arguments; arguments without one are the input themselves. */
function inputOf(text: string): string {
  const parsed = parseJson(text);
  return isObject(parsed) && typeof parsed.input === "string" ? parsed.input : text;
}
