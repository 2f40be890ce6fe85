import type { JsonObject } from "@/lib/kernel/json-object";
import type { Decoder } from "@/lib/protocols/adapters/decoder";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

type Text = Extract<GenerationEvent, { type: "text" }>;

/** The code fence at the beginning of a text, whole, and the part that may have arrived so far. */
const opening = /^\s*```(?:json)?[ \t]*\r?\n/i;
const openingSoFar = /^\s*(?:`{0,3}|```[a-z]{0,4}[ \t]*\r?)$/i;
/** The closing fence: on a line of its own, or at the very end. JSON contains no line break before three backticks. */
const closing = /\n[ \t]*```[ \t]*(?=[^\s`])|\n[ \t]*```[ \t]*\r?\n/;
const closingAtEnd = /^\s*```\s*$/;
/** The most characters that are held back because they may belong to a fence. */
const MAX_HELD = 64;

/** The text of one choice without the fence around its JSON. */
class FencedText {
  #state: "before" | "inside" | "plain" = "before";
  #held = "";
  /** The log probabilities of the held tokens, until it is clear that there is no fence. */
  #logProbabilities: JsonObject[] = [];

  push(event: GenerationEvent): GenerationEvent[] {
    if (event.type === "text") return this.#text(event);
    if (event.type === "finish") return [...this.#rest(), event];
    return this.#state === "before" && this.#held !== "" ? [...this.#rest(), event] : [event];
  }

  #text(event: Text): GenerationEvent[] {
    if (this.#state === "plain") return [event];
    const text = this.#held + event.text;
    this.#held = "";
    if (this.#state === "inside") return this.#withoutEnd(text);
    const fence = opening.exec(text);
    if (fence !== null) {
      this.#state = "inside";
      this.#logProbabilities = [];
      return this.#withoutEnd(text.slice(fence[0].length));
    }
    for (const token of event.logProbabilities ?? []) this.#logProbabilities.push(token);
    this.#held = text;
    return text.length <= MAX_HELD && openingSoFar.test(text) ? [] : this.#rest();
  }

  /** Holds back a possible closing fence. */
  #withoutEnd(text: string): GenerationEvent[] {
    const fence = closing.exec(text);
    if (fence !== null) {
      this.#state = "plain";
      return textEvent(`${text.slice(0, fence.index)}\n${text.slice(fence.index + fence[0].length)}`);
    }
    const at = Math.max(endOfJson(text), text.length - MAX_HELD);
    this.#held = text.slice(at);
    return textEvent(text.slice(0, at));
  }

  #rest(): GenerationEvent[] {
    const held = this.#held;
    this.#held = "";
    const isFence = this.#state === "inside" && closingAtEnd.test(held);
    this.#state = "plain";
    return isFence ? [] : textEvent(held, this.#logProbabilities);
  }
}

/** The offset at which a possible closing fence begins, with the white space before it. */
function endOfJson(text: string): number {
  let end = text.trimEnd().length;
  for (let ticks = 0; ticks < 3 && text[end - 1] === "`"; ticks += 1) end -= 1;
  return text.slice(0, end).trimEnd().length;
}

function textEvent(text: string, logProbabilities: readonly JsonObject[] = []): GenerationEvent[] {
  if (text === "") return [];
  return logProbabilities.length === 0
    ? [{ type: "text", text }]
    : [{ type: "text", text, logProbabilities }];
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

/** True for an event that keeps its order relative to a choice's text. */
function mayEndText({ type }: GenerationEvent): boolean {
  return type === "text" || type === "finish" || type === "tool_open" || type === "message";
}

/**
 * A decoder for answers to a prompt instruction that asks for JSON: removes a code fence around the whole text. Source:
 * docs/protocols.md#s5-7.
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

/** Removes the fence from the events of a whole answer. */
export function withoutFence(events: readonly GenerationEvent[]): GenerationEvent[] {
  const unfencing = new Unfencing();
  return events.flatMap((event) => unfencing.push(event));
}
