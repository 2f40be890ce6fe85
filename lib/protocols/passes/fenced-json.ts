import type { Decoder } from "@/lib/protocols/adapter";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

/** A code fence that begins a text, as a whole, and as far as it may have come. */
const opening = /^\s*```(?:json)?[ \t]*\r?\n/i;
const openingSoFar = /^\s*(?:`{0,3}|```[a-z]{0,4}[ \t]*\r?)$/i;
const closing = /^\s*```\s*$/;

/** The text of one choice without the fence around all of it. */
class FencedText {
  #state: "before" | "inside" | "plain" = "before";
  #held = "";

  push(event: GenerationEvent): GenerationEvent[] {
    if (event.type === "text") return this.#state === "plain" ? [event] : textEvent(this.#text(event.text));
    if (event.type === "finish") return [...textEvent(this.#rest()), event];
    return this.#state === "before" && this.#held !== "" ? [...textEvent(this.#rest()), event] : [event];
  }

  #text(piece: string): string {
    const text = this.#held + piece;
    this.#held = "";
    if (this.#state === "inside") return this.#withoutEnd(text);
    const fence = opening.exec(text);
    if (fence !== null) {
      this.#state = "inside";
      return this.#withoutEnd(text.slice(fence[0].length));
    }
    if (openingSoFar.test(text)) {
      this.#held = text;
      return "";
    }
    this.#state = "plain";
    return text;
  }

  /** What may be the fence at the end waits. */
  #withoutEnd(text: string): string {
    const at = endOfJson(text);
    this.#held = text.slice(at);
    return text.slice(0, at);
  }

  #rest(): string {
    const held = this.#held;
    this.#held = "";
    const isFence = this.#state === "inside" && closing.test(held);
    this.#state = "plain";
    return isFence ? "" : held;
  }
}

/** Where what may be the fence at the end begins, with the space before it. */
function endOfJson(text: string): number {
  let end = text.trimEnd().length;
  for (let ticks = 0; ticks < 3 && text[end - 1] === "`"; ticks += 1) end -= 1;
  return text.slice(0, end).trimEnd().length;
}

function textEvent(text: string): GenerationEvent[] {
  return text === "" ? [] : [{ type: "text", text }];
}

class Unfencing {
  readonly #texts = new Map<number, FencedText>();
  #index = 0;

  push(event: GenerationEvent): GenerationEvent[] {
    if (event.type === "choice") this.#index = event.index;
    if (!mayEndText(event)) return [event];
    const text = this.#texts.get(this.#index) ?? new FencedText();
    this.#texts.set(this.#index, text);
    return text.push(event);
  }
}

/** True for what stands in the order of a choice's text. */
function mayEndText({ type }: GenerationEvent): boolean {
  return type === "text" || type === "finish" || type === "tool_open" || type === "message";
}

/**
 * A decoder of a node that was told in words to answer with JSON: a code fence around the whole text is taken off.
 * Source: docs/protocols.md#s5-7.
 */
export class UnfencingDecoder implements Decoder {
  readonly #decoder: Decoder;
  readonly #unfencing = new Unfencing();

  constructor(decoder: Decoder) {
    this.#decoder = decoder;
  }

  get finishSeen(): boolean {
    return this.#decoder.finishSeen;
  }

  push(frame: SseFrame): GenerationEvent[] {
    return this.#decoder.push(frame).flatMap((event) => this.#unfencing.push(event));
  }

  end(): GenerationEvent[] {
    return this.#decoder.end().flatMap((event) => this.#unfencing.push(event));
  }
}

/** The same for the events of a whole answer. */
export function withoutFence(events: readonly GenerationEvent[]): GenerationEvent[] {
  const unfencing = new Unfencing();
  return events.flatMap((event) => unfencing.push(event));
}
